"""What a serial of 2,000 chapters costs: `python -m replay.evaluation.growing`."""

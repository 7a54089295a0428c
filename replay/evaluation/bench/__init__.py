"""How fast indexing and asking are: `python -m replay.evaluation.bench` (`make bench`)."""

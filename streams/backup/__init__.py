"""The whole index in a folder, and back: what it takes to lose a disk and nothing else."""

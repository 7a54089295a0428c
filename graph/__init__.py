"""What remembers: the pure storyline tree, and the stores that keep it."""

"""What a small model is trained on, and how its answers are scored."""

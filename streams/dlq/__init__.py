"""What an operator does with dead letters: list, look, send again, drop."""

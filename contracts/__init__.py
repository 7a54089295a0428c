"""What is said between the parts: events, values, ports. Imports nothing of ours."""

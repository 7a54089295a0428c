"""Whether an index survives its process: killed anywhere, again and again, it ends the same."""

"""The event log as a file of JSON lines: exported, and imported into another log."""

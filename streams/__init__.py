"""What moves: topology, runner, settings, wiring, command line."""

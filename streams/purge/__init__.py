"""How every byte of a withdrawn text leaves the home."""

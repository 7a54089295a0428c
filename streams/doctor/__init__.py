"""Whether what is stored is sound, and how it is mended."""

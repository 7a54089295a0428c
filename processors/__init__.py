"""What thinks: text and sentences, segmenters, coverage, vectors, retrieval, answers."""

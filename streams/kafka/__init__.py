"""Kafka as the log of a distributed index: how it is reached, its topics, and publishing to it."""

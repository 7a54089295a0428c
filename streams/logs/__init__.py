"""What is kept in SQLite files: the event log and the memo, and what is read out of them."""

"""Commands that make the shipped tables from texts; nothing at run time imports them."""

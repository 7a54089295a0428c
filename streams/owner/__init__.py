"""The owner: the one process that holds a home and serves it to all other commands.

`serving` opens the home and serves it over loopback HTTP; `connecting` finds the owner, or starts
one that ends after idling; `calling` asks it.
"""

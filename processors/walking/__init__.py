"""The walk to an answer: *Storyline Trees*, Algorithm 1, within a budget.

`walk` goes round by round, `moves` are what a round may ask for, `reader` asks a model,
`evidence` unites what was found, `quotes` checks what an answer quotes, `answering` puts them
together.
"""

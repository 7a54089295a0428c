"""Channels: what speaks for a sentence when a question asks when, how many, or who is what to whom.

Ranking by words and meaning finds what a question speaks of. A channel looks for the *form* of
the answer (a date, an age, a number of the things counted, a word of kinship) among all the
sentences near there, and so finds the one that tells. A source goes beyond what was ranked: to the
scenes that persons share, and to every place that speaks of what is asked.
"""

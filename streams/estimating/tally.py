"""Adds up what calls of one purpose cost."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.reports import Foretold


@dataclass(slots=True)
class Tally:
    """Calls and tokens so far; fractions are kept until the end."""

    purpose: str
    calls: float = 0
    remembered: float = 0
    input_tokens: float = 0
    output_tokens: float = 0
    due_input_tokens: float = 0
    due_output_tokens: float = 0

    def add(self, calls: float, read: float, written: float, *, remembered: bool = False) -> None:
        """Add `calls` that read and write so many tokens in all."""
        self.calls += calls
        self.input_tokens += read
        self.output_tokens += written
        if remembered:
            self.remembered += calls
        else:
            self.due_input_tokens += read
            self.due_output_tokens += written

    def grown(self, factor: float) -> None:
        """Take everything so many times."""
        self.calls *= factor
        self.remembered *= factor
        self.input_tokens *= factor
        self.output_tokens *= factor
        self.due_input_tokens *= factor
        self.due_output_tokens *= factor

    def told(self) -> Foretold:
        """Return it in whole numbers."""
        return Foretold(
            purpose=self.purpose,
            calls=round(self.calls),
            remembered=round(self.remembered),
            input_tokens=round(self.input_tokens),
            output_tokens=round(self.output_tokens),
            due_input_tokens=round(self.due_input_tokens),
            due_output_tokens=round(self.due_output_tokens),
        )

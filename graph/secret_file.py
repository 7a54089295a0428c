"""A secret made up once and kept in a file that its owner alone can read."""

import secrets
from pathlib import Path


def kept_secret(file: Path) -> str:
    """What `file` holds; a new random secret if there is no such file yet."""
    if not file.exists():
        fresh = file.with_name(file.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(24), "utf-8")
        fresh.replace(file)  # at once: an interrupted start leaves no empty secret
    return file.read_text("utf-8")

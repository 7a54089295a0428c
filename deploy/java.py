"""The machine's own Java, for the servers that do not bring one."""

import re
import shutil
import subprocess

from contracts.errors import StorygraftError

_HOW = "install a JRE 17 or newer (Debian: `apt-get install openjdk-17-jre-headless`)"
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')  # 8 still called itself 1.8


def java_at_least(wanted: int) -> str:
    """The path of a `java` of that version or newer; raises with advice if there is none."""
    java = shutil.which("java")
    if java is None:
        raise StorygraftError(f"Java is needed and not found: {_HOW}.")
    said = subprocess.run((java, "-version"), capture_output=True, text=True, check=False).stderr
    found = _VERSION.search(said)
    if found is None:
        raise StorygraftError(f"{java} does not tell its version ({said.strip()!r}): {_HOW}.")
    if int(found[1]) < wanted:
        raise StorygraftError(f"Java {wanted} is needed, {java} is version {found[1]}: {_HOW}.")
    return java

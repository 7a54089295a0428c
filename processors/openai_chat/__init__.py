"""`Chat` over HTTP to any server that speaks OpenAI's chat completions, vLLM's first of all."""

from processors.openai_chat.chat import Endpoint, OpenAIChat

__all__ = ["Endpoint", "OpenAIChat"]

"""A real vLLM on this machine's CPU, with a tiny model: for the interface, not for quality.

Its packages (5 GB) live in a virtual environment of their own; `make test-vllm` installs them.
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from contracts.errors import StorygraftError
from graph.child_process import ChildProcess, ChildSpec
from graph.loopback import free_port, plain_environment, port_open

MODEL = "tiny"
CONTEXT = 4_096

_START_S = 600.0  # a minute on two free cores; the first time it reads 5 GB of packages
_GRACE_S = 10.0
_MAKER = Path(__file__).parent / "vllm_model.py"


@dataclass(frozen=True, slots=True)
class VllmHome:
    """`venv` has vLLM and the model's package; `home` gets weights, logs and the child's record."""

    venv: Path
    home: Path

    @property
    def python(self) -> Path:
        """The interpreter that has vLLM."""
        return self.venv / "bin" / "python"


class VllmServer:
    """A server that ends with this process."""

    def __init__(self, place: VllmHome, key: str = "") -> None:
        self._place = VllmHome(place.venv.absolute(), place.home.absolute())
        self._key = key
        self._child: ChildProcess | None = None

    def start(self) -> str:
        """Start it, wait until it answers, and return its URL. Raises `StorygraftError`."""
        self.stop()
        weights = self._weights()
        port = free_port()
        command = (
            *(str(self._place.python), "-m", "vllm.entrypoints.openai.api_server"),
            *("--model", str(weights), "--served-model-name", MODEL),
            *("--host", "127.0.0.1", "--port", str(port), "--enforce-eager"),
            *("--dtype", "float32", "--max-model-len", str(CONTEXT), "--max-num-seqs", "4"),
        )
        secret = {"VLLM_API_KEY": self._key} if self._key else {}
        spec = ChildSpec(
            name="vLLM",
            command=command,
            cwd=self._place.home,
            log=self._place.home / "vllm.log",
            record=self._place.home / "vllm.pid.json",
            env=plain_environment()
            | {
                "HOME": str(self._place.home),
                "PATH": os.pathsep.join((str(self._place.python.parent), os.defpath)),
                "VLLM_CPU_KVCACHE_SPACE": "1",
                "VLLM_NO_USAGE_STATS": "1",
                "HF_HUB_OFFLINE": "1",
                **secret,
            },
        )
        child = self._child = ChildProcess.start(spec)
        child.wait_ready(lambda: port_open(port), _START_S)
        return f"http://127.0.0.1:{port}/v1"

    def stop(self) -> None:
        """End the server; does nothing if it is not started."""
        if self._child is not None:
            self._child.end(_GRACE_S)
        self._child = None

    def _weights(self) -> Path:
        """Return the model's folder, made at the first use.

        Raises:
            StorygraftError: vLLM is not installed, or the weights cannot be made.
        """
        if not self._place.python.exists():
            raise StorygraftError(f"There is no vLLM in {self._place.venv}: run `make test-vllm`.")
        weights = self._place.home / "weights"
        if (weights / "config.json").exists():
            return weights
        self._place.home.mkdir(parents=True, exist_ok=True)
        made = subprocess.run(
            [self._place.python, _MAKER, weights], capture_output=True, text=True, check=False
        )
        if made.returncode:
            raise StorygraftError(f"The weights cannot be made: {made.stderr[-2_000:]}")
        return weights

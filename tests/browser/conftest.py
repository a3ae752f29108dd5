"""A Chromium and a JupyterLab on a copy of the notebooks."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
SETTINGS = {
    # No questions about news, and every cell in the page, seen or not.
    "apputils-extension/notification": '{"fetchNews": "false"}',
    "notebook-extension/tracker": '{"windowingMode": "none"}',
}


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its folder and how to reach it."""

    folder: Path
    port: int
    token: str

    def url(self, path):
        return f"http://127.0.0.1:{self.port}/{path}?token={self.token}&reset"

    def ask(self, path, method="GET"):
        """Call the server's own interface; returns the answer's text."""
        request = urllib.request.Request(self.url(path), method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()

    def stop_kernels(self):
        """So that the next notebook meets no kernel but its own."""
        for session in json.loads(self.ask("api/sessions")):
            self.ask(f"api/sessions/{session['id']}", "DELETE")


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; asked for, so its absence is a failure."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("CHROMIUM") or shutil.which(
        "chromium") or shutil.which("google-chrome")
    if not chromium:
        pytest.fail("no Chromium on PATH: install one, or set CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """JupyterLab on a copy of the notebooks, without anybody's settings."""
    root = tmp_path_factory.mktemp("lab")
    folder = root / "notebooks"
    folder.mkdir()
    for path in NOTEBOOKS.glob("0*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:     # so that only a run gives numbers
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        nbformat.write(notebook, folder / path.name)
    for name, text in SETTINGS.items():
        file = root / "settings/@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = Lab(folder, port, secrets.token_hex(16))
    with (root / "log").open("w") as log, _server(running, root, log):
        yield running


@contextlib.contextmanager
def _server(running, root, log):
    env = {**os.environ, "JUPYTER_CONFIG_DIR": f"{root}/config",
           "JUPYTER_RUNTIME_DIR": f"{root}/runtime",
           "JUPYTERLAB_SETTINGS_DIR": f"{root}/settings",
           "JUPYTERLAB_WORKSPACES_DIR": f"{root}/workspaces"}
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
         "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={running.port}",
         "--ServerApp.port_retries=0", f"--ServerApp.root_dir={root}",
         f"--IdentityProvider.token={running.token}"],
        env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                running.ask("api/status")
                break
            time.sleep(0.1)
        yield
    finally:
        server.terminate()
        server.wait(20)

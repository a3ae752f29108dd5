"""A server on loopback that speaks the Messages API, well or badly.

The SDK under test is the real one. Each request takes the next answer; the
last one is repeated.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LONGEST = 30  # seconds a slow answer hangs, if nobody closes the server


def message(text="fine", *, stop="end_turn", content=None, **fields):
    """A good answer; ``fields`` replace or add top-level ones."""
    if content is None:
        content = [{"type": "text", "text": text}]
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }
    return raw(json.dumps({**body, **fields}))


def raw(body, *, status=200, kind="application/json", **headers):
    """Any answer at all."""

    def answer(request):
        data = body.encode()
        request.send_response(status)
        request.send_header("content-type", kind)
        request.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(data)

    return answer


def error(status, text="no", **headers):
    """An error in the API's shape."""
    body = {"type": "error", "error": {"type": "some_error", "message": text}}
    return raw(json.dumps(body), status=status, **headers)


def slow(request):
    """No answer, until the server is closed."""
    request.server.closing.wait(LONGEST)


def drip(request):
    """A byte now and then, so that no read ever times out."""
    request.send_response(200)
    request.send_header("content-type", "application/json")
    request.send_header("content-length", "100000")
    request.end_headers()
    for _ in range(LONGEST * 20):
        request.wfile.write(b" ")
        if request.server.closing.wait(0.05):
            return


def cut(request):
    """A body that ends before it should."""
    request.send_response(200)
    request.send_header("content-type", "application/json")
    request.send_header("content-length", "1000")
    request.end_headers()
    request.wfile.write(b'{"id": "msg_1", "content": [{"ty')
    request.close_connection = True


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers["content-length"])
        server = self.server
        with server.lock:
            server.requests.append(
                {
                    "path": self.path,
                    "headers": dict(self.headers),
                    "body": json.loads(self.rfile.read(length)),
                }
            )
            n = min(len(server.requests), len(server.answers))
        try:
            server.answers[n - 1](self)
        except OSError:  # the client has gone
            self.close_connection = True

    def log_message(self, *_):
        pass


class MessagesServer(ThreadingHTTPServer):
    """Serves ``answers`` while the ``with`` block runs."""

    daemon_threads = True

    def __init__(self, *answers):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = answers
        self.requests = []
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"

    def __enter__(self):
        threading.Thread(
            target=self.serve_forever, args=(0.02,), daemon=True
        ).start()
        return self

    def __exit__(self, *_):
        self.closing.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        pass

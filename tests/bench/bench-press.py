#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cancel by the pointer and by the accessibility bus, as screen readers and switches press it.

usage: bench-press.py BUILD

From the press to the model server seeing the connection end, with the built program, by turns. The
clock is read just before the press is handed to the display server or to the accessibility bus, and
as soon as the server's read says that the connection has ended.
"""

import ctypes
import json
import os
import socket
import subprocess
import sys
import threading
import time

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "e2e"))

from driver import App, Desktop, wait_for  # noqa: E402

N = 20
SETTLE_S = 1.0   # the button takes no press in the first 0.4 s
WITHIN_MS = 5
HEAD = (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
PIECE = b'data: {"choices":[{"index":0,"delta":{"content":"word "}}]}\n\n'


class Server:
    """Answers each request with words, 20 a second, until the connection ends."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d/v1" % self.listener.getsockname()[1]
        self.n_begun = 0
        self.ends = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    @staticmethod
    def read_request(connection):
        data = b""
        while b"\r\n\r\n" not in data:
            data += connection.recv(65536)
        head, _, body = data.partition(b"\r\n\r\n")
        length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                       if line.lower().startswith(b"content-length:")), 0)
        while len(body) < length:
            body += connection.recv(65536)
        return head

    def answer(self, connection):
        if not self.read_request(connection).startswith(b"POST"):
            connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            connection.close()
            return
        ended = threading.Event()
        connection.sendall(HEAD)
        threading.Thread(target=self.write, args=(connection, ended), daemon=True).start()
        self.n_begun += 1
        try:
            connection.recv(1)
        except OSError:
            pass
        self.ends.append(time.monotonic())
        ended.set()

    @staticmethod
    def write(connection, ended):
        try:
            while not ended.wait(0.05):
                connection.sendall(PIECE)
        except OSError:
            pass


class Pointer:
    """Clicks where the pointer is, without a program that is started for it."""

    def __init__(self):
        self.x11 = ctypes.CDLL("libX11.so.6")
        self.xtst = ctypes.CDLL("libXtst.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XFlush.argtypes = [ctypes.c_void_p]
        self.xtst.XTestFakeButtonEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int,
                                                   ctypes.c_ulong]
        self.display = self.x11.XOpenDisplay(None)

    def click(self, _button):
        for pressed in (1, 0):
            self.xtst.XTestFakeButtonEvent(self.display, 1, pressed, 0)
        self.x11.XFlush(self.display)


def add_provider(build, url):
    cli = os.path.join(build, "src", "cli", "gadget-cli")
    for words in (["add", "fake", "--kind", "openai-chat", "--base-url", url, "--model", "m"],
                  ["default", "fake"]):
        subprocess.run([cli, "provider", *words], check=True, stdout=subprocess.DEVNULL)


def measure(app, server, press):
    """Milliseconds from the press to the end that the server sees."""
    n_begun, n_ends = server.n_begun, len(server.ends)
    app.send("go")
    wait_for(lambda: server.n_begun > n_begun, "the request")
    button = app.find("button", "Cancel")
    time.sleep(SETTLE_S)
    pressed = time.monotonic()
    press(button)
    wait_for(lambda: len(server.ends) > n_ends, "the end of the connection")
    app.find("button", "Send")
    return (server.ends[n_ends] - pressed) * 1000


def rank(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def report(case, values, floor, limit, ok):
    median = rank(values, 0.5)
    print(json.dumps({"bench": "abort", "case": case, "metric": "close_ms", "n": len(values),
                      "median": round(median, 3), "p95": round(rank(values, 0.95), 3),
                      "worst": round(max(values), 3), "floor": floor and round(floor, 3),
                      "ratio": floor and round(median / floor, 3), "limit": limit, "ok": ok}),
          flush=True)


def main():
    build = os.path.abspath(sys.argv[1])
    server = Server()
    by_pointer, by_bus = [], []
    with Desktop():
        os.environ.setdefault("GSETTINGS_SCHEMA_DIR", os.path.join(build, "data"))
        add_provider(build, server.url)
        pointer = Pointer()
        with App(build) as app:
            app.click_stop()  # it sends nothing yet, and the pointer stays there
            for _ in range(N):
                by_pointer.append(measure(app, server, pointer.click))
                by_bus.append(measure(app, server, app.act))
    floor = rank(by_pointer, 0.5)
    report("cancel-by-pointer/mid-text-20", by_pointer, None, "none, for comparison", True)
    ok = abs(rank(by_bus, 0.5) - floor) <= WITHIN_MS
    report("cancel-by-at-spi/mid-text-20", by_bus, floor,
           f"median within {WITHIN_MS} ms of the pointer's (floor)", ok)
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())

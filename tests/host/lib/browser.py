# SPDX-License-Identifier: GPL-2.0
"""browser.py - drive a headless Chromium through its debugging pipe, with the standard library alone.

The browser reads commands from descriptor 3 and writes answers and events to descriptor 4, each a
JSON text that ends with a NUL byte.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

LIMIT = 60  # seconds without an answer mean that the browser hangs


def find():
    """The path of a Chromium, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """One browser with one page."""

    def __init__(self, width=1400, height=900):
        self.directory = tempfile.mkdtemp()
        to_read, self.commands = os.pipe()
        self.answers, to_write = os.pipe()

        def connect():
            # Move both ends out of the way first: either may be 3 or 4 already.
            high_read, high_write = os.dup(to_read), os.dup(to_write)
            while high_read < 10:
                high_read = os.dup(high_read)
            while high_write < 10:
                high_write = os.dup(high_write)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)

        self.process = subprocess.Popen(
            [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--user-data-dir=" + self.directory,
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest = b""
        self.number = 0
        self.session = None
        self.errors = []    # what the console reported
        self.requests = []  # every address that the page asked for
        self.loaded = 0
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def close(self):
        """End the browser and remove its files."""
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, EOFError, TimeoutError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def receive(self):
        """One message."""
        while b"\0" not in self.rest:
            if not select.select([self.answers], [], [], LIMIT)[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.answers, 1 << 20)
            if not data:
                raise EOFError("the browser ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        """Remember what an event says."""
        method, data = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(data["exceptionDetails"].get("text", "") + " " +
                               data["exceptionDetails"].get("exception", {}).get("description", ""))
        elif method == "Runtime.consoleAPICalled" and data["type"] in ("error", "warning", "assert"):
            self.errors.append(str([a.get("value") for a in data["args"]]))
        elif method == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
            self.errors.append(data["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(data["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded += 1

    def call(self, method, **params):
        """Run a command and wait for its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") != self.number:
                self.note(answer)
            elif "error" in answer:
                raise RuntimeError(method + ": " + answer["error"]["message"])
            else:
                return answer["result"]

    def resize(self, width, height):
        """Set the size of the window."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def media(self, scheme="light", kind=""):
        """Prefer light or dark colours; kind "print" lays the page out for paper."""
        self.call("Emulation.setEmulatedMedia", media=kind, features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, path):
        """Load a file and wait until it is complete."""
        self.errors, self.requests = [], []
        before = self.loaded
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        end = time.monotonic() + LIMIT
        while self.loaded == before:
            if time.monotonic() > end:
                raise TimeoutError(path + " does not load")
            self.note(self.receive())

    def run(self, script):
        """The value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def key(self, key, text=None):
        """Press and release one key; TEXT is what it types."""
        codes = {"Enter": 13, "Escape": 27, "Backspace": 8, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}
        if text is None and len(key) == 1:
            text = key
        code = codes.get(key, ord(key[0].upper()))
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code,
                  **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        """Type into what has the focus."""
        for letter in text:
            self.key(letter)

    def mouse(self, kind, x, y, buttons=0):
        """One event of the mouse: mousePressed, mouseReleased, mouseMoved."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                  button="left" if kind != "mouseMoved" or buttons else "none", buttons=buttons, clickCount=1)

    def click(self, x, y):
        """Click at a point of the window."""
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)

    def drag(self, x1, y1, x2, y2):
        """Press at one point, move and release at another."""
        self.mouse("mouseMoved", x1, y1)
        self.mouse("mousePressed", x1, y1, 1)
        self.mouse("mouseMoved", (x1 + x2) / 2, (y1 + y2) / 2, 1)
        self.mouse("mouseMoved", x2, y2, 1)
        self.mouse("mouseReleased", x2, y2)

    def screenshot(self, path, whole=False):
        """Save what the window shows, or the whole page."""
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

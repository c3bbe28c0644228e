"""A display that nobody sees: an X server that draws into memory."""
import contextlib
import os
import select
import subprocess
import tempfile

SECONDS_TO_START = 60
SECONDS_TO_END = 10


@contextlib.contextmanager
def hidden_display(screen="1920x1200x24"):
    """The name of a display of its own, such as ":1". The server picks a number that is free, and
    writes it once it listens. It ends with the block, or with this process."""
    read_end, write_end = os.pipe()
    with open(read_end, "rb") as written, tempfile.TemporaryFile() as log:
        with open(write_end, "wb"):
            server = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "Xvfb", "-displayfd", str(write_end),
                 "-screen", "0", screen, "-nolisten", "tcp", "-noreset"],
                pass_fds=[write_end], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            answered = select.select([written], [], [], SECONDS_TO_START)[0]
            number = written.readline().decode().strip() if answered else ""
            if not number:
                log.seek(0)
                said = log.read().decode(errors="replace").strip()
                raise RuntimeError(f"Xvfb did not start within {SECONDS_TO_START} s: {said}")
            yield f":{number}"
        finally:
            end(server)


def end(server):
    server.terminate()
    try:
        server.wait(timeout=SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the command reads and writes beside plain files: files_test.py WEFT

Pipes, raw bytes, members and names of any kind; Ctrl-C while it waits for a pipe; what cannot be written is told, and then nothing
was written."""

import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from pathlib import Path

import numpy as np

WEFT = str(Path(sys.argv[1]).resolve())
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def run(*words, cwd, **more):
    return subprocess.run([WEFT, *words], cwd=cwd, capture_output=True, timeout=60, **more)


def told(*words, cwd, status=0, **more):
    """Its only or first line of errors, or its output."""
    ran = run(*words, cwd=cwd, **more)
    assert ran.returncode == status, (words, ran.returncode, ran.stdout, ran.stderr)
    lines = ran.stderr.decode().splitlines()
    assert len(lines) <= 3 and (not status or lines[0].startswith("weft: ")), (words, lines)
    return "\n".join(lines) if status else ran.stdout.decode()


def is_waiting(process):
    """Whether it sleeps in a call to the system."""
    return Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "S"


def check_stops(folder):
    """While it opens, reads or writes a pipe."""
    os.mkfifo(folder / "pipe")
    np.save(folder / "big.npy", np.zeros(1 << 20, np.uint8))
    open_pipe = {"stdin": subprocess.PIPE}
    full_pipe = {"stdout": subprocess.PIPE}
    for words, pipes in [(["run", "flip([0])", "-"], open_pipe | full_pipe), (["info", "-"], open_pipe), (["info", "pipe"], {}),
                         (["run", "flip([0])", "pipe", "-o", "y.npy"], {}), (["convert", "x.npy", "pipe", "--format", "npy"], {}),
                         (["run", "flip([0])", "x.npy", "-o", "y.npy", "--trace", "pipe"], {}),
                         (["run", "flip([0])", "big.npy"], full_pipe)]:
        before = sorted(folder.iterdir())
        process = subprocess.Popen([WEFT, *words], cwd=folder, stderr=subprocess.PIPE, **pipes)
        # What has gone to sleep in its first files is not what is meant.
        end = time.monotonic() + 30
        quiet = 0
        while quiet < 5 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
            quiet = quiet + 1 if is_waiting(process) else 0
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130, (words, process.returncode)
        assert process.stderr.read() == b"", words
        assert sorted(folder.iterdir()) == before, (words, list(folder.iterdir()))
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe: pipe.close()
    # Who asks twice does not wait for what is not asked in between.
    os.mkfifo(folder / "program.json")
    process = subprocess.Popen([WEFT, "run", "program.json", "--in", "x=x.npy", "-o", "y.npy"], cwd=folder)
    writer = os.open(folder / "program.json", os.O_WRONLY)
    while not is_waiting(process): time.sleep(0.02)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
    assert process.wait(30) in (130, -signal.SIGINT), process.returncode
    os.close(writer)
    for name in ("pipe", "program.json", "big.npy"): (folder / name).unlink()


def check_raw(folder):
    (folder / "z.bin").write_bytes(X.tobytes())
    (folder / "z.what").write_bytes(X.tobytes())
    np.save(folder / "flat.npy", X.reshape(-1))
    for raw in ("z.bin", "z.what"):
        told("run", "add(_, b)", raw, "--dtype", "f32", "--in", "b=flat.npy", "-o", "y.npy", cwd=folder)
        assert (np.load(folder / "y.npy") == 2 * X.reshape(-1)).all()
    told("run", "flip([0])", "-", "--dtype", "f32", "--shape", "2,3,4", "-o", "y.npy", cwd=folder, input=X.tobytes())
    assert (np.load(folder / "y.npy") == X[::-1]).all()
    for words in [["info", "x.npy", "--dtype", "f32"], ["info", "x.npy", "--shape", "24"], ["convert", "x.npy", "new.npy", "--dtype", "f32"],
                  ["run", "flip", "x.npy", "--shape", "24", "-o", "new.npy"], ["run", "b", "--in", "b=x.npy", "--dtype", "f32", "-o", "new.npy"]]:
        said = told(*words, cwd=folder, status=1)
        assert "x.npy" in said and "raw" in said, said
    assert "--shape 2,5,,:" in told("info", "z.bin", "--dtype", "f32", "--shape", "2,5,,", cwd=folder, status=1)
    said = told("info", "z.bin", "--dtype", "f32", "--shape", "[-5]", cwd=folder, status=1)
    assert said.count("load:") == 1 and "extent -5" in said, said


def check_info(folder):
    np.savez(folder / "z.npz", a=np.arange(3), b=np.ones((2, 2)))
    plain = told("info", "x.npy", cwd=folder)
    bytes_of_x = (folder / "x.npy").read_bytes()
    assert told("info", "-", cwd=folder, input=bytes_of_x) == plain.replace("x.npy", "standard input")
    assert told("info", "/dev/stdin", cwd=folder, input=bytes_of_x) == plain.replace("x.npy", "/dev/stdin")
    assert told("info", "z.npz:b", cwd=folder) == "z.npz:b: npz\n  b: f64 [2, 2], min 1, max 1, mean 1, 0 NaN\n"
    assert told("info", "z.npz", cwd=folder).count("\n") == 3
    assert "no member c" in told("info", "z.npz:c", cwd=folder, status=1)
    assert "no members" in told("info", "x.npy:c", cwd=folder, status=1)
    # In a time that grows with what there is.
    count = 4000
    header = json.dumps({f"t{k}": {"dtype": "F32", "shape": [1], "data_offsets": [4 * k, 4 * k + 4]} for k in range(count)}).encode()
    (folder / "many.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(4 * count))
    start = time.monotonic()
    assert told("info", "many.safetensors", cwd=folder).count("\n") == count + 1
    assert time.monotonic() - start < 8


def check_names(folder):
    np.savez(folder / "c.npz", **{"x:y": np.arange(3)})
    told("run", "flip([0])", "c.npz:x:y", "-o", "y.npy", cwd=folder)
    assert (np.load(folder / "y.npy") == [2, 1, 0]).all()
    assert "no:file.npy" in told("run", "flip", "no:file.npy", "-o", "new.npy", cwd=folder, status=1)
    for name in ("[x.npy]", "[a,b].npy", "ä" * 125 + ".npy"):
        told("run", "flip([0])", "x.npy", "-o", name, "--format", "npy", cwd=folder)
        assert told("info", name, "x.npy", cwd=folder).removeprefix("./").startswith(name + ": npy\n")
    # Names that would move a terminal's cursor, or more.
    with zipfile.ZipFile(folder / "hostile.npz", "w") as archive:
        archive.writestr("a\x1b[31m\n\x9b\u202f.npy", (folder / "x.npy").read_bytes())
    said = told("info", "hostile.npz", cwd=folder)
    assert "  a\\x1b[31m\\x0a\\xc2\\x9b\u202f: f32" in said, said
    said = told("info", "hostile.npz:q", cwd=folder, status=1)
    assert "a\\x1b[31m" in said, said
    for name in (b"no\x1b[31m.npy", b"no\xff.npy", "no\x9b.npy".encode()):
        ran = run("info", name, cwd=folder)
        assert ran.returncode == 1 and b"\x1b" not in ran.stderr and b"\x9b" not in ran.stderr and b"\xff" not in ran.stderr, ran.stderr


def check_output(folder):
    kept = (folder / "y.npy").read_bytes()
    for words in [["ops"], ["ops", "roll"], ["info", "x.npy"], ["explain", "flip", "x.npy"], ["draw", "flip", "x.npy"], ["man"], ["--help"],
                  ["--version"], ["run", "--help"], ["bench", "flip", "x.npy", "--rounds", "1"], ["completion", "bash"], ["run", "flip", "x.npy"]]:
        for out in (">/dev/full", ">&-"):
            command = ["bash", "-c", f'"$0" "$@" {out}', WEFT, *words]
            ran = subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, timeout=60)
            assert ran.returncode == 1 and ran.stderr.startswith(b"weft: ") and ran.stderr.count(b"\n") == 1, (words, out, ran)
    (folder / "folder").mkdir()
    for trace in ("folder", "/proc/none", "y.npy", "./y.npy", "no/t.json"):
        told("run", "flip", "x.npy", "-o", "y.npy", "--trace", trace, cwd=folder, status=1)
        assert (folder / "y.npy").read_bytes() == kept, trace
    told("run", "flip", "x.npy", "-o", "y.npy", "--trace", "t.json", cwd=folder)
    assert json.loads((folder / "t.json").read_text())["traceEvents"]


def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def check_picture(folder):
    """Texts that grow by a thousand when they are inflated are not."""
    text = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(7 << 20), 9))
    (folder / "texts.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + 100 * text
                                       + chunk(b"IDAT", zlib.compress(b"\0\7")) + chunk(b"IEND", b""))
    start = time.monotonic()
    assert "u8 [1, 1, 1], min 7" in told("info", "texts.png", cwd=folder)
    assert time.monotonic() - start < 2


def main():
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root)
        np.save(folder / "x.npy", X)
        check_stops(folder)
        check_raw(folder)
        check_info(folder)
        check_names(folder)
        check_output(folder)
        check_picture(folder)


if __name__ == "__main__":
    main()

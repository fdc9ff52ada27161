#!/usr/bin/env python3
"""Counts the instructions that `benches/server` spends on one request, under valgrind's callgrind.

    python3 benches/instructions/run.py             compares with recorded.json; fails if a figure grew beyond its tolerance
    python3 benches/instructions/run.py --record    writes the figures down
    python3 benches/instructions/run.py --keep DIR  leaves callgrind's files there, for callgrind_annotate

A busy machine changes no figure, another compiler does: record again after an update of the toolchain. Each figure is
the difference of two runs of different length, so starting and stopping do not count. Requests come 64 at a time, or one
at a time where the name ends in `1`.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORDED = HERE / "recorded.json"
TOLERANCE = 0.05

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "instructions", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def call(tool, arguments):
    return lambda id: {"method": "tools/call", "params": {"_meta": META, "name": tool, "arguments": arguments(id)}}


def items(count):
    return [{"id": n, "name": f"item {n}", "tags": ["a", "b"], "score": n / 8} for n in range(count)]


# name: how many at a time, the two lengths, and the request with an id
SUBJECTS = {
    "add": (64, (640, 3200), call("add", lambda id: {"a": id, "b": 7})),
    "add1": (1, (200, 1200), call("add", lambda id: {"a": id, "b": 7})),
    "structured": (64, (640, 1920), call("get_weather", lambda id: {"city": "Paris", "days": id % 16 + 1, "units": "imperial"})),
    "refused": (64, (640, 1920), call("add", lambda id: {"a": "x", "b": 1})),
    "refused-range": (64, (640, 1920), call("get_weather", lambda id: {"city": "Rome", "days": 99})),
    "list": (16, (64, 320), lambda id: {"method": "tools/list", "params": {"_meta": META}}),
    "text-100k": (1, (10, 40), call("echo", lambda id: {"text": "line \"one\"\n" * 10_000})),
    "objects-1000": (1, (10, 40), call("bulk", lambda id: {"items": items(1000)})),
}


def main():
    if not shutil.which("valgrind"):
        return print("skipped: valgrind is not installed")
    keep = pathlib.Path(sys.argv[sys.argv.index("--keep") + 1]) if "--keep" in sys.argv else None
    server = build()
    figures = {name: instructions(server, name, keep) for name in SUBJECTS}
    if "--record" in sys.argv:
        RECORDED.write_text(json.dumps(figures, indent=2) + "\n")
    recorded = json.loads(RECORDED.read_text())
    grown = []
    for name, figure in figures.items():
        before = recorded.get(name, figure)
        print(f"{name:<14} {figure:>12,}  recorded {before:>12,}  {figure / before:6.3f}")
        if figure > before * (1 + TOLERANCE):
            grown.append(name)
    if grown:
        sys.exit(f"more instructions than recorded: {', '.join(grown)}")


def build():
    command = ["cargo", "build", "--release", "-p", "bench-server", "--message-format=json"]
    lines = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    built = [message["executable"] for message in map(json.loads, lines) if message.get("executable")]
    return built[-1]


def instructions(server, name, keep):
    short, long = SUBJECTS[name][1]
    file = str(keep / f"callgrind.{name}") if keep else None
    return round((total(server, name, long, file) - total(server, name, short, None)) / (long - short))


def total(server, name, count, file):
    """The instructions of one run that answers so many requests."""
    at_once, _, request = SUBJECTS[name]
    with tempfile.TemporaryDirectory() as folder:
        out = file or f"{folder}/out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", f"--log-file={folder}/log", server]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for first in range(0, count, at_once):
                ids = range(first, min(first + at_once, count))
                lines = [json.dumps({"jsonrpc": "2.0", "id": id, **request(id)}, separators=(",", ":")) for id in ids]
                process.stdin.write("".join(f"{line}\n" for line in lines).encode())
                process.stdin.flush()
                for id in ids:
                    answer = json.loads(process.stdout.readline())
                    assert answer["id"] == id and "result" in answer, answer
                    assert answer["result"].get("isError", False) == name.startswith("refused"), answer
            process.stdin.close()
        return int(re.search(r"Collected : (\d+)", pathlib.Path(f"{folder}/log").read_text()).group(1))


if __name__ == "__main__":
    main()

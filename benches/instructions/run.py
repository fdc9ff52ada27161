#!/usr/bin/env python3
"""Counts the instructions that `benches/server` spends on one request, under valgrind's callgrind.

    python3 benches/instructions/run.py             compares with recorded.json; fails if a figure grew beyond its tolerance
    python3 benches/instructions/run.py --record    writes the figures down
    python3 benches/instructions/run.py --keep DIR  leaves callgrind's files there, for callgrind_annotate
    python3 benches/instructions/run.py --of PROGRAM    counts another server, such as the floor, and compares nothing
    python3 benches/instructions/run.py --caches        tells the lines of code and of data that are no longer in the first cache
    python3 benches/instructions/run.py --only http     what has this in its name

A busy machine changes no figure, another compiler does: record again after an update of the toolchain. Each figure is
the difference of two runs of different length, so starting and stopping do not count. Requests come 64 at a time, or one
at a time where the name ends in `1`; over HTTP on so many connections.
"""

import argparse
import http.client
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORDED = HERE / "recorded.json"
TOLERANCE = 0.05

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "instructions", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}

# What a client sends with `add` over HTTP.
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "add",
}

# A first cache for code, one for data, and one behind them.
CACHES = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=524288,8,64"]

# Requests that are answered by an error, in words that only this server has.
REFUSED = {"refused", "refused-range"}


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
    "http-add1": (1, (200, 1200), call("add", lambda id: {"a": id, "b": 7})),
    "http-add8": (8, (200, 1200), call("add", lambda id: {"a": id, "b": 7})),
}


def main():
    if not shutil.which("valgrind"):
        return print("skipped: valgrind is not installed")
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--record", action="store_true")
    arguments.add_argument("--keep", type=pathlib.Path)
    arguments.add_argument("--of", type=pathlib.Path)
    arguments.add_argument("--caches", action="store_true")
    arguments.add_argument("--only", default="")
    given = arguments.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    server = given.of or build()
    names = [name for name in SUBJECTS if given.only in name and not (given.of and name in REFUSED)]
    if given.caches:
        print(f"{'':<14} {'instructions':>12} {'code':>8} {'data':>8}   lines that were no longer in the first cache")
        for name in names:
            of = events(server, name, CACHES, given.keep)
            print(f"{name:<14} {of['Ir']:>12,.0f} {of['I1mr']:>8,.0f} {of['D1mr'] + of['D1mw']:>8,.0f}", flush=True)
        return
    figures = {name: round(events(server, name, [], given.keep)["Ir"]) for name in names}
    if given.of:
        return print("".join(f"{name:<14} {figure:>12,}\n" for name, figure in figures.items()), end="")
    recorded = json.loads(RECORDED.read_text())
    if given.record:
        recorded |= figures
        RECORDED.write_text(json.dumps(recorded, indent=2) + "\n")
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


def events(server, name, options, keep):
    """What valgrind counts for one request."""
    short, long = SUBJECTS[name][1]
    file = [f"--callgrind-out-file={keep}/callgrind.{name}"] if keep else []
    before, after = total(server, name, short, options), total(server, name, long, [*options, *file])
    return {event: (after[event] - before[event]) / (long - short) for event in after}


def total(server, name, count, options):
    """What it counts in one run that answers so many requests."""
    at_once, _, request = SUBJECTS[name]
    batches = [
        [{"jsonrpc": "2.0", "id": id, **request(id)} for id in range(first, min(first + at_once, count))]
        for first in range(0, count, at_once)
    ]
    with tempfile.TemporaryDirectory() as folder:
        # of an option that comes twice, the last one counts
        files = [f"--callgrind-out-file={folder}/out", f"--log-file={folder}/log"]
        command = ["valgrind", "--tool=callgrind", *files, *options, server]
        answers = over_http(command, at_once, batches) if name.startswith("http") else over_stdio(command, batches)
        for batch, lines in zip(batches, answers, strict=True):
            for asked, answer in zip(batch, map(json.loads, lines), strict=True):
                assert answer["id"] == asked["id"] and "result" in answer, answer
                assert answer["result"].get("isError", False) == (name in REFUSED), answer
        log = pathlib.Path(f"{folder}/log").read_text()
        names, counts = (re.search(f"{word} *: (.*)", log).group(1).split() for word in ["Events", "Collected"])
        return dict(zip(names, map(int, counts)))


def text(message):
    return json.dumps(message, separators=(",", ":"))


def over_stdio(command, batches):
    """The answers of a server to batches of lines."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        answers = []
        for batch in batches:
            process.stdin.write("".join(f"{text(message)}\n" for message in batch).encode())
            process.stdin.flush()
            answers.append([process.stdout.readline() for _ in batch])
        process.stdin.close()
    return answers


def over_http(command, connections, batches):
    """The answers of a server to batches of requests, each of which has a connection that is kept."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([*command, "--http", str(port)], stdout=subprocess.DEVNULL) as process:
        links = [connect(port) for _ in range(connections)]
        answers = []
        for batch in batches:
            for link, message in zip(links, batch):
                link.sendall(post(port, text(message)))
            answers.append([answer(link) for link, _ in zip(links, batch)])
        for link in links:
            link.close()
        process.terminate()
    return answers


def connect(port):
    """Under valgrind, a server takes its time to start."""
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            time.sleep(0.05)
    sys.exit("the server does not listen")


def post(port, body):
    """A request in one piece, as most clients send it."""
    headers = {"Host": f"127.0.0.1:{port}", **HEADERS, "Content-Length": len(body)}
    return "".join(["POST /mcp HTTP/1.1\r\n", *(f"{name}: {value}\r\n" for name, value in headers.items()), "\r\n", body]).encode()


def answer(link):
    response = http.client.HTTPResponse(link)
    response.begin()
    return response.read()


if __name__ == "__main__":
    main()

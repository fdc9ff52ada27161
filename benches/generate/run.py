#!/usr/bin/env python3
"""What generation costs, and what its code costs to compile, beside rmcp's macros.

    python3 benches/generate/run.py                     generates 10 to 10,000 tools
    python3 benches/generate/run.py 1000                so many
    python3 benches/generate/run.py --compile 10 100    compiles what is generated, and the same tools in rmcp's macros
    python3 benches/generate/run.py --compile 500 --only ours --steps check
    python3 benches/generate/run.py --size              size and crates of a server with one tool

A busy machine changes wall times most, processor times a little, instructions (where valgrind is) not at all. Compiled is in
`target/generate`: dependencies first, and only the crate itself is timed.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import tools

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SIZES = [10, 100, 500, 1000, 10_000]
ROUNDS = 5
# valgrind takes fifty times as long.
MOST_COUNTED = 1000
STEPS = ["check", "changed", "release"]
PROFILE = '[profile.release]\nlto = "off"\ncodegen-units = 1\npanic = "abort"\n\n[workspace]\n'


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("sizes", nargs="*", type=int)
    arguments.add_argument("--compile", action="store_true")
    arguments.add_argument("--size", action="store_true")
    arguments.add_argument("--only", choices=["ours", "rmcp"])
    arguments.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS)
    given = arguments.parse_args()
    program = pathlib.Path(os.environ.get("MCP_CODEGEN") or build()).resolve()
    if given.size:
        size(program)
    elif given.compile:
        compile(program, given)
    else:
        generate(program, given.sizes or SIZES)


def build():
    run(["cargo", "build", "--release", "--quiet", "-p", "mcp-codegen"], ROOT)
    return target() / "release" / "mcp-codegen"


def target():
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")


def run(command, folder, env=None):
    """Wall and processor seconds of a command that must succeed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def generate(program, sizes):
    print(f"{'tools':>6} {'wall ms':>8} {'cpu ms':>8} {'instructions':>14} {'files':>6} {'bytes':>11}")
    # Nothing is deleted before the end: a file system may look long for a place where many files were deleted just now.
    with tempfile.TemporaryDirectory() as folder:
        for count in sizes:
            of_size = pathlib.Path(folder) / str(count)
            of_size.mkdir()
            (of_size / "tools.toml").write_text(tools.contract(count))
            command = [program, "generate", of_size / "tools.toml", "-o"]
            rounds = [run([*command, of_size / str(number)], of_size) for number in range(ROUNDS)]
            wall, cpu = (statistics.median(column) * 1000 for column in zip(*rounds))
            files = [path for path in (of_size / "0").rglob("*.rs")]
            written = sum(path.stat().st_size for path in files)
            counted = instructions(command, of_size) if count <= MOST_COUNTED else None
            counted = f"{counted:,}" if counted else "-"
            print(f"{count:>6} {wall:>8.0f} {cpu:>8.0f} {counted:>14} {len(files):>6} {written:>11,}", flush=True)


def instructions(command, folder):
    if not shutil.which("valgrind"):
        return None
    log = folder / "log"
    callgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", f"--log-file={log}"]
    run([*callgrind, *command, folder / "counted"], folder)
    return int(re.search(r"Collected : (\d+)", log.read_text()).group(1))


class Ours:
    """Generated code over this repository's runtime."""

    name = "ours"
    manifest = (
        f'[dependencies]\nmcp-runtime = {{ path = "{ROOT}/mcp-runtime" }}\ntokio = {{ version = "1", features = ["rt"] }}\n'
    )
    lock = ROOT / "Cargo.lock"

    def __init__(self, program):
        self.program = program

    def write(self, folder, count, changed=None):
        (folder / "tools.toml").write_text(tools.contract(count, changed))
        run([self.program, "generate", folder / "tools.toml", "-o", folder / "src" / "gen"], folder)
        update(folder / "src" / "main.rs", tools.handlers(count))


class Rmcp:
    """The same tools in rmcp's macros."""

    name = "rmcp"
    manifest = """[dependencies]
rmcp = { version = "3.11", default-features = false, features = ["server", "macros", "transport-io"] }
schemars = "1"
serde = { version = "1", features = ["derive"] }
tokio = { version = "1", features = ["rt", "macros", "io-std"] }
"""
    lock = ROOT / "benches" / "peers" / "Cargo.lock"

    def write(self, folder, count, changed=None):
        update(folder / "src" / "main.rs", tools.macros(count, changed))


def update(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def crate(side):
    folder = target() / "generate" / side.name
    (folder / "src").mkdir(parents=True, exist_ok=True)
    package = f'[package]\nname = "scale-{side.name}"\nversion = "0.0.0"\nedition = "2024"\n\n'
    update(folder / "Cargo.toml", package + side.manifest + "\n" + PROFILE)
    if not (folder / "Cargo.lock").exists():
        shutil.copy(side.lock, folder / "Cargo.lock")
    return folder, dict(os.environ, CARGO_TARGET_DIR=str(target() / "generate" / "target"))


def compile(program, given):
    sides = [side for side in (Ours(program), Rmcp()) if given.only in (None, side.name)]
    print(f"{'tools':>6} {'':<5} " + " ".join(f"{step:>10}" for step in given.steps) + "   CPU s of the crate alone", flush=True)
    for count in given.sizes or [10, 100]:
        for side in sides:
            folder, env = crate(side)
            costs = [step(side, folder, count, env, name) for name in given.steps]
            print(f"{count:>6} {side.name:<5} " + " ".join(f"{cost:>10.1f}" for cost in costs), flush=True)


def step(side, folder, count, env, name):
    """Processor seconds of one step, with all dependencies built before."""
    command = {
        "check": ["cargo", "check", "--release", "-j1"],
        "changed": ["cargo", "check", "-j1"],
        "release": ["cargo", "build", "--release", "-j1"],
    }[name]
    side.write(folder, 1)
    run(command, folder, env)
    side.write(folder, count)
    if name == "changed":
        run(command, folder, env)
        side.write(folder, count, changed=count // 2)
    return run(command, folder, env)[1]


def size(program):
    print(f"{'':<5} {'stripped':>12} {'crates':>7} {'linked':>7}")
    for side in (Ours(program), Rmcp()):
        folder, env = crate(side)
        side.write(folder, 1)
        run(["cargo", "build", "--release"], folder, env)
        binary = folder / f"stripped-{side.name}"
        shutil.copy(target() / "generate" / "target" / "release" / f"scale-{side.name}", binary)
        run(["strip", binary], folder)
        counts = [crates(folder, env, edges) for edges in ("normal", "normal,no-proc-macro")]
        print(f"{side.name:<5} {binary.stat().st_size / 2**20:>8.2f} MiB {counts[0]:>7} {counts[1]:>7}", flush=True)


def crates(folder, env, edges):
    """How many crates a crate needs, without itself."""
    tree = ["cargo", "tree", "--edges", edges, "--prefix", "none", "--no-dedupe"]
    lines = subprocess.run(tree, cwd=folder, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return len({" ".join(line.split()[:2]) for line in lines if line}) - 1


if __name__ == "__main__":
    main()

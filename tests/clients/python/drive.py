"""Drives a server over stdio with the official Python client, in both eras: drive.py CHECKS SERVER [ARGUMENT…]

Ends with 1 if any check failed.
"""

import importlib
import sys

import anyio

from harness import MODES, Failures


async def main(checks, server) -> int:
    failures = Failures()
    for mode in MODES:
        await importlib.import_module(checks).run(failures, mode, server)
    return 1 if failures.any else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: drive.py CHECKS SERVER [ARGUMENT…]")
    sys.exit(anyio.run(main, sys.argv[1], sys.argv[2:]))

"""Drives a server with the official Python client, in both eras: drive.py CHECKS stdio|http SERVER [ARGUMENT…], or
drive.py CHECKS shared URL PAGED_URL

Ends with 1 if any check failed.
"""

import importlib
import sys

import anyio

from harness import Failures, modes


async def main(checks, way, server) -> int:
    failures = Failures()
    for mode in modes(way):
        await importlib.import_module(checks).run(failures, mode, server)
    return 1 if failures.any else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: drive.py CHECKS stdio|http SERVER [ARGUMENT…], or CHECKS shared URL PAGED_URL")
    sys.exit(anyio.run(main, sys.argv[1], sys.argv[2], sys.argv[3:]))

"""Runs checks against a server that is started anew; prints one JSON line for each, {check, ok, detail}."""

import json
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client


@dataclass
class Mode:
    """How a client finds the era out, and the revision that it must agree on with the server."""

    name: str
    version: str

    @property
    def has_session(self):
        return self.name == "legacy"


MODES = [Mode("legacy", "2025-11-25"), Mode("auto", "2026-07-28"), Mode("2026-07-28", "2026-07-28")]


@dataclass
class Session:
    """A connected client, all that went over its streams, and the notifications that it handed on."""

    client: Client
    mode: Mode
    sent: list = field(default_factory=list)
    received: list = field(default_factory=list)
    heard: list = field(default_factory=list)


class Failures:
    """Whether any check failed."""

    def __init__(self):
        self.any = False

    async def check(self, name, body):
        """Runs one check and prints what became of it."""
        try:
            line = {"check": name, "ok": True, "detail": str(await body() or "")}
        except Exception as error:
            self.any = True
            line = {"check": name, "ok": False, "detail": str(error) or repr(error)}
        print(json.dumps(line), flush=True)


async def with_session(failures, mode, command, body, **options):
    """Connects a client with `options`, hands the session to `body(session, check)`, and closes it."""
    session = Session(client=None, mode=mode)

    async def check(name, run):
        await failures.check(f"python {mode.name}: {name}", run)

    async def revision():
        found = session.client.protocol_version
        expect(found == mode.version, f"found {found}, expected {mode.version}")
        return found

    async def shutdown():
        took = time.monotonic() - closed
        # a server that does not end by itself is killed after 2 s, and then the shell notes nothing
        code = status.read_text().strip()
        expect(code == "0", f"exit code {code}")
        return f"exit code 0 after {took * 1000:.0f} ms"

    async def hear(message):
        session.heard.append(message)

    with tempfile.TemporaryDirectory() as folder:
        status = Path(folder) / "status"
        server = recorded(server_command(command, status), session)
        try:
            async with Client(server, mode=mode.name, message_handler=hear, **options) as session.client:
                await check("negotiated revision", revision)
                await body(session, check)
                closed = time.monotonic()
            await check("shutdown", shutdown)
        except Exception as error:  # one mode that breaks must not hide the others
            message = str(error) or repr(error)

            async def broken():
                raise AssertionError(message)

            await check("connection", broken)


def server_command(command, status) -> StdioServerParameters:
    """A server, started through a shell that notes the exit code: the client does not tell it."""
    note_exit_code = '"$@"; echo $? > "$0"'
    return StdioServerParameters(command="/bin/sh", args=["-c", note_exit_code, str(status), *command])


@asynccontextmanager
async def recorded(server, session):
    """The stdio transport, with a copy of every message in the session."""
    async with stdio_client(server) as (read, write), anyio.create_task_group() as group:
        to_client, from_server = anyio.create_memory_object_stream(0)
        to_server, from_client = anyio.create_memory_object_stream(0)
        group.start_soon(copy, read, to_client, session.received)
        group.start_soon(copy, from_client, write, session.sent)
        yield from_server, to_server
        to_server.close()
        group.cancel_scope.cancel()


async def copy(source, sink, seen):
    async with source, sink:
        async for item in source:
            if not isinstance(item, Exception):
                seen.append(item.message)
            await sink.send(item)


def expect(condition, complaint):
    if not condition:
        raise AssertionError(complaint)


def equal(found, expected):
    expect(found == expected, f"found {found!r}, expected {expected!r}")


def plain(model):
    """What a model of the client holds, as it travels."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def rejection(awaitable):
    """The error that a call ends with."""
    try:
        result = await awaitable
    except MCPError as error:
        return error
    raise AssertionError(f"answered: {result}")


async def eventually(condition, what):
    """Waits until `condition` gives something."""
    with anyio.move_on_after(5):
        while True:
            found = condition()
            if found:
                return found
            await anyio.sleep(0.005)
    raise AssertionError(f"{what} did not come")

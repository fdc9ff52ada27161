"""Runs checks against a server, started anew or shared with others; prints one JSON line for each, {check, ok, detail}."""

import json
import signal
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


@dataclass
class Mode:
    """How a client finds the era out, and the revision that it must agree on with the server."""

    name: str
    version: str
    way: str

    @property
    def has_session(self):
        return self.name == "legacy"

    @property
    def is_shared(self):
        """Whether others change things, too."""
        return self.way == "shared"


def modes(way):
    """All of them, over stdio or HTTP, or with a server that others use, too."""
    eras = [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]
    return [Mode(name, version, way) for name, version in eras]


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
        await failures.check(f"python {mode.name} {mode.way}: {name}", run)

    async def revision():
        found = session.client.protocol_version
        expect(found == mode.version, f"found {found}, expected {mode.version}")
        return found

    async def hear(message):
        session.heard.append(message)

    try:
        async with WAYS[mode.way](command) as server:
            transport = recorded(server.transport, session)
            async with Client(transport, mode=mode.name, message_handler=hear, **options) as client:
                session.client = client
                await check("negotiated revision", revision)
                await body(session, check)
                closed = time.monotonic()

            async def shutdown():
                code = await server.ended()
                expect(code == "0", f"exit code {code}")
                return f"exit code 0 after {(time.monotonic() - closed) * 1000:.0f} ms"

            await check("shutdown", shutdown)
    except Exception as error:  # one mode that breaks must not hide the others
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        message = repr(error)

        async def broken():
            raise AssertionError(message)

        await check("connection", broken)


@dataclass
class Server:
    """Where a client finds a server, and how it ended."""

    transport: object
    ended: object


@asynccontextmanager
async def over_stdio(command):
    """The client starts it, through a shell that notes the exit code: the client does not tell it."""
    with tempfile.TemporaryDirectory() as folder:
        status = Path(folder) / "status"

        async def ended():
            # a server that does not end by itself is killed after 2 s, and then the shell notes nothing
            return status.read_text().strip()

        arguments = ["-c", '"$@"; echo $? > "$0"', str(status), *command]
        yield Server(stdio_client(StdioServerParameters(command="/bin/sh", args=arguments)), ended)


@asynccontextmanager
async def over_http(command):
    """It is started before the client, which learns where it listens; it ends when it is interrupted."""
    program, *arguments = command
    process = await anyio.open_process([program, "--http", "127.0.0.1:0", *arguments], stderr=None)
    try:
        url = (await BufferedByteReceiveStream(process.stdout).receive_until(b"\n", 1000)).decode()

        async def ended():
            process.send_signal(signal.SIGINT)
            return str(await process.wait())

        yield Server(streamable_http_client(url), ended)
    finally:
        if process.returncode is None:
            process.kill()
        await process.aclose()


@asynccontextmanager
async def shared(command):
    """Somebody else has started it, for many clients: one server, and one whose lists have small pages."""
    url, paged, *arguments = command

    async def ended():
        return "0"

    yield Server(streamable_http_client(paged if arguments else url), ended)


WAYS = {"stdio": over_stdio, "http": over_http, "shared": shared}


@asynccontextmanager
async def recorded(transport, session):
    """A transport, with a copy of every message in the session."""
    async with transport as (read, write), anyio.create_task_group() as group:
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
            try:
                await sink.send(item)
            except anyio.BrokenResourceError:
                return  # who read it has closed its end, as a client does that is done: a notice may still come


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

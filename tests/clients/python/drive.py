"""Drives the weather example over stdio with the official Python client, in both eras.

Prints one JSON line for each check, {check, ok, detail}; ends with 1 if any failed.
"""

import json
import sys
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

INVALID_PARAMS = -32602

# mode of the client, and the revision that it must agree on with the server
MODES = [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]


@dataclass
class Session:
    """A connected client, and all that went over its streams."""

    client: Client
    sent: list
    received: list


async def main() -> int:
    reports = []
    for mode, version in MODES:
        with tempfile.TemporaryDirectory() as folder:
            await run(mode, version, Path(folder) / "status", reports)
    return 0 if all(reports) else 1


async def run(mode, version, status, reports):
    """Runs all checks in one mode."""
    sent, received = [], []

    async def check(name, body):
        reports.append(await report(f"python {mode}: {name}", body))

    async def revision():
        expect(client.protocol_version == version, f"found {client.protocol_version}, expected {version}")
        return version

    async def shutdown():
        took = time.monotonic() - closed
        # a server that does not end by itself is killed after 2 s, and then the shell notes nothing
        code = status.read_text().strip()
        expect(code == "0", f"exit code {code}")
        return f"exit code 0 after {took * 1000:.0f} ms"

    try:
        async with Client(recorded(server_command(status), sent, received), mode=mode) as client:
            session = Session(client, sent, received)
            await check("negotiated revision", revision)
            for body in (*CHECKS_OF_MODE[mode], *CHECKS):
                await check(body.__doc__, lambda body=body: body(session))
            closed = time.monotonic()
        await check("shutdown", shutdown)
    except Exception as error:  # one mode that breaks must not hide the others
        message = str(error)

        async def broken():
            raise AssertionError(message)

        await check("connection", broken)


async def identity(session):
    """server name and instructions"""
    expect(session.client.server_info.name == "weather", str(session.client.server_info))
    expect("get_weather" in (session.client.instructions or ""), str(session.client.instructions))


async def ping(session):
    """ping"""
    await session.client.send_ping()


async def list_tools(session):
    """list tools"""
    tools = (await session.client.list_tools()).tools
    expect([tool.name for tool in tools] == ["get_weather", "watch_station"], str(tools))
    expect(tools[0].input_schema["type"] == "object" and tools[0].output_schema["type"] == "object", str(tools[0]))
    expect(tools[0].title == "Weather", str(tools[0]))
    return f"{len(tools)} tools"


async def good_call(session):
    """call with structured content"""
    arguments = {"city": "Oslo", "days": 3, "units": "imperial"}
    result = await session.client.call_tool("get_weather", arguments)
    expected = {"city": "Oslo", "temperature": 40.1, "conditions": "rain"}
    expect(not result.is_error and result.structured_content == expected, str(result))
    expect(json.loads(result.content[0].text) == expected, str(result.content))
    expect("next 2 days" in result.content[1].text, str(result.content))


async def plain_call(session):
    """call without optional arguments and output schema"""
    result = await session.client.call_tool("watch_station", {"seconds": 0})
    expect(result.structured_content is None and "watched for 0 seconds" in result.content[0].text, str(result))


async def bad_arguments(session):
    """bad arguments"""
    result = await session.client.call_tool("get_weather", {"city": "Oslo", "days": 99})
    text = result.content[0].text
    expect(result.is_error and "days" in text and "16" in text, text)
    return text


async def unknown_tool(session):
    """unknown tool"""
    try:
        result = await session.client.call_tool("get_wether", {})
    except MCPError as error:
        expect(error.code == INVALID_PARAMS and "get_wether" in error.message, f"{error.code} {error.message}")
        return error.message
    raise AssertionError(f"answered: {result}")


async def tool_error(session):
    """tool error"""
    result = await session.client.call_tool("get_weather", {"city": "Atlantis"})
    text = result.content[0].text
    expect(result.is_error and "no station in `Atlantis`" in text, text)
    return text


async def time_out(session):
    """time-out"""
    start = time.monotonic()
    result = await session.client.call_tool("watch_station", {"seconds": 10})
    took = time.monotonic() - start
    expect(took >= 1.9, f"took {took:.1f} s where the contract says 2 s")
    text = result.content[0].text
    expect(result.is_error and "timed out" in text, text)
    return text


async def progress(session):
    """progress"""
    steps = []

    async def step(done, total, message):
        steps.append((done, total, message))

    await session.client.call_tool("watch_station", {"seconds": 0.5}, progress_callback=step)
    expect(len(steps) > 1, f"{len(steps)} notifications")
    expect(all(a[0] < b[0] for a, b in zip(steps, steps[1:])), f"progress does not increase: {steps}")
    expect(all(step[1:] == (10, "watching") for step in steps), str(steps))
    return f"{len(steps)} notifications"


async def cancellation(session):
    """cancellation"""
    async with anyio.create_task_group() as group:

        async def enough(*_):
            group.cancel_scope.cancel()

        await session.client.call_tool("watch_station", {"seconds": 1.5}, progress_callback=enough)
    calls = [m for m in session.sent if getattr(m, "method", "") == "tools/call"]
    cancelled = calls[-1].id
    following = await session.client.call_tool("get_weather", {"city": "Rome"})
    expect(following.structured_content["city"] == "Rome", str(following))
    named = [m.params["requestId"] for m in session.sent if m.method == "notifications/cancelled"]
    expect(cancelled in named, f"request {cancelled} was not cancelled, but {named}")
    await anyio.sleep(1.7)  # by now an answer would have come
    answers = [m for m in session.received if getattr(m, "id", None) == cancelled]
    expect(not answers, str(answers))
    return f"request {cancelled} was never answered"


# A client that is told its revision asks for nothing else at the start.
CHECKS_OF_MODE = {"legacy": [identity, ping], "auto": [identity], "2026-07-28": []}

CHECKS = [
    list_tools,
    good_call,
    plain_call,
    bad_arguments,
    unknown_tool,
    tool_error,
    time_out,
    progress,
    cancellation,
]


def server_command(status) -> StdioServerParameters:
    """The command line's server, started through a shell that notes the exit code: the client does not tell it."""
    if len(sys.argv) < 2:
        sys.exit("usage: drive.py SERVER [ARGUMENT…]")
    note_exit_code = '"$@"; echo $? > "$0"'
    return StdioServerParameters(command="/bin/sh", args=["-c", note_exit_code, str(status), *sys.argv[1:]])


@asynccontextmanager
async def recorded(server, sent, received):
    """The stdio transport, with a copy of every message in `sent` and `received`."""
    async with stdio_client(server) as (read, write), anyio.create_task_group() as group:
        to_client, from_server = anyio.create_memory_object_stream(0)
        to_server, from_client = anyio.create_memory_object_stream(0)
        group.start_soon(copy, read, to_client, received)
        group.start_soon(copy, from_client, write, sent)
        yield from_server, to_server
        to_server.close()
        group.cancel_scope.cancel()


async def copy(source, sink, seen):
    async with source, sink:
        async for item in source:
            if not isinstance(item, Exception):
                seen.append(item.message)
            await sink.send(item)


async def report(check, body) -> bool:
    try:
        line = {"check": check, "ok": True, "detail": str(await body() or "")}
    except Exception as error:
        line = {"check": check, "ok": False, "detail": str(error) or repr(error)}
    print(json.dumps(line), flush=True)
    return line["ok"]


def expect(condition, complaint):
    if not condition:
        raise AssertionError(complaint)


if __name__ == "__main__":
    sys.exit(anyio.run(main))

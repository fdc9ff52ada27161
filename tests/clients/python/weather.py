"""What the client must find when it drives the weather example."""

import json
import time

import anyio

from harness import expect, rejection, with_session

INVALID_PARAMS = -32602


async def run(failures, mode, server):
    async def checks(session, check):
        for body in (*CHECKS_OF_MODE[mode.name], *CHECKS):
            await check(body.__doc__, lambda body=body: body(session))

    await with_session(failures, mode, server, checks)


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
    error = await rejection(session.client.call_tool("get_wether", {}))
    expect(error.code == INVALID_PARAMS and "get_wether" in error.message, f"{error.code} {error.message}")
    return error.message


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

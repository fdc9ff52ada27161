"""What a tool says while it runs: its progress, and lines for the client's log."""

import mcp_types as types

from harness import equal

LOG_LEVEL = "io.modelcontextprotocol/logLevel"


async def progress_in_steps(session):
    """progress in steps"""
    steps = []

    async def step(*told):
        steps.append(told)

    await session.client.call_tool("test_tool_with_progress", progress_callback=step)
    equal(steps, [(done, 100, f"Completed {done} of 100") for done in (0, 50, 100)])


async def log_messages(session):
    """log messages of the level asked for"""
    lines = ["Tool execution started", "Tool processing data", "Tool execution completed"]
    equal(await logged(session, "info"), [("info", line) for line in lines])
    equal(await logged(session, "warning"), [])


async def no_log_messages(session):
    """no log messages unasked"""
    if session.mode.has_session:
        return "a session has had its level set"
    equal(await logged(session, None), [])


async def logged(session, level):
    """The log messages of one call: sessions set the level once, other requests carry it."""
    before, meta = len(session.heard), None
    if session.mode.has_session:
        await session.client.set_logging_level(level)
    elif level:
        meta = {LOG_LEVEL: level}
    await session.client.call_tool("test_tool_with_logging", meta=meta)
    messages = [one for one in session.heard[before:] if isinstance(one, types.LoggingMessageNotification)]
    return [(message.params.level, message.params.data) for message in messages]


CHECKS = [progress_in_steps, log_messages, no_log_messages]

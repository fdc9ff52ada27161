"""Being told of changes: sessions subscribe to resources and hear of all lists, other clients open a stream."""

import re

import anyio
import mcp_types as types
from mcp.client.subscriptions import ResourceUpdated, ToolsListChanged

from harness import equal, eventually, expect

URI = "test://watched-resource"


async def trigger(session, name):
    result = await session.client.call_tool(name)
    expect(not result.is_error, str(result))


def heard(session, before, kind):
    return [one for one in session.heard[before:] if isinstance(one, kind)]


async def is_updated(session):
    text = (await session.client.read_resource(URI)).contents[0].text
    expect(re.fullmatch(r"Updated [1-9]\d* times\." if session.mode.is_shared else r"Updated 1 times\.", text), text)


async def updates_of_a_session(session):
    """a subscriber hears of updates"""
    before = len(session.heard)
    await session.client.subscribe_resource(URI)
    await trigger(session, "test_trigger_resource_update")
    updated = types.ResourceUpdatedNotification
    update, *others = await eventually(lambda: heard(session, before, updated), "the update")
    equal(str(update.params.uri), URI)
    await is_updated(session)
    await session.client.unsubscribe_resource(URI)
    if session.mode.is_shared:
        return "others update it, too"
    equal(others, [])
    await trigger(session, "test_trigger_resource_update")
    await trigger(session, "test_simple_text")  # what was to come has come before this answer
    equal(len(heard(session, before, updated)), 1)


async def lists_of_a_session(session):
    """changed lists are told"""
    before = len(session.heard)
    await trigger(session, "test_trigger_prompt_change")
    await trigger(session, "test_trigger_tool_change")
    for kind in (types.PromptListChangedNotification, types.ToolListChangedNotification):
        notices = await eventually(lambda kind=kind: heard(session, before, kind), "the notice")
        expect(session.mode.is_shared or len(notices) == 1, f"{len(notices)} notices")


async def updates_on_a_stream(session):
    """a subscriber hears of updates"""
    async with session.client.listen(resource_subscriptions=[URI]) as stream:
        equal(stream.honored.resource_subscriptions, [URI])
        await trigger(session, "test_trigger_resource_update")
        equal(await next_event(stream), ResourceUpdated(uri=URI))
        await is_updated(session)


async def lists_on_a_stream(session):
    """changed lists are told"""
    async with session.client.listen(tools_list_changed=True) as stream:
        expect(stream.honored.tools_list_changed and not stream.honored.prompts_list_changed, str(stream.honored))
        await trigger(session, "test_trigger_prompt_change")
        await trigger(session, "test_trigger_tool_change")
        equal(await next_event(stream), ToolsListChanged())


async def next_event(stream):
    with anyio.fail_after(5):
        return await anext(aiter(stream))


OF_A_SESSION = [updates_of_a_session, lists_of_a_session]
ON_A_STREAM = [updates_on_a_stream, lists_on_a_stream]

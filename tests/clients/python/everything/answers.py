"""What tools answer, and what their schemas say."""

import base64
import json
from pathlib import Path

from harness import equal, expect, plain

EXAMPLE = Path(__file__).parents[4] / "examples/everything"

PIXEL = base64.b64encode((EXAMPLE / "assets/pixel.png").read_bytes()).decode()
SILENCE = base64.b64encode((EXAMPLE / "assets/silence.wav").read_bytes()).decode()

IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}


def text(text):
    return {"type": "text", "text": text}


def resource(uri, mime_type, text):
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}}


async def says(session, name, content, arguments=None):
    result = await session.client.call_tool(name, arguments)
    expect(not result.is_error, str(result))
    equal([plain(block) for block in result.content], content)


async def tools_are_listed(session):
    """tools are listed in their order"""
    tools = (await session.client.list_tools()).tools
    equal(tools[0].name, "test_simple_text")
    expect(all(tool.description and tool.input_schema["type"] == "object" for tool in tools), "a tool says nothing")
    return f"{len(tools)} tools"


async def a_text(session):
    """a text"""
    await says(session, "test_simple_text", [text("This is a simple text response for testing.")])


async def an_image(session):
    """an image"""
    await says(session, "test_image_content", [IMAGE])


async def a_sound(session):
    """a sound"""
    await says(session, "test_audio_content", [{"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}])


async def a_resource(session):
    """a resource"""
    embedded = resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    await says(session, "test_embedded_resource", [embedded])


async def several_blocks(session):
    """several blocks"""
    embedded = resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    await says(session, "test_multiple_content_types", [text("Multiple content types test:"), IMAGE, embedded])


async def an_error(session):
    """an error"""
    result = await session.client.call_tool("test_error_handling")
    said = result.content[0].text
    expect(result.is_error and said.startswith("This tool intentionally returns an error for testing"), said)
    return said


async def a_verbatim_schema(session):
    """a schema goes out as it was written"""
    tools = (await session.client.list_tools()).tools
    listed = next(tool for tool in tools if tool.name == "json_schema_2020_12_tool")
    equal(listed.input_schema, json.loads((EXAMPLE / "specs/contact.schema.json").read_text()))


async def a_kept_schema(session):
    """a schema is kept"""
    name = "json_schema_2020_12_tool"
    good = {"name": "Ada", "contactMethod": "phone", "phone": "1"}
    await says(session, name, [text("Ada is reached by 1")], good)
    for bad in ({"contactMethod": "phone", "email": "a@b"}, {"phone": "1"}, {"email": "a@b", "more": 1}):
        result = await session.client.call_tool(name, bad)
        expect(result.is_error, f"accepted {bad}")


async def an_argument_in_a_header(session):
    """an argument that is a header over HTTP"""
    tools = (await session.client.list_tools()).tools
    listed = next(tool for tool in tools if tool.name == "test_custom_header")
    equal(listed.input_schema["properties"]["value"]["x-mcp-header"], "Value")
    await says(session, "test_custom_header", [text("Grüße")], {"value": "Grüße"})


CHECKS = [
    tools_are_listed,
    a_text,
    an_image,
    a_sound,
    a_resource,
    several_blocks,
    an_error,
    a_verbatim_schema,
    a_kept_schema,
    an_argument_in_a_header,
]

"""Resources, templates, and completing a template's variable."""

import json

import mcp_types as types

from everything.answers import PIXEL
from harness import equal, expect, plain, rejection


async def reads(session, uri, content):
    result = await session.client.read_resource(uri)
    equal([plain(part) for part in result.contents], [{"uri": uri, **content}])


def data(ident):
    value = {"id": ident, "templateTest": True, "data": f"Data for ID: {ident}"}
    return {"mimeType": "application/json", "text": json.dumps(value, separators=(",", ":"))}


async def resources_are_listed(session):
    """resources are listed"""
    resources = (await session.client.list_resources()).resources
    found = [(str(resource.uri), resource.name, resource.mime_type) for resource in resources]
    equal(
        found,
        [
            ("test://static-text", "static-text", "text/plain"),
            ("test://static-binary", "static-binary", "image/png"),
            ("test://watched-resource", "watched-resource", "text/plain"),
        ],
    )
    equal(resources[0].title, "Static text")


async def a_text_is_read(session):
    """a text is read"""
    text = "This is the content of the static text resource."
    await reads(session, "test://static-text", {"mimeType": "text/plain", "text": text})


async def bytes_are_read(session):
    """bytes are read"""
    await reads(session, "test://static-binary", {"mimeType": "image/png", "blob": PIXEL})


async def templates_are_listed(session):
    """templates are listed"""
    templates = (await session.client.list_resource_templates()).resource_templates
    found = [(template.uri_template, template.name) for template in templates]
    equal(found, [("test://template/{id}/data", "template-data")])


async def a_template_is_read(session):
    """a template is read"""
    await reads(session, "test://template/123/data", data("123"))


async def a_variable_is_decoded_once(session):
    """a variable is decoded once"""
    await reads(session, "test://template/a%20b%2525/data", data("a b%25"))


async def an_unknown_resource(session):
    """an unknown resource"""
    error = await rejection(session.client.read_resource("test://nowhere"))
    equal(error.code, -32002 if session.mode.has_session else -32602)
    equal(error.data, {"uri": "test://nowhere"})
    expect("test://nowhere" in error.message, error.message)
    return error.message


async def a_variable_is_completed(session):
    """a variable is completed"""
    ref = types.ResourceTemplateReference(type="ref/resource", uri="test://template/{id}/data")
    some = (await session.client.complete(ref, {"name": "id", "value": "14"})).completion
    equal(some.values[:3], ["14", "140", "141"])
    every = (await session.client.complete(ref, {"name": "id", "value": ""})).completion
    equal((len(every.values), every.values[99], every.total, every.has_more), (100, "100", 150, True))


CHECKS = [
    resources_are_listed,
    a_text_is_read,
    bytes_are_read,
    templates_are_listed,
    a_template_is_read,
    a_variable_is_decoded_once,
    an_unknown_resource,
    a_variable_is_completed,
]

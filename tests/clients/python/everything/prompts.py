"""Prompts, and completing their arguments."""

import mcp_types as types

from everything.answers import IMAGE, resource, text
from harness import equal, expect, plain, rejection


async def renders(session, name, arguments, contents):
    result = await session.client.get_prompt(name, arguments)
    equal([(message.role, plain(message.content)) for message in result.messages], [("user", one) for one in contents])


async def completes(session, name, value, arguments=None):
    ref = types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
    result = await session.client.complete(ref, {"name": name, "value": value}, context_arguments=arguments)
    return result.completion.values


async def prompts_are_listed(session):
    """prompts are listed"""
    prompts = (await session.client.list_prompts()).prompts
    equal(
        [prompt.name for prompt in prompts],
        [
            "test_simple_prompt",
            "test_prompt_with_arguments",
            "test_prompt_with_embedded_resource",
            "test_prompt_with_image",
            "test_input_required_result_prompt",
        ],
    )
    equal(
        [plain(argument) for argument in prompts[1].arguments],
        [
            {"name": "arg1", "description": "Completed from a fixed list", "required": True},
            {"name": "arg2", "description": "Completed by a method, which knows the first", "required": True},
        ],
    )


async def a_prompt_without_arguments(session):
    """a prompt without arguments"""
    await renders(session, "test_simple_prompt", None, [text("This is a simple prompt for testing.")])


async def a_prompt_with_arguments(session):
    """a prompt with arguments"""
    rendered = """Prompt with arguments: arg1='one', arg2='{{arg1}} "two"'"""
    arguments = {"arg1": "one", "arg2": '{{arg1}} "two"'}
    await renders(session, "test_prompt_with_arguments", arguments, [text(rendered)])


async def a_prompt_with_a_resource(session):
    """a prompt with a resource"""
    embedded = resource("test://a", "text/plain", "Embedded resource content for testing.")
    request = text("Please process the embedded resource above.")
    await renders(session, "test_prompt_with_embedded_resource", {"resourceUri": "test://a"}, [embedded, request])


async def a_prompt_with_an_image(session):
    """a prompt with an image"""
    await renders(session, "test_prompt_with_image", None, [IMAGE, text("Please analyze the image above.")])


async def a_missing_argument(session):
    """a missing argument"""
    error = await rejection(session.client.get_prompt("test_prompt_with_arguments", {"arg1": "one"}))
    expect(error.code == -32602 and "arg2" in error.message, f"{error.code} {error.message}")
    return error.message


async def an_unknown_prompt(session):
    """an unknown prompt"""
    error = await rejection(session.client.get_prompt("test_prompt"))
    expect(error.code == -32602 and "test_prompt" in error.message, f"{error.code} {error.message}")
    return error.message


async def completed_from_values(session):
    """an argument is completed from its values"""
    equal(await completes(session, "arg1", "test"), ["test", "testing", "tested"])
    equal(await completes(session, "arg1", "teste"), ["tested"])
    equal(await completes(session, "arg1", "x"), [])


async def completed_by_context(session):
    """an argument is completed by what stands already"""
    equal(await completes(session, "arg2", "be", {"arg1": "lunch"}), ["before lunch", "beside lunch"])


CHECKS = [
    prompts_are_listed,
    a_prompt_without_arguments,
    a_prompt_with_arguments,
    a_prompt_with_a_resource,
    a_prompt_with_an_image,
    a_missing_argument,
    an_unknown_prompt,
    completed_from_values,
    completed_by_context,
]

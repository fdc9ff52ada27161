"""Tools that ask the client: its user by forms and pages, its model, its folders."""

import json

import anyio

from everything.answers import text
from everything.host import accept, ask, refuse
from harness import equal, eventually, expect, plain, rejection

ACCOUNT = {
    "type": "object",
    "properties": {
        "username": {"type": "string", "description": "The user's name"},
        "email": {"type": "string", "description": "The user's address", "format": "email"},
    },
    "required": ["username", "email"],
}


def written(content):
    return json.dumps(content, separators=(",", ":"))


async def a_form_is_filled_in(session):
    """a form is filled in"""
    content = {"username": "ada", "email": "ada@example.com"}
    said, (question,) = await ask(session, "test_elicitation", {"message": "Who?"}, accept(content))
    equal((question.message, question.requested_schema), ("Who?", ACCOUNT))
    equal(said, f"User response: action=accept, content={written(content)}")


async def a_form_is_refused(session):
    """a form is declined, and closed"""
    for action in ("decline", "cancel"):
        said, _ = await ask(session, "test_elicitation", {"message": "Who?"}, refuse(action))
        equal(said, f"User response: action={action}, content={{}}")


async def a_form_has_defaults(session):
    """a form has defaults"""
    said, (question,) = await ask(session, "test_elicitation_sep1034_defaults", {}, accept({"age": 31}))
    equal(
        question.requested_schema["properties"],
        {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": True},
        },
    )
    filled = {"name": "John Doe", "age": 31, "score": 95.5, "status": "active", "verified": True}
    equal(said, f"Elicitation completed: action=accept, content={written(filled)}")


async def a_form_has_choices(session):
    """a form has choices of every kind"""
    content = {
        "untitledSingle": "option1",
        "titledSingle": "value2",
        "legacyEnum": "opt3",
        "untitledMulti": ["option1", "option3"],
        "titledMulti": ["value3"],
    }
    said, (question,) = await ask(session, "test_elicitation_sep1330_enums", {}, accept(content))
    options = ["option1", "option2", "option3"]

    def titled(kind):
        places = enumerate(["First", "Second", "Third"], 1)
        return [{"const": f"value{number}", "title": f"{place} {kind}"} for number, place in places]

    equal(
        question.requested_schema["properties"],
        {
            "untitledSingle": {"type": "string", "enum": options},
            "titledSingle": {"type": "string", "oneOf": titled("Option")},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
        },
    )
    equal(said, f"Elicitation completed: action=accept, content={written(content)}")


async def a_page_is_opened(session):
    """a page is opened"""
    said, (question,) = await ask(session, "test_elicitation_url", {}, accept())
    expected = ("url", "Sign in on this page, please.", "https://example.com/sign-in")
    equal((question.mode, question.message, question.url), expected)
    equal(said, "User response: accept")


async def the_model_is_asked(session):
    """the model is asked"""
    said, (question,) = await ask(session, "test_sampling", {"prompt": "Hello"})
    messages = [plain(message) for message in question.messages]
    equal((messages, question.max_tokens), ([{"role": "user", "content": text("Hello")}], 100))
    equal(said, "LLM response: You said: Hello")


async def the_folders_are_asked_for(session):
    """the folders are asked for"""
    said, _ = await ask(session, "test_list_roots", {})
    equal(said, "Home: file:///home/ada\n(no name): file:///tmp")


async def progress_beside_a_question(session):
    """progress is told beside a question"""
    steps = []

    async def step(done, _, message):
        steps.append((done, message))

    session.host.replies = [refuse("decline")]
    await session.client.call_tool("test_streaming_elicitation", {}, progress_callback=step)
    equal((steps[0], steps[-1]), ((1, "asking the user"), (2, "asked the user")))


async def a_question_is_taken_back(session):
    """who gives a call up takes its question back"""
    if not session.mode.has_session:
        return "not without a session"
    ended = anyio.Event()

    async def think(*_):
        group.cancel_scope.cancel()
        try:
            await anyio.sleep(60)
        finally:
            ended.set()

    answer, session.host.elicit_by = session.host.elicit_by, think
    async with anyio.create_task_group() as group:
        await session.client.call_tool("test_elicitation", {"message": "Who?"})
    session.host.elicit_by = answer
    await eventually(ended.is_set, "the end of the question")


async def nobody_is_asked(session):
    """nobody is asked who cannot answer"""
    for name, capability in (
        ("test_missing_capability", {"sampling": {}}),
        ("test_list_roots", {"roots": {}}),
        ("test_elicitation_url", {"elicitation": {"url": {}}}),
        ("test_streaming_elicitation", {"elicitation": {"form": {}}}),
    ):
        if session.mode.has_session:
            result = await session.client.call_tool(name)
            said = result.content[0].text
            expect(result.is_error and "does not have the capability" in said, said)
        else:
            error = await rejection(session.client.call_tool(name))
            equal((error.code, error.data), (-32021, {"requiredCapabilities": capability}))


async def a_tool_does_without(session):
    """a tool does without what the client lacks"""
    result = await session.client.call_tool("test_input_required_result_capabilities")
    equal([plain(block) for block in result.content], [text("That is all that the client can be asked.")])


CHECKS = [
    a_form_is_filled_in,
    a_form_is_refused,
    a_form_has_defaults,
    a_form_has_choices,
    a_page_is_opened,
    the_model_is_asked,
    the_folders_are_asked_for,
    progress_beside_a_question,
    a_question_is_taken_back,
]

# For a client that declares nothing.
CHECKS_WITHOUT_ANSWERS = [nobody_is_asked, a_tool_does_without]

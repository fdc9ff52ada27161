"""Questions that make rounds for a client without a session. The client does not know it either: it is asked, and in
the end there is an answer."""

from everything.answers import text
from everything.host import accept, ask, refuse
from harness import equal, plain

FOLDERS = "Home: file:///home/ada\n(no name): file:///tmp"


async def answers(session, tool, expected, *replies):
    said, _ = await ask(session, f"test_input_required_result_{tool}", {}, *replies)
    equal(said, expected)


async def a_name(session):
    """a name is asked for"""
    await answers(session, "elicitation", "Hello, Ada!", accept({"name": "Ada"}))


async def a_model(session):
    """a model is asked"""
    await answers(session, "sampling", "You said: What is the capital of France?")


async def folders(session):
    """folders are asked for"""
    await answers(session, "list_roots", FOLDERS)


async def a_state(session):
    """a state is kept"""
    await answers(session, "request_state", "state-ok, confirmed: true", accept({"ok": True}))


async def three_at_once(session):
    """three are asked at once"""
    expected = f"You said: Generate a greeting Ada works in {FOLDERS}"
    await answers(session, "multiple_inputs", expected, accept({"name": "Ada"}))


async def one_after_the_other(session):
    """one thing is asked after the other"""
    replies = accept({"name": "Ada"}), accept({"color": "green"})
    said, questions = await ask(session, "test_input_required_result_multi_round", {}, *replies)
    equal(said, "Ada likes green")
    messages = ["Step 1: What is your name?", "Step 2: What is your favorite color?"]
    equal([question.message for question in questions], messages)


async def what_it_can_answer(session):
    """a client is asked what it can answer"""
    expected = "You said: Generate a greeting\nconfirmed: false\nThat is all that the client can be asked."
    await answers(session, "capabilities", expected, refuse("cancel"))


async def a_prompt(session):
    """a prompt asks"""
    session.host.replies = [accept({"context": "a rainy day"})]
    result = await session.client.get_prompt("test_input_required_result_prompt")
    contents = [plain(message.content) for message in result.messages]
    equal(contents, [text("Use this context: a rainy day")])


CHECKS = [a_name, a_model, folders, a_state, three_at_once, one_after_the_other, what_it_can_answer, a_prompt]

"""A client that can be asked everything. What it was asked is kept; what its user answers, a check can change."""

import mcp_types as types

ROOTS = [types.Root(uri="file:///home/ada", name="Home"), types.Root(uri="file:///tmp")]


class Host:
    def __init__(self):
        self.questions = []
        self.replies = []
        self.elicit_by = self.reply

    def callbacks(self):
        return {
            "elicitation_callback": self.elicit,
            "sampling_callback": self.sample,
            "list_roots_callback": self.list_roots,
        }

    async def elicit(self, _, params):
        self.questions.append(params)
        return await self.elicit_by(params)

    async def reply(self, _):
        return self.replies.pop(0)

    async def sample(self, _, params):
        self.questions.append(params)
        content = params.messages[0].content
        said = (content[0] if isinstance(content, list) else content).text
        text = types.TextContent(type="text", text=f"You said: {said}")
        return types.CreateMessageResult(role="assistant", model="test-model", stop_reason="endTurn", content=text)

    async def list_roots(self, _):
        return types.ListRootsResult(roots=ROOTS)


def accept(content=None):
    return types.ElicitResult(action="accept", content=content)


def refuse(action):
    return types.ElicitResult(action=action)


async def ask(session, name, arguments, *replies):
    """Calls a tool, with a user who answers so: what it said, and what it asked on the way."""
    host = session.host
    before = len(host.questions)
    host.replies = list(replies)
    result = await session.client.call_tool(name, arguments)
    text = "\n".join(block.text for block in result.content)
    if result.is_error:
        raise AssertionError(text)
    return text, host.questions[before:]

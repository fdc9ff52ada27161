"""Lists that come in pages of four."""

from harness import equal, rejection


async def pages_make_up_the_list(session):
    """pages make up the whole list"""
    names, sizes, cursor = [], [], None
    while True:
        page = await session.client.list_tools(cursor=cursor)
        names += [tool.name for tool in page.tools]
        sizes.append(len(page.tools))
        cursor = page.next_cursor
        if not cursor:
            break
    equal(sizes, [4] * (len(sizes) - 1) + [len(names) % 4 or 4])
    equal(len(set(names)), len(names))
    return f"{len(names)} tools on {len(sizes)} pages"


async def an_unknown_cursor(session):
    """a cursor that nobody gave"""
    error = await rejection(session.client.list_prompts(cursor="nowhere"))
    equal(error.code, -32602)


CHECKS = [pages_make_up_the_list, an_unknown_cursor]

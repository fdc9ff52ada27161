"""What the client must find when it drives the everything example: all that a server can do, by subject."""

from everything import answers, asking, changes, pages, prompts, resources, rounds, telling
from everything.host import Host
from harness import with_session

SUBJECTS = [answers, resources, prompts, telling, asking, rounds]
CHECKS = [body for subject in SUBJECTS for body in subject.CHECKS]


async def run(failures, mode, server):
    host = Host()

    async def all_subjects(session, check):
        session.host = host
        told = changes.OF_A_SESSION if mode.has_session else changes.ON_A_STREAM
        for body in (*CHECKS, *told):
            await check(body.__doc__, lambda body=body: body(session))

    async def on_pages(session, check):
        for body in (*pages.CHECKS, *asking.CHECKS_WITHOUT_ANSWERS):
            await check(body.__doc__, lambda body=body: body(session))

    await with_session(failures, mode, server, all_subjects, **host.callbacks())
    await with_session(failures, mode, [*server, "--page-size", "4"], on_pages)

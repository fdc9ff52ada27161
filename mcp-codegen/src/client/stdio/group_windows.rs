//! A process and all that it started, on Windows: a job.

use std::ffi::OsStr;
use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap, JobObject};

pub(super) struct Group(Box<dyn ChildWrapper>);

impl Group {
    /// What a program of this name is started as: `npx` is a script here, `npx.cmd`.
    pub(super) fn command(program: &OsStr) -> Command {
        which::which(program).map_or_else(|_| Command::new(program), Command::new)
    }

    /// Starts the process in a job, so that what it starts can be found.
    pub(super) fn start(command: Command) -> io::Result<Self> {
        CommandWrap::from(command).wrap(JobObject).spawn().map(Self)
    }

    pub(super) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.0.stdin().take()?, self.0.stdout().take()?, self.0.stderr().take()?))
    }

    /// Waits for the process to end.
    pub(super) fn wait(&mut self, deadline: Instant) {
        while let Ok(None) = self.status() {
            if Instant::now() >= deadline {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// How the process ended, if it has.
    pub(super) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        self.0.inner_mut().try_wait()
    }

    /// Ends the job. There is no way to ask for it.
    pub(super) fn end(&mut self, _: Duration) {
        let _ = self.0.start_kill();
        let _ = self.0.inner_mut().wait();
    }
}

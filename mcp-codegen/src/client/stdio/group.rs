//! A process and all that it started, on Unix: a process group.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

pub(super) struct Group(Child);

impl Group {
    /// What a program of this name is started as.
    pub(super) fn command(program: &OsStr) -> Command {
        Command::new(program)
    }

    /// Starts the process as the leader of a group, so that what it starts can be found.
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        command.process_group(0).spawn().map(Self)
    }

    pub(super) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.0.stdin.take()?, self.0.stdout.take()?, self.0.stderr.take()?))
    }

    /// Waits for the process to end, and leaves it to be reaped: until then nobody else can have its number.
    pub(super) fn wait(&mut self, deadline: Instant) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        while let Ok(None) = waitid(WaitId::Pid(Pid::from_child(&self.0)), options) {
            if Instant::now() >= deadline {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// How the process ended, if it has.
    pub(super) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        self.0.try_wait()
    }

    /// Ends the group: first by asking.
    pub(super) fn end(&mut self, grace: Duration) {
        let group = Pid::from_child(&self.0);
        // It may have ended by itself, with all that it had started.
        if kill_process_group(group, Signal::TERM).is_ok() {
            self.wait(Instant::now() + grace);
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

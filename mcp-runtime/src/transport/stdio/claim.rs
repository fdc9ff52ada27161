//! Taking over descriptors 0 and 1 on Unix.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat};
use tokio::net::unix::pipe;

use super::pump;
use crate::serve::{Input, Output};

/// The two streams, taken from the process.
#[derive(Debug)]
pub(super) struct Claimed {
    input: Stream,
    output: Stream,
}

/// One stream, and whether the async runtime can wait for it.
#[derive(Debug)]
enum Stream {
    /// A pipe that was opened again.
    Pipe(File),
    Other(File),
}

impl Claimed {
    /// Takes the streams and leads the process's own descriptors elsewhere.
    pub(super) fn take() -> io::Result<Self> {
        let input = Stream::take(io::stdin().as_fd().try_clone_to_owned()?, "/proc/self/fd/0", true);
        let output = Stream::take(io::stdout().as_fd().try_clone_to_owned()?, "/proc/self/fd/1", false);
        let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdin(&nothing)?;
        // where standard error is closed there is no better place than nowhere
        rustix::stdio::dup2_stdout(io::stderr().as_fd()).or_else(|_| rustix::stdio::dup2_stdout(&nothing))?;
        Ok(Self { input, output })
    }

    pub(super) fn open(self) -> io::Result<(Input, Output)> {
        let input: Input = match self.input {
            Stream::Pipe(file) => Box::new(pipe::Receiver::from_file(file)?),
            Stream::Other(file) => Box::new(pump::reader(file)?),
        };
        let output: Output = match self.output {
            Stream::Pipe(file) => Box::new(pipe::Sender::from_file(file)?),
            Stream::Other(file) => Box::new(pump::writer(file)),
        };
        Ok((input, output))
    }
}

impl Stream {
    fn take(owned: OwnedFd, path: &str, read: bool) -> Self {
        let is_pipe = fstat(&owned).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo);
        // a pipe of another user, or a system without /proc, cannot be opened again
        let again = is_pipe.then(|| reopen(path, read)).and_then(Result::ok);
        again.map_or_else(
            || {
                // our threads wait in read and write; where the flag cannot be changed, they find out
                let _ = fcntl_getfl(&owned).and_then(|flags| fcntl_setfl(&owned, flags - OFlags::NONBLOCK));
                Self::Other(File::from(owned))
            },
            Self::Pipe,
        )
    }
}

/// A new description of the same pipe: its flags are ours alone.
fn reopen(path: &str, read: bool) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let nonblocking = i32::try_from(OFlags::NONBLOCK.bits()).map_err(io::Error::other)?;
    OpenOptions::new().read(read).write(!read).custom_flags(nonblocking).open(path)
}

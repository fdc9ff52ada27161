//! Standard input and output, without a thread for each read where the platform allows it.
//!
//! | what the stream is | how it is served |
//! | --- | --- |
//! | a pipe on Linux | opened again, so that not blocking is ours alone and no other holder of the pipe notices |
//! | anything else (a file, a terminal, a socket, another system) | by a thread that reads, and tokio's file writer |
//!
//! After that, descriptors 0 and 1 of the process lead elsewhere: input to nothing, output to standard error. So a
//! stray `println!` cannot break the stream, children do not hold it open, and the client's end of file arrives.
//! Not on Windows, where leading them elsewhere takes a call that Rust cannot prove safe.

#[cfg(unix)]
mod claim;
#[cfg(not(unix))]
#[path = "stdio/claim_portable.rs"]
mod claim;
mod pump;

use std::io;
use std::sync::Mutex;

use self::claim::Claimed;
use crate::lock::lock;
use crate::serve::{Input, Output};

/// The streams, from the claim until a server takes them.
static CLAIMED: Mutex<Option<Claimed>> = Mutex::new(None);

/// Takes the process's standard input and output for the protocol. From here on `println!` writes to standard error; on
/// Windows it still writes to the client, so a server that is to run there prints nothing.
///
/// Call it as the first line of `main`, where anything might print before the server serves;
/// [`serve_stdio`](crate::Server::serve_stdio) does it otherwise. A second call does nothing.
///
/// # Errors
///
/// Fails if the streams are closed, or the system refuses to duplicate them.
pub fn claim_stdio() -> io::Result<()> {
    let mut claimed = lock(&CLAIMED);
    if claimed.is_none() {
        *claimed = Some(Claimed::take()?);
    }
    Ok(())
}

/// The claimed streams as async ones. Must run inside a tokio runtime.
pub(crate) fn open() -> io::Result<(Input, Output)> {
    claim_stdio()?;
    let claimed = lock(&CLAIMED).take();
    claimed.ok_or_else(|| io::Error::other("another server serves the standard streams"))?.open()
}

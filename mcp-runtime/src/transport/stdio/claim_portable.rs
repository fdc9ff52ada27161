//! The standard streams where descriptors cannot be led elsewhere.

use std::io;

use super::pump;
use crate::serve::{Input, Output};

/// The two streams. The process's own `println!` still reaches the client here.
#[derive(Debug)]
pub(super) struct Claimed(());

impl Claimed {
    #[expect(clippy::unnecessary_wraps, reason = "the same signature as on Unix")]
    pub(super) fn take() -> io::Result<Self> {
        Ok(Self(()))
    }

    #[expect(clippy::unused_self, reason = "the same signature as on Unix")]
    pub(super) fn open(self) -> io::Result<(Input, Output)> {
        Ok((Box::new(pump::reader(io::stdin())?), Box::new(tokio::io::stdout())))
    }
}

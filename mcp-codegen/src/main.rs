//! The command line: parse, run, print, exit code.

mod cli;
mod scaffold;

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::iter;
use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

use self::cli::{Cli, Outcome};

/// Generating is many small texts on several threads, which this keeps apart better than most systems do.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match Cli::parse_from(cli::arguments(env::args_os())).run() {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) => {
            // Nobody can be told that standard error is closed.
            let _ = writeln!(io::stderr(), "error: {}", with_causes(&*error));
            ExitCode::from(2)
        }
    }
}

/// The error and what it came from, on one line.
fn with_causes(error: &dyn Error) -> String {
    let causes = iter::successors(error.source(), |&error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

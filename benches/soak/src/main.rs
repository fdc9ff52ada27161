//! Soaks a server: many requests of every kind, faults mixed in at random, every answer checked, its memory watched.
//!
//! `bench-soak stdio|http REQUESTS [SEED]`; exits with 1 if an answer was lost. benches/README.md has figures.

mod api {
    mcp_runtime::include_service!("soak");
}
mod request;
mod server;
mod stdio;
mod tally;
mod web;

use std::process::ExitCode;
use std::time::Instant;

/// How a soak can end badly.
type Fallible<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[expect(clippy::print_stderr, reason = "where an error of the command line belongs")]
fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let number = |text: Option<&&str>| text.and_then(|text| text.parse::<u64>().ok());
    let ran = match (arguments.first().copied(), number(arguments.get(1))) {
        (Some("serve-stdio"), _) => runtime.block_on(server::serve(false)).map(|()| true).map_err(Into::into),
        (Some("serve-http"), _) => runtime.block_on(server::serve(true)).map(|()| true).map_err(Into::into),
        (Some(transport @ ("stdio" | "http")), Some(total)) => {
            let seed = number(arguments.get(2)).unwrap_or(1);
            runtime.block_on(soak(transport, total, seed))
        }
        _ => Err("usage: bench-soak stdio|http REQUESTS [SEED]".into()),
    };
    match ran {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

async fn soak(transport: &str, total: u64, seed: u64) -> Fallible<bool> {
    let begun = Instant::now();
    let rng = fastrand::Rng::with_seed(seed);
    let tally = if transport == "http" { web::soak(total, rng).await? } else { stdio::soak(total, rng).await? };
    Ok(tally.report(transport, begun.elapsed().as_secs_f64()))
}

//! `mock`: serves a contract from its examples.

use std::error::Error;
use std::future::pending;

use mcp_codegen::mock::{self, Mock, Request};
use mcp_codegen::{Config, load};
use mcp_runtime::Server;
use mcp_runtime::listener::{Listener, Refused, Repaired, ToolErrorEvent};
use tokio::net::TcpListener;

use super::console::{self, View};
use super::{Format, MockArgs, Outcome, contract};

/// Longer arguments are cut where they are shown.
const MOST_SHOWN: usize = 500;

pub(super) fn run(args: &MockArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    let sources = load::load(&args.contract.specs)?;
    let (found, made) = match mock::mock(&sources, &contract::named(&args.contract, Config::new())) {
        Ok(mocked) => (mocked.warnings, Some(mocked.mock)),
        Err(found) => (found, None),
    };
    let outcome = view.outcome(&found);
    let Some(mock) = made.filter(|_| outcome == Outcome::Fine) else {
        view.report(&found, &sources)?;
        return Ok(outcome);
    };
    // Once it serves, standard output belongs to the protocol.
    if view.format == Format::Human {
        view.report(&found, &sources)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(serve(mock, args))?;
    Ok(Outcome::Fine)
}

async fn serve(mock: Mock, args: &MockArgs) -> Result<(), Box<dyn Error>> {
    let mut server = if args.quiet {
        Server::new(mock)
    } else {
        Server::new(mock.on_request(|request| say(&line(request)))).listener(Talk)
    };
    if !args.only.is_empty() {
        server = server.only(args.only.iter().cloned());
    }
    let Some(address) = &args.http else { return Ok(server.serve_stdio().await?) };
    let listener =
        TcpListener::bind(address).await.map_err(|error| format!("cannot listen on `{address}`: {error}"))?;
    if !listener.local_addr()?.ip().is_loopback() {
        return Err(format!(
            "`{address}` can be reached from elsewhere, and a mock asks nobody who they are: serve on `127.0.0.1`"
        )
        .into());
    }
    if !args.quiet {
        console::talk(&format!("serving at http://{}/mcp; end with Ctrl-C", listener.local_addr()?))?;
    }
    let told_to_end = async {
        if tokio::signal::ctrl_c().await.is_err() {
            pending::<()>().await;
        }
    };
    Ok(server.http().shutdown(told_to_end).serve_on(listener).await?)
}

/// One line for a request, and where its answer comes from.
fn line(request: &Request<'_>) -> String {
    let arguments = request.arguments.map(|arguments| format!(" {}", shortened(arguments))).unwrap_or_default();
    format!("{} {}{arguments}: {}", request.method, shortened(request.name), request.answer)
}

/// As much of a text as a line holds, without what could be taken for another line.
fn shortened(text: &str) -> String {
    let one_line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST_SHOWN + 1).collect();
    match one_line.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}

/// What is refused or mended never reaches the mock as it was.
struct Talk;

impl Listener for Talk {
    fn tool_error(&self, event: &ToolErrorEvent) {
        say(&shortened(&event.to_string()));
    }

    fn repaired(&self, event: &Repaired) {
        for change in &event.changes {
            let place = if change.pointer.is_empty() { "the arguments" } else { &change.pointer };
            say(&shortened(&format!("tools/call {}: mended {place}: {}", event.tool, change.what)));
        }
    }

    fn refused(&self, event: &Refused) {
        say(&shortened(&format!("{}: refused: {}", event.method, event.message)));
    }
}

fn say(line: &str) {
    // Nobody can be told that standard error is closed.
    let _ = console::talk(line);
}

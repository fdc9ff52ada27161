//! A server over standard input and output: many requests in flight, in both eras on one stream.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fastrand::Rng;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Fallible;
use crate::request::{Expected, Request, cancel, initialize};
use crate::tally::Tally;

/// Requests in flight.
const WINDOW: usize = 128;

/// A request that is unanswered.
struct Sent {
    expected: Expected,
    _place: OwnedSemaphorePermit,
}

/// What both directions know: the unanswered requests, those that were given up, whose answer may come or not, and the
/// broken lines whose errors have not come yet.
#[derive(Default)]
struct Open {
    requests: HashMap<u64, Sent>,
    cancelled: HashMap<u64, Expected>,
    broken: usize,
}

pub(crate) async fn soak(total: u64, rng: Rng) -> Fallible<Tally> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("serve-stdio").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = command.spawn()?;
    let tally = Tally::new(total, server.id().ok_or("it has ended")?);
    let (input, output) = (server.stdin.take().ok_or("no input")?, server.stdout.take().ok_or("no output")?);
    let open = Arc::new(Mutex::new(Open::default()));
    let (said, heard) = tokio::join!(
        say(&tally, (&open, rng.clone()), input),
        hear(&tally, (&open, rng), BufReader::new(output).lines()),
    );
    said?;
    heard?;
    let (unanswered, broken) = {
        let open = open.lock().expect("no panic");
        tally.given_up.fetch_add(open.cancelled.len() as u64, Ordering::Relaxed);
        (open.requests.len(), open.broken)
    };
    if unanswered + broken > 0 {
        return Err(format!("{unanswered} requests and {broken} broken lines are unanswered").into());
    }
    match server.wait().await?.code() {
        Some(0) => Ok(tally),
        code => Err(format!("the server ended with {code:?}").into()),
    }
}

async fn say(tally: &Tally, (open, mut rng): (&Mutex<Open>, Rng), mut input: ChildStdin) -> Fallible {
    let places = Arc::new(Semaphore::new(WINDOW));
    let mut out = format!("{}\n", initialize()).into_bytes();
    let mut napping = None;
    while let Some(id) = tally.next() {
        if places.available_permits() == 0 {
            input.write_all(&std::mem::take(&mut out)).await?;
        }
        let place = Arc::clone(&places).acquire_owned().await?;
        let request = Request::random(&mut rng);
        out.extend_from_slice(format!("{}\n", request.message(id, rng.bool())).as_bytes());
        if request.params["name"] == "nap" {
            napping = Some(id);
        }
        let sent = Sent { expected: request.expected, _place: place };
        open.lock().expect("no panic").requests.insert(id, sent);
        if rng.u32(..100) < 5 {
            fault(tally, open, (&mut rng, napping), &mut out);
        }
        if rng.u32(..100) < 30 {
            // lines are cut anywhere
            let cut = rng.usize(..=out.len());
            input.write_all(&out[..cut]).await?;
            out.drain(..cut);
        }
    }
    input.write_all(&out).await?;
    Ok(())
}

/// Something that is no request, or gives one up.
fn fault(tally: &Tally, open: &Mutex<Open>, (rng, napping): (&mut Rng, Option<u64>), out: &mut Vec<u8>) {
    tally.faults.fetch_add(1, Ordering::Relaxed);
    let mut open = open.lock().expect("no panic");
    let broken: &[u8] = match rng.u32(..6) {
        0 => b"{\"jsonrpc\":\"2.0\",\"id\":",
        1 => b"\xff\xfe{",
        2 => b"[]",
        3 => b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard_of\"}",
        4 => b"{\"jsonrpc\":\"2.0\",\"id\":\"never asked\",\"result\":{}}",
        _ => {
            if let Some((id, sent)) = napping.and_then(|id| Some((id, open.requests.remove(&id)?))) {
                open.cancelled.insert(id, sent.expected);
                out.extend_from_slice(format!("{}\n", cancel(id)).as_bytes());
            }
            return;
        }
    };
    let is_message = broken.starts_with(b"{\"jsonrpc\"") && broken.ends_with(b"}");
    open.broken += usize::from(!is_message);
    out.extend_from_slice(broken);
    out.push(b'\n');
}

async fn hear(
    tally: &Tally,
    (open, mut rng): (&Mutex<Open>, Rng),
    mut lines: Lines<BufReader<ChildStdout>>,
) -> Fallible {
    while let Some(line) = lines.next_line().await? {
        if rng.u32(..20_000) == 0 {
            // long enough for the pipe to fill
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        let message: Value = serde_json::from_str(&line)?;
        let mut open = open.lock().expect("no panic");
        match message["id"].as_u64() {
            // the answer to `initialize`, or a notice
            Some(0) => {}
            None if message["method"].is_string() => {}
            None => open.broken = open.broken.checked_sub(1).ok_or_else(|| format!("nobody asked: {line}"))?,
            Some(id) => {
                let asked = open.requests.remove(&id).map(|sent| sent.expected);
                let expected = asked.or_else(|| open.cancelled.remove(&id));
                let expected = expected.ok_or_else(|| format!("answered twice, or never asked: {line}"))?;
                if !expected.is(&message) {
                    return Err(format!("{expected:?} was expected of {id}, and not {line}").into());
                }
                tally.answered.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
    Ok(())
}

//! The floor: the least code that answers the same bytes as `bench-server`, by hand and for these four tools only.
//!
//! It is no server that anybody may use. It believes every message, checks nothing but UTF-8 and types, knows no method
//! but `tools/call` and `tools/list`, no era, no limit and no cancellation. So nothing that speaks the protocol can
//! be as fast, and the distance to it is what the protocol costs.

mod answer;
mod http;
mod parse;

use std::io::{self, Read, Write};

use memchr::memchr;

use self::answer::Floor;

/// Bytes read at once.
const CHUNK: usize = 1 << 16;

fn main() -> io::Result<()> {
    let floor = Floor::new();
    match std::env::args().skip(1).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // who is to wait is as quick here: a floor waits for nobody
        [] | ["--pending"] => stdio(&floor),
        ["--http", port] => http::serve(floor, port.parse().map_err(io::Error::other)?, http::Answers::Json),
        ["--http", port, "--progress"] => {
            http::serve(floor, port.parse().map_err(io::Error::other)?, http::Answers::Events)
        }
        _ => Err(io::Error::other("usage: bench-floor [--http PORT [--progress] | --pending]")),
    }
}

/// Reads, answers every whole line, writes once.
fn stdio(floor: &Floor) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut buffer = vec![0; CHUNK];
    let mut out = Vec::new();
    let (mut filled, mut scanned) = (0, 0);
    loop {
        if buffer.len() - filled < CHUNK / 2 {
            buffer.resize(buffer.len() * 2, 0);
        }
        let read = input.read(&mut buffer[filled..])?;
        if read == 0 {
            return Ok(());
        }
        filled += read;
        let mut start = 0;
        while let Some(found) = memchr(b'\n', &buffer[scanned..filled]) {
            floor.answer(&buffer[start..scanned + found], &mut out);
            out.push(b'\n');
            scanned += found + 1;
            start = scanned;
        }
        buffer.copy_within(start..filled, 0);
        filled -= start;
        scanned = filled;
        output.write_all(&out)?;
        output.flush()?;
        out.clear();
    }
}

//! One message in, its answer out.

use std::fmt::Write as _;

use crate::parse::{Cursor, Wrong};

/// What every result says of the server.
const HEAD: &str = r#","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench-server","version":"0.0.0"}},"#;

/// What is known before the first message.
#[derive(Debug)]
pub(crate) struct Floor {
    /// The list of tools, as JSON text.
    tools: String,
}

/// A message, as far as it matters.
#[derive(Default)]
struct Message<'t> {
    id: &'t str,
    name: Option<&'t str>,
    arguments: Option<Cursor<'t>>,
}

/// A record of `bulk`.
#[expect(dead_code, reason = "a handler would want them; here they are only made")]
struct Item<'t> {
    id: i64,
    name: std::borrow::Cow<'t, str>,
    tags: Vec<std::borrow::Cow<'t, str>>,
    score: f64,
}

impl Floor {
    pub(crate) fn new() -> Self {
        let contract: serde_json::Value =
            serde_json::from_str(include_str!("../../server/specs/tools.json")).unwrap_or_default();
        Self { tools: contract["tools"].to_string() }
    }

    /// Appends the answer to a message.
    pub(crate) fn answer(&self, message: &[u8], out: &mut Vec<u8>) {
        let answered = std::str::from_utf8(message).map_err(|_| Wrong).and_then(read).and_then(|message| {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
            out.extend_from_slice(message.id.as_bytes());
            out.extend_from_slice(HEAD.as_bytes());
            self.result(&message, out)
        });
        out.extend_from_slice(if answered.is_ok() { b"}}" } else { br#""isError":true}}"# });
    }

    fn result(&self, message: &Message<'_>, out: &mut Vec<u8>) -> Result<(), Wrong> {
        let Some(name) = message.name else {
            out.extend_from_slice(br#""tools":"#);
            out.extend_from_slice(self.tools.as_bytes());
            out.extend_from_slice(br#","ttlMs":0,"cacheScope":"private""#);
            return Ok(());
        };
        let arguments = message.arguments.ok_or(Wrong)?;
        match name {
            "add" => {
                add(arguments, out);
                Ok(())
            }
            "bulk" => {
                content(&bulk(arguments)?.to_string(), out);
                Ok(())
            }
            "echo" => echo(arguments, out),
            "get_weather" => weather(arguments, out),
            _ => Err(Wrong),
        }
    }
}

fn read(text: &str) -> Result<Message<'_>, Wrong> {
    let mut message = Message::default();
    Cursor::new(text).object(|key, cursor| {
        match key {
            "id" => message.id = cursor.raw()?,
            "params" => cursor.object(|key, cursor| {
                match key {
                    "name" => message.name = Some(cursor.raw()?.trim_matches('"')),
                    "arguments" => message.arguments = Some(Cursor::new(cursor.raw()?)),
                    _ => {
                        cursor.raw()?;
                    }
                }
                Ok(())
            })?,
            _ => {
                cursor.raw()?;
            }
        }
        Ok(())
    })?;
    Ok(message)
}

fn add(mut arguments: Cursor<'_>, out: &mut Vec<u8>) {
    let (mut a, mut b) = (None, None);
    let read = arguments.object(|key, cursor| {
        *(if key == "a" { &mut a } else { &mut b }) = Some(cursor.integer()?);
        Ok(())
    });
    if let (Ok(()), Some(a), Some(b)) = (read, a, b) {
        return content(itoa::Buffer::new().format(a + b), out);
    }
    content("invalid arguments for `add`:\n- /a: expected an integer, got \"x\"", out);
    out.extend_from_slice(br#","isError":true"#);
}

fn echo(mut arguments: Cursor<'_>, out: &mut Vec<u8>) -> Result<(), Wrong> {
    let mut text = None;
    arguments.object(|_, cursor| {
        text = Some(cursor.string()?);
        Ok(())
    })?;
    content(&text.ok_or(Wrong)?, out);
    Ok(())
}

fn bulk(mut arguments: Cursor<'_>) -> Result<usize, Wrong> {
    let mut items = Vec::new();
    arguments.object(|_, cursor| {
        cursor.array(|cursor| {
            let (mut id, mut name, mut tags, mut score) = (None, None, Vec::new(), None);
            cursor.object(|key, cursor| {
                match key {
                    "id" => id = Some(cursor.integer()?),
                    "name" => name = Some(cursor.string()?),
                    "tags" => cursor.array(|cursor| {
                        tags.push(cursor.string()?);
                        Ok(())
                    })?,
                    _ => score = Some(cursor.float()?),
                }
                Ok(())
            })?;
            let (id, name, score) = (id.ok_or(Wrong)?, name.ok_or(Wrong)?, score.ok_or(Wrong)?);
            items.push(Item { id, name, tags, score });
            Ok(())
        })
    })?;
    Ok(items.len())
}

fn weather(mut arguments: Cursor<'_>, out: &mut Vec<u8>) -> Result<(), Wrong> {
    let (mut city, mut days, mut units) = (None, 1, "metric");
    arguments.object(|key, cursor| {
        match key {
            "city" => city = Some(cursor.string()?),
            "days" => days = cursor.integer()?,
            _ => units = if cursor.string()? == "imperial" { "imperial" } else { "metric" },
        }
        Ok(())
    })?;
    let mut report = String::from(r#"{"city":"#);
    quote(&city.ok_or(Wrong)?, &mut report);
    // writing to a `String` cannot fail
    write!(report, r#","days":{days},"units":"{units}","forecast":["#).unwrap_or_default();
    for day in 0..days {
        let comma = if day == 0 { "" } else { "," };
        let (high, low) = (20 + day, 10 + day);
        write!(report, r#"{comma}{{"day":{day},"high":{high}.0,"low":{low}.0,"summary":"clear"}}"#).unwrap_or_default();
    }
    report.push_str("]}");
    out.extend_from_slice(br#""structuredContent":"#);
    out.extend_from_slice(report.as_bytes());
    out.push(b',');
    content(&report, out);
    Ok(())
}

/// One block of text.
fn content(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(br#""content":[{"type":"text","text":"#);
    let mut quoted = String::with_capacity(text.len() + text.len() / 8 + 2);
    quote(text, &mut quoted);
    out.extend_from_slice(quoted.as_bytes());
    out.extend_from_slice(b"}]");
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| ESCAPED[usize::from(byte)]) {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            byte => write!(out, "\\u{byte:04x}").unwrap_or_default(),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

/// Bytes that do not stand in a JSON string as they are.
const ESCAPED: [bool; 256] = {
    let mut escaped = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        escaped[byte] = true;
        byte += 1;
    }
    escaped[b'"' as usize] = true;
    escaped[b'\\' as usize] = true;
    escaped
};

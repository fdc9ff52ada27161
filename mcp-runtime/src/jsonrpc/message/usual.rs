//! Requests and notifications as clients mostly write them: no white space, no escapes in keys, only the commonest members.

use std::borrow::Cow;

use super::{Message, Params, Shape};
use crate::json::Reader;

/// Reads a message that is written in the usual way into one that is empty. Whatever it does not know, it leaves to the
/// reader of all messages, and `message` as it happens to be then.
pub(super) fn read<'a>(line: &'a str, known_meta: &'a str, message: &mut Message<'a>) -> bool {
    envelope(&mut Reader::new(line), known_meta, message).is_some()
}

fn envelope<'a>(reader: &mut Reader<'a>, known_meta: &'a str, message: &mut Message<'a>) -> Option<()> {
    let (mut version, mut has_method, mut has_params) = (false, false, false);
    if !reader.enter_exactly() {
        return None;
    }
    loop {
        // the first letter of the key
        match reader.second_byte() {
            b'j' if !version && reader.take_exactly(r#""jsonrpc":"2.0""#) => version = true,
            b'i' if message.id.is_none() && reader.take_exactly(r#""id":"#) => {
                message.id = Some(reader.raw_usual()?);
            }
            b'm' if !has_method && reader.take_exactly(r#""method":"#) => {
                (message.method, has_method) = (Cow::Borrowed(reader.plain_string().ok()??), true);
            }
            b'p' if !has_params && reader.take_exactly(r#""params":"#) => {
                params(reader, known_meta, &mut message.params)?;
                has_params = true;
            }
            _ => return None,
        }
        if !reader.take_exactly(",") {
            break;
        }
    }
    if !(reader.leave_exactly() && reader.is_at_end() && version && has_method) {
        return None;
    }
    message.shape = if message.id.is_some() { Shape::Request } else { Shape::Notification };
    Some(())
}

fn params<'a>(reader: &mut Reader<'a>, known_meta: &'a str, params: &mut Params<'a>) -> Option<()> {
    if !reader.enter_exactly() {
        return None;
    }
    if reader.leave_exactly() {
        return Some(());
    }
    loop {
        let (slot, known) = match reader.second_byte() {
            b'_' if reader.take_exactly(r#""_meta":"#) => (&mut params.meta, known_meta),
            b'n' if reader.take_exactly(r#""name":"#) => (&mut params.name, ""),
            b'a' if reader.take_exactly(r#""arguments":"#) => (&mut params.arguments, ""),
            b'u' if reader.take_exactly(r#""uri":"#) => (&mut params.uri, ""),
            b'c' if reader.take_exactly(r#""cursor":"#) => (&mut params.cursor, ""),
            _ => return None,
        };
        if slot.is_some() {
            return None;
        }
        *slot = Some(if reader.take_known(known) { known } else { reader.raw_usual()? });
        if !reader.take_exactly(",") {
            break;
        }
    }
    reader.leave_exactly().then_some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const META: &str = r#"{"a/b":{"c":[1,"}"]}}"#;

    fn parse<'a>(line: &'a str, known_meta: &'a str) -> Option<Message<'a>> {
        let mut message = Message::EMPTY;
        read(line, known_meta, &mut message).then_some(message)
    }

    /// Both readers must see the same in what this one takes.
    fn agree(line: &str) -> bool {
        let Some(quick) = parse(line, META) else { return false };
        let mut slow = Message::EMPTY;
        slow.read_any(line, META).unwrap_or_else(|fault| panic!("{line} is refused: {fault}"));
        assert_eq!(format!("{quick:?}"), format!("{slow:?}"), "{line}");
        true
    }

    #[test]
    fn usual_messages_are_read_here() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"method":"notifications/initialized","jsonrpc":"2.0"}"#,
            r#"{"id":"a\"b","method":"tools/list","params":{},"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{"cursor":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"resources/read","params":{"uri":"a:b","_meta":{"x":{}}}}"#,
            &format!(
                r#"{{"jsonrpc":"2.0","id":-7,"method":"tools/call","params":{{"_meta":{META},"name":"a","arguments":{{"b": [1]}}}}}}"#
            ),
        ] {
            assert!(agree(line), "{line}");
        }
    }

    #[test]
    fn others_are_left_to_the_reader_of_all() {
        for line in [
            "",
            "{",
            "{}",
            "[]",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","id":1}"#,
            r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"a","method":"a"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{},"params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"a","name":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{},"_meta":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"a/b":{"c":[1,"}"]}},"_meta":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"level":"info"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"a","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"p\u0069ng"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":1}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.1","id":1,"method":"ping"}"#,
            r#"{"jsonrpc": "2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"} "#,
            r#"{"jsonrpc":"2.0","id":01,"method":"ping"}"#,
        ] {
            assert!(parse(line, META).is_none(), "{line}");
        }
    }

    #[test]
    fn arguments_with_any_byte_changed_are_read_alike() {
        for arguments in [r#"{"a":1,"b":-2.5e3,"c":"x\"y","":""}"#, r#"{"a":{"b":[]},"c":true}"#, "{}"] {
            let with = |arguments: &[u8]| {
                let line =
                    [br#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":"#, arguments, b"}}"].concat();
                String::from_utf8(line).unwrap()
            };
            assert!(agree(&with(arguments.as_bytes())), "{arguments}");
            for (place, byte) in (0..arguments.len()).flat_map(|place| b"{}[]\",:-.0e\\ \n".map(|byte| (place, byte))) {
                let mut changed = arguments.as_bytes().to_vec();
                changed[place] = byte;
                agree(&with(&changed));
            }
        }
    }

    #[test]
    fn nesting_has_the_same_limit() {
        for depth in 120..135 {
            let deep = |open: &str, close: &str| open.repeat(depth) + &close.repeat(depth);
            for arguments in [deep("[", "]"), format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth))] {
                let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"a","params":{{"arguments":{arguments}}}}}"#);
                let mut slow = Message::EMPTY;
                assert_eq!(parse(&line, META).is_some(), slow.read_any(&line, META).is_ok(), "{depth}");
            }
        }
    }

    proptest! {
        /// A message that is taken here, in which a few pieces were changed, added or lost.
        #[test]
        fn both_readers_agree(edits in edits()) {
            let mut pieces = WHOLE.to_vec();
            for (number, (place, piece)) in edits.iter().enumerate() {
                let place = place.index(pieces.len());
                match number % 3 {
                    0 => pieces[place] = piece,
                    1 => pieces.insert(place, piece),
                    _ => _ = pieces.remove(place),
                }
            }
            let is_taken = agree(&pieces.concat());
            prop_assert!(is_taken || !edits.is_empty());
        }

        #[test]
        fn both_readers_agree_on_members(mut members in prop::collection::vec(prop::sample::select(MEMBERS), 1..5)) {
            members.dedup();
            agree(&format!("{{{}}}", members.join(",")));
        }
    }

    fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, &'static str)>> {
        prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(PIECES)), 0..4)
    }

    const MEMBERS: &[&str] = &[
        r#""jsonrpc":"2.0""#,
        r#""jsonrpc":"1.0""#,
        r#""id":1"#,
        r#""id":"x""#,
        r#""method":"tools/call""#,
        r#""params":{}"#,
        r#""params":{"name":"a"}"#,
        r#""params":{"name":"a","arguments":{"a":1,"a":2}}"#,
        r#""params":{"_meta":{"a/b":{"c":[1,"}"]}}}"#,
        r#""params":{"_meta":{"a/b":{"c":[1,"}"]}},"uri":"u"}"#,
        r#""params":null"#,
        r#""error":{}"#,
        r#""other":[true]"#,
    ];

    const WHOLE: &[&str] = &[
        "{",
        r#""jsonrpc":"2.0""#,
        ",",
        r#""id":"#,
        "1",
        ",",
        r#""method":"#,
        r#""x""#,
        ",",
        r#""params":"#,
        "{",
        r#""_meta":"#,
        META,
        ",",
        r#""name":"#,
        r#""x""#,
        ",",
        r#""arguments":"#,
        "{}",
        "}",
        "}",
    ];

    const PIECES: &[&str] = &[
        "{",
        "}",
        ",",
        r#""jsonrpc":"2.0""#,
        r#""id":"#,
        "1",
        r#""x""#,
        r#""method":"#,
        r#""params":"#,
        r#""name":"#,
        r#""arguments":"#,
        r#""_meta":"#,
        META,
        "{}",
        "[",
        "]",
        " ",
        "\n",
    ];
}

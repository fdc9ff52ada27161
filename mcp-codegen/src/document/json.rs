//! JSON text → [`Node`], through the raw values of `serde_json`.
//!
//! Each raw value borrows from the text, so that its address tells its offset: keys, their order, duplicates and the
//! spelling of numbers are all still there.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::{Key, Node, NodeKind};
use crate::source::Span;

/// Values nested deeper than this are refused: each level takes stack here and in every later stage.
const MAX_DEPTH: usize = 128;

/// Where a JSON text stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// It begins where the span does, byte for byte.
    At(Span),
    /// It is the value of this string, whose escapes hide the places inside.
    Inside(Span),
}

/// Reads a whole text. A text that is no JSON is reported, and gives nothing.
pub(crate) fn read(text: &str, place: Place, found: &mut Diagnostics) -> Option<Node> {
    let mut reader = Reader { text, place, found };
    match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) => Some(reader.value(raw.get(), 0)),
        Err(error) => {
            reader.syntax(&error, text);
            None
        }
    }
}

struct Reader<'t, 'd> {
    text: &'t str,
    place: Place,
    found: &'d mut Diagnostics,
}

impl<'t> Reader<'t, '_> {
    /// One value; `raw` is a piece of the text whose grammar has been checked.
    fn value(&mut self, raw: &'t str, depth: usize) -> Node {
        let span = self.span(raw);
        let kind = match raw.as_bytes().first() {
            Some(b'{' | b'[') if depth == MAX_DEPTH => {
                let message = format!("values are nested deeper than {MAX_DEPTH} levels");
                let finding = Diagnostic::error(Code::TOO_DEEP, span, message);
                self.found.push(finding.help("name the inner parts by `$ref`, or flatten the value"));
                NodeKind::Null
            }
            Some(b'{') => self.object(raw, depth),
            Some(b'[') => self.array(raw, depth),
            Some(b'"') => NodeKind::String(self.string(raw)),
            Some(b't') => NodeKind::Bool(true),
            Some(b'f') => NodeKind::Bool(false),
            Some(b'n') | None => NodeKind::Null,
            Some(_) => NodeKind::Number(raw.to_owned()),
        };
        Node { span, kind }
    }

    fn array(&mut self, raw: &'t str, depth: usize) -> NodeKind {
        let items: Vec<&'t RawValue> = self.checked(serde_json::from_str(raw), raw);
        NodeKind::Array(items.into_iter().map(|item| self.value(item.get(), depth + 1)).collect())
    }

    fn object(&mut self, raw: &'t str, depth: usize) -> NodeKind {
        let Members(raw_members) = self.checked(serde_json::from_str(raw), raw);
        let mut first: HashMap<String, Span> = HashMap::with_capacity(raw_members.len());
        let mut members = Vec::with_capacity(raw_members.len());
        for (key, value) in raw_members {
            let key = Key { name: self.string(key.get()), span: self.span(key.get()) };
            if let Some(earlier) = first.get(&key.name) {
                let message = format!("the key `{}` stands twice", key.name);
                let finding = Diagnostic::error(Code::DUPLICATE_KEY, key.span, message);
                let finding = finding.label("again here").also(*earlier, "first here");
                self.found.push(finding.help("keep one of them"));
                continue;
            }
            first.insert(key.name.clone(), key.span);
            members.push((key, self.value(value.get(), depth + 1)));
        }
        NodeKind::Object(members)
    }

    /// A string's value. Its escapes can still be wrong: half a surrogate pair is grammar, but no text.
    fn string(&mut self, raw: &str) -> String {
        self.checked(serde_json::from_str(raw), raw)
    }

    fn checked<T: Default>(&mut self, result: serde_json::Result<T>, raw: &str) -> T {
        result.unwrap_or_else(|error| {
            self.syntax(&error, raw);
            T::default()
        })
    }

    /// Reports what `serde_json` says about `piece`, a part of the text.
    fn syntax(&mut self, error: &serde_json::Error, piece: &str) {
        let lines = piece.split_inclusive('\n').take(error.line().saturating_sub(1));
        let offset = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let start = self.offset(piece) + offset.min(piece.len());
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest.chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
        let said = error.to_string();
        let message = said.rsplit_once(" at line ").map_or(said.as_str(), |(message, _)| message);
        let message = format!("the text is not JSON: {message}");
        let finding = Diagnostic::error(Code::SYNTAX, self.at(start, length), message);
        self.found.push(finding.help("correct it here; what follows has not been read"));
    }

    fn span(&self, raw: &str) -> Span {
        self.at(self.offset(raw), raw.len())
    }

    /// How far into the text a piece of it begins.
    fn offset(&self, piece: &str) -> usize {
        (piece.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }

    fn at(&self, start: usize, length: usize) -> Span {
        match self.place {
            Place::At(base) => {
                let start = base.start as usize + start;
                Span::new(base.file, start..start + length)
            }
            Place::Inside(span) => span,
        }
    }
}

/// An object's members as raw text, in order, duplicates included.
#[derive(Default)]
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn parse(text: &str) -> (Option<Node>, Vec<String>) {
        let mut found = Diagnostics::default();
        let node = read(text, Place::At(Span::new(FileId::default(), 0..0)), &mut found);
        let told =
            found.sorted().iter().map(|d| format!("{}..{} {}", d.span().start, d.span().end, d.message())).collect();
        (node, told)
    }

    #[test]
    fn numbers_and_order_stay_as_written() {
        let text = r#"{"b":1.50,"a":[-0,1E+3,123456789012345678901234567890],"é\n":null}"#;
        assert_eq!(parse(text).0.unwrap().to_json(), text);
    }

    #[test]
    fn a_second_key_is_reported_and_dropped() {
        let (node, told) = parse(r#"{"a": 1, "a": 2}"#);
        assert_eq!(node.unwrap().to_json(), r#"{"a":1}"#);
        assert_eq!(told, ["9..12 the key `a` stands twice"]);
    }

    #[test]
    fn places_are_those_of_the_text() {
        let node = parse("{\n  \"é\": [true]\n}").0.unwrap();
        let (key, value) = &node.members().unwrap()[0];
        assert_eq!((key.span.start, key.span.end, value.span.start, value.span.end), (4, 8, 10, 16));
    }

    #[test]
    fn faults_of_syntax_have_a_place() {
        assert_eq!(parse("{\n  \"a\" 1}").1, ["8..9 the text is not JSON: expected `:`"]);
        assert_eq!(parse("[\"\\ud800\"]").1.len(), 1);
        assert_eq!(parse(&"[".repeat(4000)).1.len(), 1);
        assert_eq!(parse(&("[".repeat(4000) + &"]".repeat(4000))).1.len(), 1);
    }
}

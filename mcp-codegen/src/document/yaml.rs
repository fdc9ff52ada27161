//! YAML text → [`Node`], by the core schema of YAML 1.2, for documents that are not contracts.
//!
//! What JSON cannot say is reported: keys that are no scalars, several documents, infinities. A tag other than `!!str` says
//! nothing. Anchors are copied in, and `<<` merges, within limits.

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::{Key, Node, NodeKind};
use crate::source::{FileId, Span};

/// Values nested deeper than this are refused: each level takes stack here and in every later stage.
const MAX_DEPTH: usize = 128;

/// Values beyond this are refused: aliases of aliases can stand for more than any memory holds.
const MAX_VALUES: usize = 5_000_000;

/// Reads a text that holds one document. What cannot be read is reported, and gives nothing.
pub(crate) fn read(text: &str, file: FileId, found: &mut Diagnostics) -> Option<Node> {
    let offsets = Offsets::new(text, file);
    let mut reader = Reader { events: Parser::new_from_str(text), offsets, anchors: HashMap::new(), values: 0 };
    match reader.document() {
        Ok(node) => Some(node),
        Err(fault) => {
            found.push(*fault);
            None
        }
    }
}

type Read<T> = Result<T, Box<Diagnostic>>;

struct Reader<'t> {
    events: Parser<'t, saphyr_parser::StrInput<'t>>,
    offsets: Offsets,
    /// What the anchors stand for, each with the number of its values.
    anchors: HashMap<usize, (Node, usize)>,
    values: usize,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Read<(Event<'t>, Span)> {
        loop {
            match self.events.next_event() {
                Some(Ok((Event::Nothing, _))) => {}
                Some(Ok((event, span))) => return Ok((event, self.offsets.span(&span))),
                Some(Err(error)) => return Err(self.syntax(&error)),
                None => return Ok((Event::StreamEnd, Span::new(self.offsets.file, 0..0))),
            }
        }
    }

    fn syntax(&self, error: &ScanError) -> Box<Diagnostic> {
        let at = self.offsets.byte(error.marker().index());
        let span = Span::new(self.offsets.file, at..at);
        Box::new(Diagnostic::error(Code::SYNTAX, span, format!("this is not YAML: {}", error.info())))
    }

    fn document(&mut self) -> Read<Node> {
        loop {
            match self.next()? {
                (Event::StreamStart | Event::DocumentStart(_), _) => {}
                (Event::StreamEnd | Event::DocumentEnd, span) => {
                    return Err(fault(span, "the text holds no value"));
                }
                (event, span) => {
                    let node = self.value(event, span, 0)?;
                    return self.end().map(|()| node);
                }
            }
        }
    }

    fn end(&mut self) -> Read<()> {
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(()),
                (Event::DocumentEnd, _) => {}
                (_, span) => return Err(fault(span, "a second document begins here")),
            }
        }
    }

    fn value(&mut self, event: Event<'t>, span: Span, depth: usize) -> Read<Node> {
        self.count(1, span)?;
        if depth > MAX_DEPTH {
            return Err(fault(span, &format!("values are nested deeper than {MAX_DEPTH} levels")));
        }
        let before = self.values;
        let (node, anchor) = match event {
            Event::Alias(anchor) => {
                let known = self.anchors.get(&anchor).cloned();
                let (node, size) = known.ok_or_else(|| fault(span, "the alias stands for a value around itself"))?;
                self.count(size, span)?;
                return Ok(node);
            }
            Event::Scalar(text, style, anchor, tag) => {
                (Node::new(scalar(text, style, tag.as_ref(), span)?, span), anchor)
            }
            Event::SequenceStart(anchor, _) => (self.sequence(span, depth)?, anchor),
            Event::MappingStart(anchor, _) => (self.mapping(span, depth)?, anchor),
            _ => return Err(fault(span, "expected a value")),
        };
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), self.values - before + 1));
        }
        Ok(node)
    }

    fn count(&mut self, values: usize, span: Span) -> Read<()> {
        self.values += values;
        if self.values > MAX_VALUES {
            return Err(fault(span, &format!("the text stands for more than {MAX_VALUES} values")));
        }
        Ok(())
    }

    fn sequence(&mut self, span: Span, depth: usize) -> Read<Node> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Node::new(NodeKind::Array(items), span)),
                (event, span) => items.push(self.value(event, span, depth + 1)?),
            }
        }
    }

    fn mapping(&mut self, span: Span, depth: usize) -> Read<Node> {
        let mut members: Vec<(Key, Node)> = Vec::new();
        let mut merged = Vec::new();
        let mut known = std::collections::HashSet::new();
        loop {
            let (key, key_span) = match self.next()? {
                (Event::MappingEnd, _) => break,
                (Event::Scalar(text, style, ..), span) => ((text.into_owned(), style), span),
                (_, span) => return Err(fault(span, "a key is no scalar")),
            };
            let (event, value_span) = self.next()?;
            let value = self.value(event, value_span, depth + 1)?;
            if key == ("<<".to_owned(), ScalarStyle::Plain) {
                merged.push(value);
            } else if known.insert(key.0.clone()) {
                members.push((Key { name: key.0, span: key_span }, value));
            } else {
                return Err(fault(key_span, &format!("the key `{}` stands here twice", key.0)));
            }
        }
        for source in merged {
            let sources = source.items().map_or_else(|| vec![source.clone()], <[Node]>::to_vec);
            for (key, value) in sources.iter().filter_map(Node::members).flatten() {
                if known.insert(key.name.clone()) {
                    members.push((key.clone(), value.clone()));
                }
            }
        }
        Ok(Node::new(NodeKind::Object(members), span))
    }
}

/// What a scalar means. Only plain ones can be anything but text.
fn scalar(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Cow<'_, Tag>>, span: Span) -> Read<NodeKind> {
    let is_text =
        style != ScalarStyle::Plain || tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
    if is_text {
        return Ok(NodeKind::String(text.into_owned()));
    }
    Ok(match &*text {
        "" | "~" | "null" | "Null" | "NULL" => NodeKind::Null,
        "true" | "True" | "TRUE" => NodeKind::Bool(true),
        "false" | "False" | "FALSE" => NodeKind::Bool(false),
        plain => match number(plain) {
            Some(number) => NodeKind::Number(number),
            None if [".inf", "-.inf", "+.inf", ".nan"].contains(&plain.to_ascii_lowercase().as_str()) => {
                return Err(fault(span, &format!("`{plain}` is no number that JSON knows")));
            }
            None => NodeKind::String(text.into_owned()),
        },
    })
}

/// A number of the core schema as JSON text, its digits as they are.
fn number(text: &str) -> Option<String> {
    let based = [("0x", 16), ("0o", 8)].into_iter().find_map(|(prefix, base)| Some((text.strip_prefix(prefix)?, base)));
    if let Some((digits, base)) = based {
        let is_digit = digits.chars().all(|c| c.is_digit(base));
        return u64::from_str_radix(digits, base).ok().filter(|_| is_digit).map(|number| number.to_string());
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], Some(&digits[at + 1..])),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(whole, rest)| (whole, Some(rest)));
    let are_digits = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
    let is_mantissa = are_digits(whole)
        && fraction.is_none_or(are_digits)
        && !(whole.is_empty() && fraction.is_none_or(str::is_empty));
    let is_exponent = exponent.is_none_or(|text| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        !digits.is_empty() && are_digits(digits)
    });
    if !is_mantissa || !is_exponent {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = fraction.filter(|fraction| !fraction.is_empty()).map(|fraction| format!(".{fraction}"));
    let exponent = exponent.map(|exponent| format!("e{exponent}"));
    Some(format!("{sign}{whole}{}{}", fraction.unwrap_or_default(), exponent.unwrap_or_default()))
}

fn fault(span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::SYNTAX, span, message))
}

/// From characters, which the parser counts, to bytes.
struct Offsets {
    file: FileId,
    /// Where each character begins, unless each is one byte.
    starts: Option<Vec<usize>>,
    length: usize,
}

impl Offsets {
    fn new(text: &str, file: FileId) -> Self {
        let starts = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self { file, starts, length: text.len() }
    }

    fn byte(&self, character: usize) -> usize {
        let at = match &self.starts {
            Some(starts) => starts.get(character).copied().unwrap_or(self.length),
            None => character,
        };
        at.min(self.length)
    }

    fn span(&self, span: &saphyr_parser::Span) -> Span {
        let start = self.byte(span.start.index());
        Span::new(self.file, start..self.byte(span.end.index()).max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Result<String, String> {
        let mut found = Diagnostics::default();
        let node = read(text, FileId::default(), &mut found);
        node.map(|node| node.to_json()).ok_or_else(|| found.sorted()[0].message().to_owned())
    }

    #[test]
    fn values_are_those_of_the_core_schema() {
        for (yaml, value) in [
            ("a: 1\nb: [x, 'y', \"z\\n\"]", r#"{"a":1,"b":["x","y","z\n"]}"#),
            ("[~, null, true, no, yes, 'true', !!str 1]", r#"[null,null,true,"no","yes","true","1"]"#),
            ("[01, 0x1F, 0o17, -1.50, +2, .5, 1e3, 1.]", "[1,31,15,-1.50,2,0.5,1e3,1]"),
            (
                "[1.2.3, 2020-01-01, e5, 1_000, 9007199254740993]",
                r#"["1.2.3","2020-01-01","e5","1_000",9007199254740993]"#,
            ),
            ("200: a\n'300': b\n~: c", r#"{"200":"a","300":"b","~":"c"}"#),
            ("a: &x {b: 1}\nc: *x\nd: {<<: *x, b: 2, e: 3}", r#"{"a":{"b":1},"c":{"b":1},"d":{"b":2,"e":3}}"#),
            ("a: |\n  line\n  é\nb: >\n  x\n  y\n", "{\"a\":\"line\\né\\n\",\"b\":\"x y\\n\"}"),
            ("a:\nb: ''", r#"{"a":null,"b":""}"#),
        ] {
            assert_eq!(json(yaml).as_deref(), Ok(value), "{yaml}");
        }
    }

    #[test]
    fn what_json_cannot_say_is_refused() {
        for yaml in ["a: .inf", "{a: 1, a: 2}", "? [a]\n: 1", "a: 1\n---\nb: 2", "", "a: [", "a: *x", "a: &x [*x]"] {
            assert!(json(yaml).is_err(), "{yaml}");
        }
    }

    #[test]
    fn hostile_texts_end() {
        let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            laughs.extend(["a", &level.to_string(), ": &a", &level.to_string(), " [", &aliases, "]\n"]);
        }
        assert!(json(&laughs).unwrap_err().contains("more than"));
        assert!(json(&"[".repeat(100_000)).is_err());
        assert!(json(&"- ".repeat(100_000)).is_err());
        assert!(json(&"a: ".repeat(10_000)).is_err());
    }

    #[test]
    fn places_are_bytes() {
        let mut found = Diagnostics::default();
        let node = read("é: ü\nb: x\n", FileId::default(), &mut found).unwrap();
        let (key, value) = &node.members().unwrap()[1];
        assert_eq!((key.span.start, key.span.end, value.span.start), (7, 8, 10));
    }
}

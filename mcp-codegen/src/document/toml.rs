//! TOML text → [`Node`]: what JSON can say as JSON says it, the rest as faults.

use ::toml::Spanned;
use ::toml::de::{DeInteger, DeTable, DeValue};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::{Key, Node, NodeKind};
use crate::source::{FileId, Span};
use crate::workers;

/// Faults of syntax that are reported of one text: one of them may make many.
const MAX_FAULTS: usize = 5;

/// Reads a whole text. A text that is no TOML is reported, with its first faults of syntax, and gives nothing.
pub(crate) fn read(text: &str, file: FileId, found: &mut Diagnostics) -> Option<Node> {
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut lacks_brackets = false;
    let mut reported = 0;
    for error in &errors {
        let span = Span::new(file, error.span().unwrap_or(0..0));
        let message = error.message().lines().next().unwrap_or_default();
        let is_duplicate = message.contains("duplicate");
        // A second table where a second item was meant has the keys of the first.
        if reported == MAX_FAULTS || is_duplicate && lacks_brackets {
            continue;
        }
        let finding = Diagnostic::error(Code::SYNTAX, span, format!("the text is not TOML: {message}"));
        found.push(match table_header(text, span).filter(|_| is_duplicate) {
            Some(name) => {
                lacks_brackets = true;
                finding.help(format!("write `[[{name}]]` at each, if they are items of a list"))
            }
            None => finding.help("correct it here; nothing of this file has been used"),
        });
        reported += 1;
    }
    if !errors.is_empty() {
        return None;
    }
    let mut reader = Reader { file, found };
    Some(reader.root(root.get_ref()))
}

/// The name in `[name]`, where that is the line of a fault: what stands in a list has double brackets.
fn table_header(text: &str, span: Span) -> Option<&str> {
    let start = text.get(..span.start as usize)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?.trim_start();
    line.strip_prefix('[').filter(|rest| !rest.starts_with('['))?.split_once(']').map(|(name, _)| name.trim())
}

struct Reader<'d> {
    file: FileId,
    found: &'d mut Diagnostics,
}

impl Reader<'_> {
    /// The whole text. Long lists in it, as that of the tools may be, are read on all cores.
    fn root(&mut self, table: &DeTable<'_>) -> Node {
        self.table_by(table, Span::new(self.file, 0..0), |reader, value| match value.get_ref() {
            DeValue::Array(items) => Some(reader.list(items, Span::new(reader.file, value.span()))),
            _ => reader.value(value),
        })
    }

    fn list(&mut self, items: &[Spanned<DeValue<'_>>], span: Span) -> Node {
        let parts = workers::map(items, |items| {
            let mut found = Diagnostics::default();
            let mut reader = Reader { file: span.file, found: &mut found };
            let nodes: Vec<Node> = items.iter().filter_map(|item| reader.value(item)).collect();
            vec![(nodes, found)]
        });
        let mut nodes = Vec::with_capacity(items.len());
        for (part, found) in parts {
            nodes.extend(part);
            self.found.extend(found);
        }
        Node { span, kind: NodeKind::Array(nodes) }
    }

    /// One value; nothing where JSON has none for it.
    fn value(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Node> {
        let span = Span::new(self.file, value.span());
        let kind = match value.get_ref() {
            DeValue::Array(items) => NodeKind::Array(items.iter().filter_map(|item| self.value(item)).collect()),
            DeValue::Boolean(value) => NodeKind::Bool(*value),
            DeValue::Datetime(datetime) => {
                return self.no_json(span, &format!("write it as a string: `\"{datetime}\"`"));
            }
            DeValue::Float(float) => match float.as_str().trim_start_matches('+') {
                text if text.contains("inf") || text.contains("nan") => {
                    return self.no_json(span, "write a finite number, or leave the key out");
                }
                text => NodeKind::Number(text.to_owned()),
            },
            DeValue::Integer(integer) => match integer_text(integer) {
                Some(text) => NodeKind::Number(text),
                None => return self.no_json(span, "write the integer in decimal digits"),
            },
            DeValue::String(text) => NodeKind::String(text.to_string()),
            DeValue::Table(table) => return Some(self.table(table, span)),
        };
        Some(Node { span, kind })
    }

    fn table(&mut self, table: &DeTable<'_>, span: Span) -> Node {
        self.table_by(table, span, Self::value)
    }

    fn table_by(
        &mut self,
        table: &DeTable<'_>,
        span: Span,
        read: impl Fn(&mut Self, &Spanned<DeValue<'_>>) -> Option<Node>,
    ) -> Node {
        let mut members = Vec::with_capacity(table.len());
        for (key, value) in table {
            let key = Key { name: key.get_ref().to_string(), span: Span::new(self.file, key.span()) };
            members.extend(read(self, value).map(|value| (key, value)));
        }
        Node { span, kind: NodeKind::Object(members) }
    }

    fn no_json(&mut self, span: Span, help: &str) -> Option<Node> {
        let message = "this value cannot be said in JSON";
        self.found.push(Diagnostic::error(Code::NO_JSON_VALUE, span, message).help(help));
        None
    }
}

/// The integer in decimal; nothing where a hexadecimal one is too long to convert.
fn integer_text(integer: &DeInteger<'_>) -> Option<String> {
    if integer.radix() == 10 {
        return Some(integer.as_str().trim_start_matches('+').to_owned());
    }
    u128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Option<Node>, Vec<String>) {
        let mut found = Diagnostics::default();
        let node = read(text, FileId::default(), &mut found);
        let told =
            found.sorted().iter().map(|d| format!("{}..{} {}", d.span().start, d.span().end, d.message())).collect();
        (node, told)
    }

    #[test]
    fn values_become_what_json_says() {
        let (node, told) = parse("b = 1_000\na = [0xff, +2.50, 1e3, true, 'x']\n[t.u]\nk = {}\n");
        assert_eq!(node.unwrap().to_json(), r#"{"b":1000,"a":[255,2.50,1e3,true,"x"],"t":{"u":{"k":{}}}}"#);
        assert!(told.is_empty());
    }

    #[test]
    fn what_json_cannot_say_is_a_fault() {
        assert_eq!(parse("a = nan\nb = 1979-05-27\nc = -inf").1.len(), 3);
    }

    #[test]
    fn of_many_faults_the_first_are_reported() {
        let (_, told) = parse(&"[tools]\nname = 'a'\ndescription = 'b'\n".repeat(10));
        assert_eq!(told, ["38..43 the text is not TOML: duplicate key"]);
        assert_eq!(parse(&"a = \n".repeat(10)).1.len(), MAX_FAULTS);
    }

    #[test]
    fn several_faults_of_syntax_are_reported() {
        assert!(parse("a = \nb = 1\nc = = 2\n").1.len() >= 2);
    }
}

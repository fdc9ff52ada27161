//! Reads an object key by key, and reports what is absent, of a wrong type, or read by nobody.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::keys::{Entry, Table};
use crate::document::{Key, Node, NodeKind};
use crate::source::{Span, Spanned};

/// A walk over one object. Each key is taken once, if the object's [`Table`] has it; [`Self::finish`] reports all others.
pub(crate) struct TableCursor<'n, 'd> {
    pub(crate) found: &'d mut Diagnostics,
    span: Span,
    known: Vec<&'static str>,
    left: Vec<&'n (Key, Node)>,
    strangers: Vec<&'n (Key, Node)>,
}

impl<'n, 'd> TableCursor<'n, 'd> {
    /// Begins to read `node`; what is no object is reported as not being such a table.
    pub(crate) fn open(node: &'n Node, table: &'static Table, found: &'d mut Diagnostics) -> Option<Self> {
        Self::open_for(node, (table, |_| true), found)
    }

    /// The same, for a reader who knows some of the keys only.
    pub(crate) fn open_for(
        node: &'n Node,
        (table, counts): (&'static Table, fn(&Entry) -> bool),
        found: &'d mut Diagnostics,
    ) -> Option<Self> {
        let Some(members) = node.members() else {
            found.push(wrong_type(node, table.what));
            return None;
        };
        let known: Vec<_> = table.entries().filter(|entry| counts(entry)).map(|entry| entry.name).collect();
        let (left, strangers) = members.iter().partition(|(key, _)| known.contains(&key.name.as_str()));
        Some(Self { found, span: node.span, known, left, strangers })
    }

    /// The place of the object.
    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// Takes a member, whatever its value.
    pub(crate) fn member(&mut self, key: &str) -> Option<(&'n Key, &'n Node)> {
        let index = self.left.iter().position(|(name, _)| name.name == key)?;
        let (name, value) = self.left.remove(index);
        Some((name, value))
    }

    /// Looks at a member without taking it.
    pub(crate) fn peek(&self, key: &str) -> Option<(&'n Key, &'n Node)> {
        self.left.iter().find(|(name, _)| name.name == key).map(|(name, value)| (name, value))
    }

    /// Takes a value, whatever it is.
    pub(crate) fn node(&mut self, key: &str) -> Option<&'n Node> {
        self.member(key).map(|(_, value)| value)
    }

    /// Takes a value, unless it is null: MCP wants such a key left out.
    pub(crate) fn present(&mut self, key: &str) -> Option<&'n Node> {
        self.present_member(key).map(|(_, node)| node)
    }

    /// Takes a member, unless its value is null.
    pub(crate) fn present_member(&mut self, key: &str) -> Option<(&'n Key, &'n Node)> {
        let (name, node) = self.member(key)?;
        if node.is_null() {
            let finding = Diagnostic::warning(Code::NULL, node.span, format!("`{key}` is null"));
            self.found.push(finding.label("read as absent").help(format!("leave `{key}` out")));
            return None;
        }
        Some((name, node))
    }

    /// Takes an object.
    pub(crate) fn object(&mut self, key: &str) -> Option<&'n Node> {
        let node = self.present(key)?;
        if node.members().is_none() {
            self.found.push(wrong_type(node, "a table").label(format!("`{key}` takes a table")));
        }
        Some(node).filter(|node| node.members().is_some())
    }

    /// Takes a string.
    pub(crate) fn string(&mut self, key: &str) -> Option<Spanned<String>> {
        self.typed(key, "a string", |node| node.as_str().map(str::to_owned))
    }

    /// Takes a string that must be there.
    pub(crate) fn required_string(&mut self, key: &str, whose: &str) -> Option<Spanned<String>> {
        if !self.left.iter().any(|(name, _)| name.name == key) {
            self.missing(key, whose);
        }
        self.string(key)
    }

    /// Takes `true` or `false`.
    pub(crate) fn boolean(&mut self, key: &str) -> Option<Spanned<bool>> {
        self.typed(key, "a boolean", Node::as_bool)
    }

    /// Takes an integer from zero.
    pub(crate) fn integer(&mut self, key: &str) -> Option<Spanned<u64>> {
        self.typed(key, "an integer from 0", |node| node.as_number()?.parse().ok())
    }

    /// Takes an array; each of its items is the caller's business.
    pub(crate) fn array(&mut self, key: &str) -> &'n [Node] {
        let Some(node) = self.present(key) else { return &[] };
        if node.items().is_none() {
            self.found.push(wrong_type(node, "an array"));
        }
        node.items().unwrap_or_default()
    }

    /// Takes an array of strings.
    pub(crate) fn strings(&mut self, key: &str) -> Vec<Spanned<String>> {
        let items = self.array(key);
        strings(items, self.found)
    }

    /// Takes a member of a type that one function recognizes.
    pub(crate) fn typed<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&Node) -> Option<T>,
    ) -> Option<Spanned<T>> {
        let node = self.present(key)?;
        let value = read(node);
        if value.is_none() {
            self.found.push(wrong_type(node, expected).label(format!("`{key}` takes {expected}")));
        }
        value.map(|value| Spanned::new(value, node.span))
    }

    /// Reports a key that must be there.
    pub(crate) fn missing(&mut self, key: &str, whose: &str) {
        let span = if self.span.start == self.span.end {
            self.left.first().or(self.strangers.first()).map_or(self.span, |(key, _)| key.span)
        } else {
            self.span
        };
        let message = format!("`{key}` is missing in {whose}");
        self.found.push(Diagnostic::error(Code::MISSING_KEY, span, message).help(format!("add `{key}`")));
    }

    /// Takes keys that mean something elsewhere, and nothing here: whoever writes one expects something of it.
    pub(crate) fn useless(&mut self, keys: &[&str], whose: &str, help: &str) {
        let is_useless = |(name, _): &&(Key, Node)| keys.contains(&name.name.as_str());
        for (key, _) in self.strangers.iter().copied().filter(is_useless) {
            let message = format!("`{}` does nothing in {whose}", key.name);
            self.found.push(Diagnostic::error(Code::UNKNOWN_KEY, key.span, message).help(help));
        }
        self.strangers.retain(|member| !is_useless(member));
    }

    /// The keys that can stand here.
    pub(crate) fn known(&self) -> &[&'static str] {
        &self.known
    }

    /// The members that have no place here.
    pub(crate) fn strangers(&mut self) -> Vec<&'n (Key, Node)> {
        std::mem::take(&mut self.strangers)
    }

    /// Reports every key that has no place here as an error.
    pub(crate) fn finish(self, whose: &str) {
        for (key, _) in self.strangers {
            let message = format!("unknown key `{}` in {whose}", key.name);
            let finding = Diagnostic::error(Code::UNKNOWN_KEY, key.span, message);
            self.found.push(with_suggestion(finding, &key.name, &self.known));
        }
    }
}

/// Reports a value of another type than its key takes.
pub(crate) fn wrong_type(node: &Node, expected: &str) -> Diagnostic {
    let message = format!("found {}, expected {expected}", node.describe());
    Diagnostic::error(Code::WRONG_TYPE, node.span, message).help(how_to_write(expected))
}

/// How a value of an expected type is written.
pub(crate) fn how_to_write(expected: &str) -> &'static str {
    let begins = |words: &[&str]| words.iter().any(|word| expected.starts_with(word));
    if begins(&["a string"]) {
        "put it in quotes: `\"…\"`"
    } else if begins(&["a boolean"]) {
        "write `true` or `false`"
    } else if begins(&["an array", "a list"]) {
        "put it in brackets: `[…]`"
    } else if begins(&["an integer"]) {
        "write it in digits alone, such as `10`"
    } else if begins(&["a number"]) {
        "write it without quotes, such as `1.5`"
    } else {
        "put it in braces: `{ … }`"
    }
}

/// The strings among `items`; the others are reported.
pub(crate) fn strings(items: &[Node], found: &mut Diagnostics) -> Vec<Spanned<String>> {
    let mut strings = Vec::with_capacity(items.len());
    for item in items {
        match &item.kind {
            NodeKind::String(text) => strings.push(Spanned::new(text.clone(), item.span)),
            NodeKind::Array(_) | NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::Object(_) => {
                found.push(wrong_type(item, "a string"));
            }
        }
    }
    strings
}

/// Adds `did you mean` where a known word is near, and otherwise says which words are known.
pub(crate) fn with_suggestion(finding: Diagnostic, word: &str, known: &[&str]) -> Diagnostic {
    match nearest(word, known) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => finding.help("leave it out: nothing can stand here"),
        None => finding.help(format!("what can stand here is {}", listed(known))),
    }
}

/// Words in backticks; of many the first ones.
pub(crate) fn listed(words: &[&str]) -> String {
    const SHOWN: usize = 12;
    let mut quoted: Vec<String> = words.iter().take(SHOWN).map(|word| format!("`{word}`")).collect();
    if words.len() > SHOWN {
        quoted.push("…".to_owned());
    }
    quoted.join(", ")
}

/// The known word that the author may have meant: one that differs in a third of the letters of the shorter at most, or
/// that begins with the four or more that stand there.
pub(crate) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let plain = |text: &str| text.replace(['_', '-', ' '], "").to_lowercase();
    let word = plain(word);
    let distances = known.iter().map(|candidate| (distance(&word, &plain(candidate)), *candidate));
    let length = |text: &str| text.chars().count();
    let near = |(distance, candidate): &(usize, &str)| *distance <= (length(&word).min(length(candidate)) / 3).max(1);
    let begins = |candidate: &&&str| length(&word) >= 4 && plain(candidate).starts_with(&word);
    let nearest = distances.min_by_key(|(distance, _)| *distance).filter(near).map(|(_, candidate)| candidate);
    nearest.or_else(|| known.iter().find(begins).copied())
}

/// How many letters to insert, drop, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last_at(&before_last, j) + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The cell two rows up and two columns left of column `j`.
fn before_last_at(row: &[usize], j: usize) -> usize {
    row.get(j - 2).copied().unwrap_or(usize::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_proposed_and_far_ones_are_not() {
        let known = ["description", "title", "timeout", "type"];
        assert_eq!(nearest("desciption", &known), Some("description"));
        assert_eq!(nearest("time_out", &known), Some("timeout"));
        assert_eq!(nearest("tilte", &known), Some("title"));
        assert_eq!(nearest("desc", &known), Some("description"));
        assert_eq!(nearest("des", &known), None);
        assert_eq!(nearest("colour", &known), None);
    }
}

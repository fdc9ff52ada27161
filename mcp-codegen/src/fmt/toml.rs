//! Lays out TOML: a blank line between tables, one blank around each sign (or a column of signs, where there was one), no
//! indentation; an array stays on its line, or has an item a line. Comments and single blank lines stay where they are.

use std::collections::BTreeMap;

use toml_edit::{Array, Decor, DocumentMut, InlineTable, Item, Key, KeyMut, RawString, Table, Value};

/// What fits on a line.
const WIDTH: usize = 120;

/// Before the items of a broken array.
const INDENT: &str = "    ";

/// The text laid out; nothing if it is no TOML.
pub(super) fn format(text: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let mut is_first = true;
    table(document.as_table_mut(), &mut is_first);
    let trailing = block(document.trailing().as_str().unwrap_or_default(), is_first);
    document.set_trailing(trailing);
    let made = document.to_string();
    let made = made.trim_end();
    Some(if made.is_empty() { String::new() } else { format!("{made}\n") })
}

/// The keys of a table, and the tables in it. `is_first` tells whether nothing stands before.
fn table(table: &mut Table, is_first: &mut bool) {
    let columns = aligned(table);
    for (mut key, item) in table.iter_mut() {
        match item {
            Item::Value(value) => {
                let padding = columns.get(key.get()).copied().unwrap_or(1);
                line((&mut key, padding), value, is_first);
            }
            Item::Table(inner) if inner.is_dotted() => {
                tighten(&mut key);
                self::table(inner, is_first);
            }
            Item::Table(_) | Item::ArrayOfTables(_) | Item::None => {}
        }
    }
    for (mut key, item) in table.iter_mut() {
        match item {
            Item::Table(inner) if !inner.is_dotted() => {
                tighten(&mut key);
                header(inner, is_first);
            }
            Item::ArrayOfTables(tables) => {
                tighten(&mut key);
                tables.iter_mut().for_each(|inner| header(inner, is_first));
            }
            Item::Table(_) | Item::Value(_) | Item::None => {}
        }
    }
}

/// A table with its header.
fn header(inner: &mut Table, is_first: &mut bool) {
    if !inner.is_implicit() {
        let comments = block(prefix(inner.decor()), true);
        let space = if std::mem::replace(is_first, false) { "" } else { "\n" };
        let suffix = trailing_comment(suffix(inner.decor()));
        *inner.decor_mut() = Decor::new(format!("{space}{comments}"), suffix);
    }
    // A blank line after a header would say that what follows is something else.
    let mut opens = true;
    table(inner, if inner.is_implicit() { is_first } else { &mut opens });
}

/// `key = value`, with the comments before and after.
fn line((key, padding): (&mut KeyMut<'_>, usize), value: &mut Value, is_first: &mut bool) {
    let before = block(prefix(key.leaf_decor()), std::mem::replace(is_first, false));
    *key.leaf_decor_mut() = Decor::new(before, " ".repeat(padding));
    *key.dotted_decor_mut() = Decor::new("", "");
    let after = trailing_comment(suffix(value.decor()));
    *value.decor_mut() = Decor::new("", "");
    let room = WIDTH.saturating_sub(key.get().chars().count() + 3);
    lay_out(value, 0, Some(room));
    *value.decor_mut() = Decor::new(" ", after);
}

/// How many blanks follow each key whose author put it in a column: lines without anything between them, whose signs stand
/// below each other. Where they stand anywhere else, one blank follows.
fn aligned(table: &Table) -> BTreeMap<String, usize> {
    let mut columns = BTreeMap::new();
    let mut group: Vec<(&Key, usize)> = Vec::new();
    for (name, item) in table {
        let key = table.key(name).filter(|_| item.is_value());
        if key.is_none_or(|key| prefix(key.leaf_decor()).contains(['\n', '#'])) {
            align(&std::mem::take(&mut group), &mut columns);
        }
        group.extend(key.map(|key| (key, key.display_repr().chars().count())));
    }
    align(&group, &mut columns);
    columns
}

fn align(group: &[(&Key, usize)], columns: &mut BTreeMap<String, usize>) {
    let sign = |(key, width): &(&Key, usize)| width + suffix(key.leaf_decor()).len();
    let Some(first) = group.first().map(sign) else { return };
    if group.iter().all(|line| sign(line) == first) {
        let widest = group.iter().map(|(_, width)| *width).max().unwrap_or_default();
        columns.extend(group.iter().map(|(key, width)| (key.get().to_owned(), widest - width + 1)));
    }
}

/// A key without blanks around it.
fn tighten(key: &mut KeyMut<'_>) {
    *key.leaf_decor_mut() = Decor::new("", "");
    *key.dotted_decor_mut() = Decor::new("", "");
}

/// What is inside a value; its own place is the caller's to say. An array that stands in a line of its own is broken
/// where the line has no room.
fn lay_out(value: &mut Value, depth: usize, room: Option<usize>) {
    match value {
        Value::Array(array) => self::array(array, depth, room),
        Value::InlineTable(table) => inline_table(table, depth),
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
}

fn array(array: &mut Array, depth: usize, room: Option<usize>) {
    // Behind the last item, where no comma says so, stands what belongs before the end.
    if let Some(last) = array.iter_mut().last() {
        let after = suffix(last.decor()).to_owned();
        last.decor_mut().set_suffix("");
        array.set_trailing(after + raw(array.trailing()));
    }
    if array.iter().any(|item| suffix(item.decor()).contains('#')) {
        return; // A comment before a comma has no better place.
    }
    let is_broken =
        array.iter().any(|item| prefix(item.decor()).contains('\n')) || raw(array.trailing()).contains('\n');
    if !is_broken {
        on_one_line(array, depth);
        if array.is_empty() || room.is_none_or(|room| array.to_string().chars().count() <= room) {
            return;
        }
    }
    let indent = INDENT.repeat(depth + 1);
    for item in array.iter_mut() {
        let before = broken(prefix(item.decor()), &indent);
        lay_out(item, depth + 1, None);
        *item.decor_mut() = Decor::new(format!("{before}\n{indent}"), "");
    }
    let end = broken(raw(array.trailing()), &indent);
    array.set_trailing_comma(!array.is_empty());
    array.set_trailing(format!("{end}\n{}", INDENT.repeat(depth)));
}

fn on_one_line(array: &mut Array, depth: usize) {
    for (index, item) in array.iter_mut().enumerate() {
        lay_out(item, depth, None);
        *item.decor_mut() = Decor::new(if index == 0 { "" } else { " " }, "");
    }
    array.set_trailing_comma(false);
    array.set_trailing("");
}

/// `{ a = 1, b = 2 }`. One that goes over several lines stays as it is: not every reader takes those.
fn inline_table(table: &mut InlineTable, depth: usize) {
    let is_broken = |decor: &Decor| prefix(decor).contains('\n') || suffix(decor).contains('\n');
    let mut goes_over = raw(table.trailing()).contains('\n');
    walk(table, &mut |key, value| goes_over |= is_broken(key.leaf_decor()) || is_broken(value.decor()));
    if goes_over {
        return;
    }
    let mut index = 0;
    walk(table, &mut |key, value| {
        lay_out(value, depth, None);
        *key.leaf_decor_mut() = Decor::new(" ", " ");
        *key.dotted_decor_mut() = Decor::new("", "");
        *value.decor_mut() = Decor::new(" ", "");
        index += 1;
    });
    table.set_trailing_comma(false);
    table.set_trailing(if index == 0 { "" } else { " " });
}

/// Each key with a value in an inline table, those behind dotted keys included.
fn walk(table: &mut InlineTable, visit: &mut dyn FnMut(&mut KeyMut<'_>, &mut Value)) {
    for (mut key, value) in table.iter_mut() {
        match value {
            Value::InlineTable(inner) if inner.is_dotted() => {
                *key.dotted_decor_mut() = Decor::new("", "");
                walk(inner, visit);
            }
            value => visit(&mut key, value),
        }
    }
}

/// Comments and blank lines before something that begins a line: never two blank lines, and none at the beginning.
fn block(text: &str, is_first: bool) -> String {
    let mut out = String::new();
    let mut blank = false;
    let mut lines = text.split('\n').map(str::trim).collect::<Vec<_>>();
    lines.pop(); // What stands on the line itself is indentation.
    for line in lines {
        if line.is_empty() {
            blank = !(is_first && out.is_empty());
            continue;
        }
        if std::mem::take(&mut blank) {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
    }
    if blank && !(is_first && out.is_empty()) {
        out.push('\n');
    }
    out
}

/// Comments between the items of an array: one that ends the line of the item before, and lines of their own.
fn broken(text: &str, indent: &str) -> String {
    let mut out = String::new();
    for (index, line) in text.split('\n').map(str::trim).enumerate().filter(|(_, line)| line.starts_with('#')) {
        if index == 0 {
            out.push(' ');
        } else {
            out.push('\n');
            out.push_str(indent);
        }
        out.push_str(line);
    }
    out
}

/// A comment at the end of a line stays in the column that its author chose.
fn trailing_comment(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() || text.starts_with([' ', '\t']) { text.to_owned() } else { format!(" {text}") }
}

fn prefix(decor: &Decor) -> &str {
    decor.prefix().map(raw).unwrap_or_default()
}

fn suffix(decor: &Decor) -> &str {
    decor.suffix().map(raw).unwrap_or_default()
}

fn raw(text: &RawString) -> &str {
    text.as_str().unwrap_or_default()
}

/// All comments of a text, sorted.
pub(super) fn comments(text: &str) -> Vec<&str> {
    let mut comments = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['#', '"', '\'']) {
        rest = &rest[start..];
        let length = match rest.as_bytes()[0] {
            b'#' => {
                let comment = rest.lines().next().unwrap_or_default();
                comments.push(comment.trim_end());
                comment.len()
            }
            quote => string_length(rest, char::from(quote)),
        };
        rest = &rest[length..];
    }
    comments.sort_unstable();
    comments
}

/// How many bytes the string has that begins here.
fn string_length(text: &str, quote: char) -> usize {
    let three: String = std::iter::repeat_n(quote, 3).collect();
    let end = if text.starts_with(&three) { three } else { quote.to_string() };
    let mut at = end.len();
    while at < text.len() && !text[at..].starts_with(&end) {
        let escaped = quote == '"' && text[at..].starts_with('\\');
        let skipped = text[at..].chars().take(1 + usize::from(escaped)).map(char::len_utf8);
        at += skipped.sum::<usize>();
    }
    // Up to two quotes of the string itself can stand before the three that end it.
    let mut length = (at + end.len()).min(text.len());
    while end.len() == 3 && length < at + 5 && text[length..].starts_with(quote) {
        length += 1;
    }
    length
}

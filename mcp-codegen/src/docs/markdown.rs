//! The page as Markdown (`CommonMark`, as GitHub shows it). Whatever a contract says is text there, and no markup.

use std::fmt::Write;

use askama::Template;

use super::field::Field;
use super::model::{Body, Fact, Page};
use super::text::{Piece, Prose};

#[derive(Template)]
#[template(path = "docs/page.md.j2", escape = "none")]
struct PageTemplate<'p> {
    page: &'p Page,
}

pub(super) fn render(page: &Page) -> askama::Result<String> {
    let text = PageTemplate { page }.render()?;
    Ok(text.trim_end().to_owned() + "\n")
}

/// Text on one line.
fn words(text: &str) -> String {
    escaped(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Text with a backslash before each sign that could be markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>&|~$#!{}".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The same for a line: at its beginning, other signs are markup, too.
fn line(text: &str) -> String {
    let text = text.trim_start();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_marked = text.starts_with(['-', '+', '=']);
    let is_numbered = digits > 0 && text[digits..].starts_with(['.', ')']);
    let escaped = escaped(text);
    match (is_marked, is_numbered) {
        (true, _) => format!("\\{escaped}"),
        (_, true) => format!("{}\\{}", &escaped[..digits], &escaped[digits..]),
        (false, false) => escaped,
    }
}

/// A block of paragraphs, or nothing.
fn prose(prose: &Prose, indent: &str) -> String {
    let paragraphs: Vec<String> = prose.iter().map(|pieces| paragraph(pieces, indent)).collect();
    let separator = format!("\n\n{indent}");
    if paragraphs.is_empty() { String::new() } else { format!("\n{indent}{}\n", paragraphs.join(&separator)) }
}

fn paragraph(pieces: &[Piece], indent: &str) -> String {
    let mut out = String::new();
    for piece in pieces {
        if piece.is_code {
            out.push_str(&code(&piece.text));
            continue;
        }
        for (index, text) in piece.text.split('\n').enumerate() {
            let begins = index > 0 || out.is_empty();
            if index > 0 {
                // Writing to a `String` cannot fail.
                write!(out, "\\\n{indent}").unwrap_or_default();
            }
            out.push_str(&if begins { line(text) } else { escaped(text) });
        }
    }
    out
}

/// Code inside a line, in more backticks than it has.
fn code(text: &str) -> String {
    let text = text.replace('\n', " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Code in a block of its own.
fn fenced(text: &str, language: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let text = text.trim_end_matches('\n');
    format!("{fence}{language}\n{text}\n{fence}\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn badges(badges: &[&str]) -> String {
    if badges.is_empty() { String::new() } else { format!("\n*{}*\n", badges.join(", ")) }
}

fn facts(facts: &[Fact]) -> String {
    if facts.is_empty() { String::new() } else { format!("\n{}\n", inline(facts)) }
}

fn inline(facts: &[Fact]) -> String {
    let fact = |fact: &Fact| {
        let codes: Vec<String> = fact.codes.iter().map(|text| code(text)).collect();
        let value = if codes.is_empty() { escaped(&fact.words) } else { codes.join(", ") };
        format!("{}: {value}", fact.label)
    };
    facts.iter().map(fact).collect::<Vec<_>>().join(" · ")
}

/// A list with an item for each value, and lists in it for what is inside.
fn fields(fields: &[Field], depth: usize) -> String {
    let (indent, inner) = ("  ".repeat(depth), "  ".repeat(depth + 1));
    let mut out = String::new();
    for field in fields {
        let name = field.name.as_ref().map_or_else(|| format!("*{}*", words(&field.role)), |name| code(name));
        let says = [(field.required, "**required**"), (field.secret, "secret"), (field.deprecated, "deprecated")];
        let says = says.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned());
        let about: Vec<String> = std::iter::once(words(&field.ty)).chain(says).collect();
        // Writing to a `String` cannot fail.
        write!(out, "{indent}- {name} ({})", about.join(", ")).unwrap_or_default();
        let mut paragraphs = field.description.iter();
        if let Some(first) = paragraphs.next() {
            write!(out, ": {}", paragraph(first, &inner)).unwrap_or_default();
        }
        let rest: Prose = paragraphs.cloned().collect();
        if !field.facts.is_empty() {
            write!(out, "\\\n{inner}{}", inline(&field.facts)).unwrap_or_default();
        }
        out.push('\n');
        if !rest.is_empty() {
            writeln!(out, "{}", prose(&rest, &inner)).unwrap_or_default();
        }
        out.push_str(&self::fields(&field.fields, depth + 1));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        assert_eq!(line("- a *b* <script>"), "\\- a \\*b\\* \\<script\\>");
        assert_eq!(line("12. x"), "12\\. x");
        assert_eq!(line("---"), "\\---");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(fenced("```\nx", ""), "````\n```\nx\n````\n");
    }
}

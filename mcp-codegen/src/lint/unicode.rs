//! Characters that nobody sees: they can hide orders from the people who review a contract.

use crate::contract::Common;
use crate::diagnostic::Severity;
use crate::document::Node;
use crate::lint::cx::Cx;
use crate::lint::rule::{Client, Does, Finding, Rule};
use crate::source::Span;

pub(super) const RULES: &[Rule] = &[Rule {
    id: "hidden-character",
    title: "a character that nobody sees",
    clients: &[Client::every(Severity::Error, Does::Misreads, "people do not see it, and models read it")
        .seen("2026-11", "owasp.org MCP top ten, tool poisoning; unicode.org report 36")],
    wrong: "[[tools]]\nname = \"add\"\ndescription = \"Add \\u202E numbers\"",
    right: "[[tools]]\nname = \"add\"\ndescription = \"Add numbers\"",
    find: hidden_character,
}];

fn hidden_character(cx: &Cx<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for common in cx.features() {
        inside(cx, Some(common), &common.definition, &mut found);
    }
    let messages = cx.contract.prompts.iter().filter_map(|prompt| Some((&prompt.common, prompt.messages.as_ref()?)));
    for (common, messages) in messages {
        messages.value.iter().for_each(|message| inside(cx, Some(common), message, &mut found));
    }
    if let Some(info) = &cx.contract.server.info {
        inside(cx, None, info, &mut found);
    }
    if let Some(text) = &cx.contract.server.instructions {
        found.extend(first(cx, None, (&text.value, text.span)));
    }
    found
}

/// Keys and strings, however deep.
fn inside(cx: &Cx<'_>, common: Option<&Common>, root: &Node, found: &mut Vec<Finding>) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        found.extend(node.as_str().and_then(|text| first(cx, common, (text, node.span))));
        open.extend(node.items().unwrap_or_default());
        for (key, value) in node.members().unwrap_or_default() {
            found.extend(first(cx, common, (&key.name, key.span)));
            open.push(value);
        }
    }
}

/// The first hidden character of a text.
fn first(cx: &Cx<'_>, common: Option<&Common>, (text, span): (&str, Span)) -> Option<Finding> {
    let before = |at: usize| text[..at].chars().next_back();
    let (c, what) = text.char_indices().find_map(|(at, c)| Some((c, hidden(c, before(at))?)))?;
    let message = format!("the text has U+{:04X}, {what}", u32::from(c));
    let said = (message, "take it out".to_owned());
    let place = cx.inside(span, c.encode_utf8(&mut [0; 4]));
    Some(match common {
        Some(common) => Finding::of(common, place, said),
        None => Finding::of_server(place, said),
    })
}

/// What a hidden character is called. One that joins two others is seen where it joins letters that are not of ASCII,
/// as in Persian or in emoji.
pub(crate) fn hidden(c: char, before: Option<char>) -> Option<&'static str> {
    let joins = before.is_some_and(|before| !before.is_ascii());
    match c {
        '\n' | '\r' | '\t' => None,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some("a control character"),
        '\u{ad}' => Some("a soft hyphen"),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some("which turns the direction of text")
        }
        '\u{200c}' | '\u{200d}' if joins => None,
        '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}' => Some("which has no width"),
        '\u{2028}' | '\u{2029}' => Some("which breaks the line"),
        '\u{fff9}'..='\u{fffb}' => Some("an annotation mark"),
        // Flags of regions are spelled with tags, after an emoji.
        '\u{e0000}'..='\u{e007f}' if !joins => Some("a tag, which spells letters unseen"),
        '\u{e0100}'..='\u{e01ef}' => Some("a selector of variants, which can carry data unseen"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_joins_is_seen_only_between_letters_beyond_ascii() {
        assert_eq!(hidden('\u{200d}', Some('👩')), None);
        assert_eq!(hidden('\u{200c}', Some('ی')), None);
        assert!(hidden('\u{200d}', Some('a')).is_some());
        assert!(hidden('\u{e0041}', Some('a')).is_some());
        assert_eq!(hidden('\u{fe0f}', Some('❤')), None);
    }
}

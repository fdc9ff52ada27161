//! The text of a pattern → [`Node`].
//!
//! The grammar is that of the `u` flag. Beyond it go the spellings of the older grammar whose meaning is plain, since
//! schemas in use are full of them: an escaped sign that needs no escape (`\-`, `\@`), a bracket or brace that stands
//! alone, and a hyphen beside a class (`[\w-.]`).

use crate::pattern::ranges::{inverted, merged};
use crate::pattern::{Class, Node, Part};

const DIGITS: &[(char, char)] = &[('0', '9')];
const WORDS: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
/// White space and line ends of ECMA-262.
const SPACES: &[(char, char)] = &[
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];
const LINE_ENDS: &[(char, char)] = &[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];

/// Groups inside groups. The engines end at 250.
const MAX_DEPTH: u32 = 100;

/// Repetitions that no engine could unroll are refused here.
const MAX_COUNT: u32 = 100_000;

type Parsed<T> = Result<T, String>;

/// Reads a pattern, or says what is wrong with it.
pub(crate) fn parse(text: &str) -> Parsed<Node> {
    let mut parser = Parser { rest: text, depth: 0, groups: 0, names: names(text), deepest_reference: 0 };
    let node = parser.alternatives()?;
    if !parser.rest.is_empty() {
        return Err("a `)` closes nothing".to_owned());
    }
    if parser.deepest_reference > parser.groups {
        return Err(format!("`\\{}` refers to a group that is not there", parser.deepest_reference));
    }
    Ok(node)
}

struct Parser<'t> {
    rest: &'t str,
    depth: u32,
    /// Groups with a number that have been opened.
    groups: u32,
    /// The names of all groups, each with its number.
    names: Vec<(&'t str, u32)>,
    deepest_reference: u32,
}

impl Parser<'_> {
    fn alternatives(&mut self) -> Parsed<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("groups are nested too deeply".to_owned());
        }
        let mut alternatives = vec![self.sequence()?];
        while self.take("|") {
            alternatives.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(if alternatives.len() == 1 { alternatives.remove(0) } else { Node::Alternatives(alternatives) })
    }

    fn sequence(&mut self) -> Parsed<Node> {
        let mut nodes = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let node = self.atom()?;
            nodes.push(self.repeated(node)?);
        }
        Ok(Node::Sequence(nodes))
    }

    fn atom(&mut self) -> Parsed<Node> {
        if self.count()?.is_some() {
            return Err("`{` repeats nothing".to_owned());
        }
        let character = self.next().unwrap_or_default();
        Ok(match character {
            '^' => Node::Start,
            '$' => Node::End,
            '.' => Node::Class(Class::of(LINE_ENDS, true)),
            '(' => self.group()?,
            '[' => Node::Class(self.class()?),
            '\\' => self.escape()?,
            '*' | '+' | '?' => return Err(format!("`{character}` repeats nothing")),
            _ => Node::Class(Class::one(character)),
        })
    }

    fn group(&mut self) -> Parsed<Node> {
        let looks = [("?=", false, false), ("?!", false, true), ("?<=", true, false), ("?<!", true, true)];
        for (start, behind, negated) in looks {
            if self.take(start) {
                return Ok(Node::Look { behind, negated, inner: self.inside()? });
            }
        }
        if self.take("?:") {
            return Ok(Node::Group { number: None, inner: self.inside()? });
        }
        if self.take("?<") {
            let (name, rest) = self.rest.split_once('>').ok_or("the name of a group does not end")?;
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
            if name.is_empty() || name.starts_with(|c: char| c.is_numeric()) || !name.chars().all(is_name) {
                return Err(format!("`{name}` is no name for a group"));
            }
            self.rest = rest;
        } else if self.rest.starts_with('?') {
            let sign: String = self.rest.chars().take(2).collect();
            return Err(format!("`({sign}` is no group of ECMA-262"));
        }
        self.groups += 1;
        let number = Some(self.groups);
        Ok(Node::Group { number, inner: self.inside()? })
    }

    /// What a group holds, up to its end.
    fn inside(&mut self) -> Parsed<Box<Node>> {
        let inner = self.alternatives()?;
        if self.take(")") { Ok(Box::new(inner)) } else { Err("a `(` is not closed".to_owned()) }
    }

    fn repeated(&mut self, node: Node) -> Parsed<Node> {
        let (min, max) = if self.take("*") {
            (0, None)
        } else if self.take("+") {
            (1, None)
        } else if self.take("?") {
            (0, Some(1))
        } else {
            match self.count()? {
                Some(count) => count,
                None => return Ok(node),
            }
        };
        if matches!(node, Node::Start | Node::End | Node::Boundary { .. } | Node::Look { .. }) {
            return Err("what matches no character cannot be repeated".to_owned());
        }
        if max.is_some_and(|max| max < min) {
            return Err(format!("a repetition of at least {min} and at most {}", max.unwrap_or_default()));
        }
        let lazy = self.take("?");
        if self.rest.starts_with(['*', '+', '?']) {
            return Err("a repetition is repeated".to_owned());
        }
        Ok(Node::Repeat { inner: Box::new(node), min, max, lazy })
    }

    /// `{2}`, `{2,}` or `{2,3}`, if that is what follows.
    fn count(&mut self) -> Parsed<Option<(u32, Option<u32>)>> {
        let braced = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let Some((inside, rest)) = braced else { return Ok(None) };
        let (min, max) = inside.split_once(',').map_or((inside, None), |(min, max)| (min, Some(max)));
        let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_count(min) || max.is_some_and(|max| !max.is_empty() && !is_count(max)) {
            return Ok(None);
        }
        let number = |text: &str| match text.parse() {
            Ok(number) if number <= MAX_COUNT => Ok(number),
            Ok(_) | Err(_) => Err(format!("a repetition of {text} is too long")),
        };
        let min = number(min)?;
        let max = match max {
            None => Some(min),
            Some("") => None,
            Some(max) => Some(number(max)?),
        };
        self.rest = rest;
        Ok(Some((min, max)))
    }

    /// What follows a backslash outside of a class.
    fn escape(&mut self) -> Parsed<Node> {
        if self.take("b") {
            return Ok(Node::Boundary { negated: false });
        }
        if self.take("B") {
            return Ok(Node::Boundary { negated: true });
        }
        if self.take("k<") {
            let (name, rest) = self.rest.split_once('>').ok_or("the name of a group does not end")?;
            let known = self.names.iter().find(|(known, _)| *known == name);
            let (_, number) = known.ok_or_else(|| format!("there is no group `{name}`"))?;
            self.rest = rest;
            return Ok(Node::Backreference(*number));
        }
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 && !self.rest.starts_with('0') {
            let number = self.rest[..digits].parse().map_err(|_| "a reference to too far a group".to_owned())?;
            self.rest = &self.rest[digits..];
            self.deepest_reference = self.deepest_reference.max(number);
            return Ok(Node::Backreference(number));
        }
        Ok(Node::Class(match self.escaped()? {
            Escaped::Class(class) => class,
            Escaped::Character(character) => Class::one(character),
        }))
    }

    fn class(&mut self) -> Parsed<Class> {
        let mut class = Class { negated: self.take("^"), parts: Vec::new() };
        while !self.take("]") {
            let first = self.class_atom()?;
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            let first = match first {
                Escaped::Character(first) => first,
                Escaped::Class(inner) => {
                    class.parts.extend(parts(inner));
                    continue;
                }
            };
            if !is_range {
                class.parts.push(Part::Range(first, first));
                continue;
            }
            self.next();
            match self.class_atom()? {
                Escaped::Character(last) if first > last => {
                    return Err(format!("the range `{first}-{last}` runs backwards"));
                }
                Escaped::Character(last) => class.parts.push(Part::Range(first, last)),
                Escaped::Class(inner) => {
                    class.parts.extend([Part::Range(first, first), Part::Range('-', '-')]);
                    class.parts.extend(parts(inner));
                }
            }
        }
        Ok(class)
    }

    fn class_atom(&mut self) -> Parsed<Escaped> {
        match self.next() {
            None => Err("a `[` is not closed".to_owned()),
            Some('\\') if self.take("b") => Ok(Escaped::Character('\u{8}')),
            Some('\\') => self.escaped(),
            Some(character) => Ok(Escaped::Character(character)),
        }
    }

    /// What follows a backslash, in a class or outside.
    fn escaped(&mut self) -> Parsed<Escaped> {
        let character = self.next().ok_or("a `\\` escapes nothing")?;
        Ok(match character {
            'd' | 'D' => Escaped::Class(Class::of(DIGITS, character == 'D')),
            's' | 'S' => Escaped::Class(Class::of(SPACES, character == 'S')),
            'w' | 'W' => Escaped::Class(Class::of(WORDS, character == 'W')),
            'p' | 'P' => Escaped::Class(self.property(character == 'P')?),
            't' => Escaped::Character('\t'),
            'n' => Escaped::Character('\n'),
            'v' => Escaped::Character('\u{b}'),
            'f' => Escaped::Character('\u{c}'),
            'r' => Escaped::Character('\r'),
            '0' if !self.rest.starts_with(|c: char| c.is_ascii_digit()) => Escaped::Character('\0'),
            'c' => {
                let letter = self.next().filter(char::is_ascii_alphabetic).ok_or("`\\c` without a letter")?;
                Escaped::Character(char::from(u8::try_from(letter).unwrap_or_default() % 32))
            }
            'x' => Escaped::Character(self.hexadecimal(2).and_then(char::from_u32).ok_or("`\\x` without two digits")?),
            'u' => Escaped::Character(self.unicode()?),
            other if other.is_alphanumeric() => return Err(format!("`\\{other}` is no escape of ECMA-262")),
            other => Escaped::Character(other),
        })
    }

    fn property(&mut self, negated: bool) -> Parsed<Class> {
        let braced = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let (text, rest) = braced.ok_or("`\\p` without a property in braces")?;
        self.rest = rest;
        // The crate knows the names that ECMA-262 knows; it is looser about case and spaces.
        let is_strict = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '='));
        if !is_strict || regex_syntax::Parser::new().parse(&format!(r"\p{{{text}}}")).is_err() {
            return Err(format!("there is no property `{text}`"));
        }
        Ok(Class { negated: false, parts: vec![Part::Property { text: text.to_owned(), negated }] })
    }

    /// What follows `\u`: a code point in braces, or four digits, of which two may make a pair.
    fn unicode(&mut self) -> Parsed<char> {
        let none = || "`\\u` without a character".to_owned();
        if let Some((digits, rest)) = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            self.rest = rest;
            return u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or_else(none);
        }
        let unit = self.hexadecimal(4).ok_or_else(none)?;
        if !(0xd800..0xdc00).contains(&unit) || !self.take("\\u") {
            return char::from_u32(unit).ok_or_else(none);
        }
        let low = self.hexadecimal(4).filter(|low| (0xdc00..0xe000).contains(low)).ok_or_else(none)?;
        char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).ok_or_else(none)
    }

    fn hexadecimal(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest.get(..count).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        self.rest = &self.rest[count..];
        u32::from_str_radix(digits, 16).ok()
    }

    fn take(&mut self, start: &str) -> bool {
        let rest = self.rest.strip_prefix(start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next();
        self.rest = characters.as_str();
        next
    }
}

/// What an escape stands for.
enum Escaped {
    Character(char),
    Class(Class),
}

/// What an escape adds to the class that it stands in. Only sets of ranges are negated escapes.
fn parts(class: Class) -> Vec<Part> {
    let ranges: Option<Vec<(char, char)>> = class.parts.iter().map(Part::range).collect();
    match ranges {
        Some(ranges) if class.negated => {
            inverted(&merged(ranges)).into_iter().map(|(first, last)| Part::Range(first, last)).collect()
        }
        Some(_) | None => class.parts,
    }
}

/// The names of groups, which references may use before they come.
fn names(text: &str) -> Vec<(&str, u32)> {
    let mut names = Vec::new();
    let (mut number, mut in_class, mut escaped) = (0, false, false);
    for (place, character) in text.char_indices() {
        let after = &text[place + character.len_utf8()..];
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let name = after.strip_prefix("?<").filter(|rest| !rest.starts_with(['=', '!']));
                number += u32::from(name.is_some() || !after.starts_with('?'));
                names.extend(name.and_then(|name| name.split_once('>')).map(|(name, _)| (name, number)));
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ecma_262_does_not_know_is_refused() {
        for wrong in [
            "(",
            ")",
            "[a",
            "a**",
            "*",
            "a{2,1}",
            "{2}",
            r"\a",
            r"\Z",
            r"\1",
            r"(a)\2",
            "(?i)a",
            "(?P<n>a)",
            r"\p{Foo}",
            r"\u{110000}",
            r"\ud800",
            "[b-a]",
            r"\k<n>",
            "(?<1>a)",
            r"\x1",
            "\\",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn older_spellings_with_one_meaning_are_read() {
        for (older, strict) in
            [(r"\-\@", "-@"), (r"[\w-.]", r"[\w\-.]"), ("]", r"\]"), ("a{", r"a\{"), (r"[\d-x]", r"[\dx\-]")]
        {
            let parsed = parse(older).unwrap_or_else(|wrong| panic!("{older}: {wrong}"));
            let sorted = |node: Node| {
                let mut text: Vec<char> = format!("{node:?}").chars().collect();
                text.sort_unstable();
                text
            };
            assert_eq!(sorted(parsed), sorted(parse(strict).unwrap()), "{older}");
        }
    }
}

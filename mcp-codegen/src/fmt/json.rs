//! Lays out JSON: two blanks a level. What stands on one line and fits there stays; all else has a member or item a line.
//! Strings and numbers stay as they are spelled.

/// What fits on a line.
const WIDTH: usize = 120;

/// The text, which is known to be JSON.
pub(super) fn format(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0_usize;
    let mut rest = text.trim_start_matches('\u{feff}').trim();
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => string_length(rest)?,
            '{' | '[' => {
                let length = container_length(rest)?;
                let column = out.rsplit('\n').next().unwrap_or_default().chars().count();
                match on_one_line(&rest[..length]) {
                    // A comma may follow.
                    Some(line) if column + line.chars().count() < WIDTH => {
                        out.push_str(&line);
                        rest = rest[length..].trim_start();
                        continue;
                    }
                    Some(_) | None => {}
                }
                out.push(c);
                depth += 1;
                new_line(depth, &mut out);
                1
            }
            '}' | ']' => {
                depth = depth.checked_sub(1)?;
                new_line(depth, &mut out);
                out.push(c);
                1
            }
            ',' => {
                out.push(c);
                new_line(depth, &mut out);
                1
            }
            ':' => {
                out.push_str(": ");
                1
            }
            _ => rest.find([',', ':', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(rest.len()),
        };
        if !matches!(c, '{' | '[' | '}' | ']' | ',' | ':') {
            out.push_str(&rest[..length]);
        }
        rest = rest[length..].trim_start();
    }
    out.push('\n');
    Some(out)
}

fn new_line(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// How many bytes the object or array has that begins here.
fn container_length(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(found) = text[at..].find(['"', '{', '[', '}', ']']) {
        at += found;
        match text.as_bytes()[at] {
            b'"' => at += string_length(&text[at..])?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            _ => {
                depth -= 1;
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
    }
    None
}

/// An object or array as it stands on one line, if it does already, or holds nothing.
fn on_one_line(text: &str) -> Option<String> {
    let inside = text[1..text.len() - 1].trim();
    if inside.is_empty() {
        return Some(format!("{}{}", &text[..1], &text[text.len() - 1..]));
    }
    if text.contains(['\n', '\r']) {
        return None;
    }
    let mut line = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c == '"' { string_length(rest)? } else { c.len_utf8() };
        match c {
            '{' if rest[1..].trim_start().starts_with('}') => line.push('{'),
            '{' => line.push_str("{ "),
            '}' if line.ends_with('{') => line.push('}'),
            '}' => line.push_str(" }"),
            ',' | ':' => {
                line.push(c);
                line.push(' ');
            }
            ' ' | '\t' => {}
            _ => line.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    Some(line)
}

/// How many bytes the string has that begins here, with its quotes.
fn string_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !is_escaped => return Some(index + 1),
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_as_they_are_spelled() {
        let text = "{\"a\":[1.50,1e3, { } ,[\n]],\"\\u0062 {\\\"\" : \"x\\\\\",\"c\":{\"d\":null,\"e\":[1 ,2]}}";
        let expected = "{\n  \"a\": [\n    1.50,\n    1e3,\n    {},\n    []\n  ],\n  \"\\u0062 {\\\"\": \"x\\\\\",\n  \"c\": { \"d\": null, \"e\": [1, 2] }\n}\n";
        assert_eq!(format(text).as_deref(), Some(expected));
        assert_eq!(format(expected).as_deref(), Some(expected));
    }
}

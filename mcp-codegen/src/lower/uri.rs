//! URI templates: text → literals and variables.
//!
//! Served are simple variables (`{city}`, RFC 6570 level 1) with something between them, so that a URI matches in one
//! way only.

use crate::ir::UriPart;

/// Takes a template apart, or says what about it is not served.
pub(crate) fn parse(template: &str) -> Result<Vec<UriPart>, String> {
    let mut parts: Vec<UriPart> = Vec::new();
    let mut rest = template;
    while let Some(start) = rest.find(['{', '}']) {
        let (literal, tail) = rest.split_at(start);
        let expression = tail.strip_prefix('{').and_then(|tail| tail.split_once('}'));
        let Some((name, tail)) = expression else { return Err("a brace without its partner".to_owned()) };
        check_name(name)?;
        if !literal.is_empty() {
            parts.push(UriPart::Literal(literal.to_owned()));
        } else if let Some(UriPart::Variable(before)) = parts.last() {
            return Err(format!("`{{{before}}}` and `{{{name}}}` have nothing between them"));
        }
        if parts.iter().any(|part| matches!(part, UriPart::Variable(known) if known == name)) {
            return Err(format!("the variable `{name}` stands twice"));
        }
        parts.push(UriPart::Variable(name.to_owned()));
        rest = tail;
    }
    if !rest.is_empty() {
        parts.push(UriPart::Literal(rest.to_owned()));
    }
    Ok(parts)
}

fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("a variable without a name".to_owned());
    }
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    match name.chars().find(|c| !allowed(*c)) {
        Some(c) => Err(format!("`{{{name}}}` has a `{c}`; only simple variables such as `{{city}}` are served")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_variables_alternate() {
        let parts = parse("weather://{city}/{date}").unwrap();
        let expected = [
            UriPart::Literal("weather://".into()),
            UriPart::Variable("city".into()),
            UriPart::Literal("/".into()),
            UriPart::Variable("date".into()),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn what_is_not_served_is_said() {
        for template in ["a://{x}{y}", "a://{+path}", "a://{x", "a://x}", "a://{}", "a://{x}/{x}", "a://{x,y}"] {
            assert!(parse(template).is_err(), "{template}");
        }
    }
}

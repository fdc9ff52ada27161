//! The grammar of URI templates (RFC 6570), as far as to find their variables and what breaks it.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Spanned;

/// The variables in order, each once. The first breach of the grammar is reported.
pub(super) fn read(template: &Spanned<String>, found: &mut Diagnostics) -> Vec<String> {
    let mut variables = Vec::new();
    if let Err(fault) = collect(&template.value, &mut variables) {
        let message = format!("`{}` is no URI template: {fault}", template.value);
        let finding = Diagnostic::error(Code::URI_TEMPLATE, template.span, message);
        found.push(finding.help("write variables as `{name}`, of letters, digits and `_` (RFC 6570)"));
    }
    variables
}

fn collect(template: &str, variables: &mut Vec<String>) -> Result<(), String> {
    let mut rest = template;
    while let Some(brace) = rest.find(['{', '}']) {
        let after = &rest[brace + 1..];
        if rest[brace..].starts_with('}') {
            return Err("found `}` without `{`".to_owned());
        }
        let end = after.find(['{', '}']).filter(|end| after[*end..].starts_with('}'));
        let end = end.ok_or_else(|| "found `{` without `}`".to_owned())?;
        expression(&after[..end], variables)?;
        rest = &after[end + 1..];
    }
    Ok(())
}

/// `city`, `/path*`, `?q,lang:2`
fn expression(text: &str, variables: &mut Vec<String>) -> Result<(), String> {
    if let Some(reserved) = text.chars().next().filter(|c| "=,!@|".contains(*c)) {
        return Err(format!("the operator `{reserved}` is reserved"));
    }
    for part in text.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']).split(',') {
        let name = match part.split_once(':') {
            Some((_, length)) if !length.parse::<u16>().is_ok_and(|length| (1..10_000).contains(&length)) => {
                return Err(format!("`:{length}` is no length from 1 to 9999"));
            }
            Some((name, _)) => name,
            None => part.strip_suffix('*').unwrap_or(part),
        };
        if !is_name(name) {
            return Err(format!("`{name}` is no name of a variable"));
        }
        if !variables.iter().any(|known| known == name) {
            variables.push(name.to_owned());
        }
    }
    Ok(())
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.ends_with('.')
        && name.bytes().all(|c| c.is_ascii_alphanumeric() || b"_.%".contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(template: &str) -> Result<Vec<String>, String> {
        let mut variables = Vec::new();
        collect(template, &mut variables).map(|()| variables)
    }

    #[test]
    fn variables_are_found_once() {
        assert_eq!(read("x://{a}/{+b*}{?c:3,a}").unwrap(), ["a", "b", "c"]);
    }

    #[test]
    fn breaches_of_the_grammar_are_found() {
        for template in ["x://{a", "x://a}", "x://{}", "x://{a b}", "x://{a:0}", "x://{=a}", "x://{{a}}"] {
            assert!(read(template).is_err(), "{template}");
        }
    }
}

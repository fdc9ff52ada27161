//! URI templates (RFC 6570): text → parts for a matcher to walk, or what about the text cannot be served.
//!
//! A template makes a URI from values; a server needs the way back. What is accepted here has one: where a value ends
//! can be seen from the URI, and no choice is left but which of several equal signs to take (the first).

/// A template that was taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct UriTemplate {
    pub(crate) parts: Vec<UriPart>,
}

/// A piece of a template. The signs of an expression are literals, as far as they always stand in the URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UriPart {
    Literal(String),
    /// `{name}`: one character or more, none of them `/`, `?` or `#`.
    Segment(Variable),
    /// `{+name}`: one character or more.
    Any(Variable),
    /// `{/name*}`, `{name*}`: nothing, or items behind a sign each; the first may have none.
    List {
        sign: Option<char>,
        variable: Variable,
    },
    /// `{?a,b}`: nothing, or values under their names in any order.
    Pairs {
        sign: char,
        variables: Vec<Variable>,
    },
}

/// A variable, with what stands behind its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// `{name:3}`: the characters that are kept.
    pub(crate) prefix: Option<u16>,
    /// `{name*}`
    pub(crate) is_list: bool,
}

/// Why a text is not served as a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// `is no URI template`, or `cannot be matched`.
    pub(crate) verdict: &'static str,
    pub(crate) reason: String,
    pub(crate) help: &'static str,
}

/// Takes a template apart.
pub(crate) fn parse(text: &str) -> Result<UriTemplate, Fault> {
    let mut template = UriTemplate::default();
    let mut rest = text;
    while let Some(brace) = rest.find(['{', '}']) {
        let (literal, tail) = rest.split_at(brace);
        template.literal(literal);
        let Some(tail) = tail.strip_prefix('{') else { return Err(grammar("found `}` without `{`")) };
        let end = tail.find(['{', '}']).filter(|end| tail[*end..].starts_with('}'));
        let end = end.ok_or_else(|| grammar("found `{` without `}`"))?;
        template.expression(&tail[..end])?;
        rest = &tail[end + 1..];
    }
    template.literal(rest);
    template.check_neighbors()?;
    template.check_query()?;
    Ok(template)
}

impl UriTemplate {
    /// All variables, in order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.parts.iter().flat_map(UriPart::variables)
    }

    /// The variables that a URI may lack.
    pub(crate) fn is_optional(&self, name: &str) -> bool {
        let is_pair = |part: &UriPart| matches!(part, UriPart::Pairs { .. });
        self.parts
            .iter()
            .filter(|part| is_pair(part))
            .flat_map(UriPart::variables)
            .any(|variable| variable.name == name)
    }

    fn literal(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(UriPart::Literal(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.parts.push(UriPart::Literal(text.to_owned())),
        }
    }

    /// `city`, `/path*`, `?q,lang:2`
    fn expression(&mut self, text: &str) -> Result<(), Fault> {
        if let Some(reserved) = text.chars().next().filter(|c| "=,!@|".contains(*c)) {
            return Err(grammar(format!("the operator `{reserved}` is reserved")));
        }
        let operator = text.chars().next().filter(|c| "+#./;?&".contains(*c));
        let variables = text[operator.map_or(0, char::len_utf8)..].split(',');
        let variables = variables.map(variable).collect::<Result<Vec<_>, _>>()?;
        for (index, Variable { name, .. }) in variables.iter().enumerate() {
            if self.variables().chain(&variables[..index]).any(|known| known.name == *name) {
                let reason = format!("the variable `{name}` stands twice");
                return Err(ambiguous(reason, "give each variable a name of its own"));
            }
        }
        match operator {
            Some(sign @ (';' | '?' | '&')) => {
                self.parts.push(UriPart::Pairs { sign, variables });
                Ok(())
            }
            operator => self.values(operator, variables),
        }
    }

    /// The variables of an expression that does not name them.
    fn values(&mut self, operator: Option<char>, variables: Vec<Variable>) -> Result<(), Fault> {
        let separator = operator.filter(|c| "./".contains(*c)).unwrap_or(',');
        let last = variables.len() - 1;
        for (index, variable) in variables.into_iter().enumerate() {
            let sign = if index == 0 { operator.filter(|c| *c != '+') } else { Some(separator) };
            if variable.is_list {
                if index < last || !matches!(operator, None | Some('/')) {
                    let reason = format!("where the items of `{}` end cannot be seen", variable.name);
                    let help = "write a list as `{list*}`, `{/list*}` or `{?list*}`, last in its braces";
                    return Err(ambiguous(reason, help));
                }
                self.parts.push(UriPart::List { sign, variable });
                continue;
            }
            if let Some(sign) = sign {
                self.literal(&sign.to_string());
            }
            let is_reserved = matches!(operator, Some('+' | '#'));
            self.parts.push(if is_reserved { UriPart::Any(variable) } else { UriPart::Segment(variable) });
        }
        Ok(())
    }

    /// A value ends where what follows begins; so something has to, and lists and pairs must not take it for theirs.
    fn check_neighbors(&self) -> Result<(), Fault> {
        for pair in self.parts.windows(2) {
            let [left, right] = pair else { continue };
            let ends = match left {
                UriPart::Literal(_) => continue,
                UriPart::Segment(_) | UriPart::Any(_) => None,
                UriPart::List { sign: Some('/'), .. } => Some("?#"),
                UriPart::List { .. } | UriPart::Pairs { sign: ';', .. } => Some("/?#"),
                UriPart::Pairs { .. } => Some("#"),
            };
            let begins = right.first();
            let is_told = begins.is_some_and(|first| ends.is_none_or(|ends| ends.contains(first)));
            if !is_told {
                let name = |part: &UriPart| part.variables().last().map(|last| last.name.clone()).unwrap_or_default();
                let reason = format!("where the value of `{}` ends cannot be seen", name(left));
                let help = match ends {
                    None => "put text between two variables, such as `/`",
                    Some("#") => "let nothing follow the query but `{#fragment}`; `{?a,b}` takes several variables",
                    Some("?#") => "let the path end the URI, or a `{?query}` follow it",
                    Some(_) => "let `/`, a `{?query}` or nothing follow",
                };
                return Err(ambiguous(reason, help));
            }
        }
        Ok(())
    }

    /// `?` begins a query, `&` goes on with one.
    fn check_query(&self) -> Result<(), Fault> {
        for (index, part) in self.parts.iter().enumerate() {
            let UriPart::Pairs { sign: sign @ ('?' | '&'), variables } = part else { continue };
            let is_question = |part: &UriPart| matches!(part, UriPart::Literal(text) if text.contains('?'));
            let has_begun = self.parts[..index].iter().any(is_question);
            let name = variables.first().map_or("", |first| &first.name);
            let (state, help) = match (sign, has_begun) {
                ('?', true) => ("has begun", "write `{&…}` behind a `?`"),
                ('&', false) => ("has not begun", "begin a query with `{?…}`"),
                _ => continue,
            };
            return Err(ambiguous(format!("`{{{sign}{name}}}` stands where a query {state}"), help));
        }
        Ok(())
    }
}

impl UriPart {
    /// Its variables, in order.
    pub(crate) fn variables(&self) -> &[Variable] {
        match self {
            Self::Literal(_) => &[],
            Self::Segment(variable) | Self::Any(variable) | Self::List { variable, .. } => {
                std::slice::from_ref(variable)
            }
            Self::Pairs { variables, .. } => variables,
        }
    }

    /// The sign that it begins with, if that is always the same.
    fn first(&self) -> Option<char> {
        match self {
            Self::Literal(text) => text.chars().next(),
            Self::Segment(_) | Self::Any(_) => None,
            Self::List { sign, .. } => *sign,
            Self::Pairs { sign, .. } => Some(*sign),
        }
    }
}

/// `name`, `name:3` or `name*`
fn variable(text: &str) -> Result<Variable, Fault> {
    let (name, prefix) = match text.split_once(':') {
        Some((name, length)) => {
            let prefix = length.parse().ok().filter(|length| (1..10_000).contains(length));
            let prefix = prefix.ok_or_else(|| grammar(format!("`:{length}` is no length from 1 to 9999")))?;
            (name, Some(prefix))
        }
        None => (text, None),
    };
    let list = name.strip_suffix('*').filter(|_| prefix.is_none());
    let name = list.unwrap_or(name);
    if !is_name(name) {
        return Err(grammar(format!("`{name}` is no name of a variable")));
    }
    Ok(Variable { name: name.to_owned(), prefix, is_list: list.is_some() })
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.ends_with('.')
        && name.bytes().all(|c| c.is_ascii_alphanumeric() || b"_.%".contains(&c))
}

/// A breach of the grammar.
fn grammar(reason: impl Into<String>) -> Fault {
    let help = "write variables as `{name}`, of letters, digits and `_` (RFC 6570)";
    Fault { verdict: "is no URI template", reason: reason.into(), help }
}

/// A template that makes URIs, but has no way back.
fn ambiguous(reason: String, help: &'static str) -> Fault {
    Fault { verdict: "cannot be matched", reason, help }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(name: &str) -> Variable {
        Variable { name: name.to_owned(), prefix: None, is_list: false }
    }

    fn list(name: &str) -> Variable {
        Variable { is_list: true, ..plain(name) }
    }

    #[test]
    fn expressions_become_parts() {
        use UriPart::{Any, List, Literal, Pairs, Segment};
        let literal = |text: &str| Literal(text.to_owned());
        for (text, parts) in [
            ("x:{a}/{b}", vec![literal("x:"), Segment(plain("a")), literal("/"), Segment(plain("b"))]),
            ("x:{a,b}", vec![literal("x:"), Segment(plain("a")), literal(","), Segment(plain("b"))]),
            ("x:{+a}", vec![literal("x:"), Any(plain("a"))]),
            ("x:y{#a,b}", vec![literal("x:y#"), Any(plain("a")), literal(","), Any(plain("b"))]),
            ("x:y{.a}", vec![literal("x:y."), Segment(plain("a"))]),
            ("x:{/a,b*}", vec![literal("x:/"), Segment(plain("a")), List { sign: Some('/'), variable: list("b") }]),
            ("x:{a*}", vec![literal("x:"), List { sign: None, variable: list("a") }]),
            (
                "x:y{;a:3}",
                vec![literal("x:y"), Pairs { sign: ';', variables: vec![Variable { prefix: Some(3), ..plain("a") }] }],
            ),
            ("x:y{?a,b*}", vec![literal("x:y"), Pairs { sign: '?', variables: vec![plain("a"), list("b")] }]),
            ("x:y?a=1{&b}", vec![literal("x:y?a=1"), Pairs { sign: '&', variables: vec![plain("b")] }]),
        ] {
            assert_eq!(parse(text).unwrap().parts, parts, "{text}");
        }
    }

    #[test]
    fn breaches_of_the_grammar_are_found() {
        for template in
            ["x:{a", "x:a}", "x:{}", "x:{a b}", "x:{a:0}", "x:{a:10000}", "x:{=a}", "x:{{a}}", "x:{a:3*}", "x:{a,}"]
        {
            assert!(parse(template).unwrap_err().help.contains("RFC 6570"), "{template}");
        }
    }

    #[test]
    fn what_could_be_taken_apart_in_two_ways_is_refused() {
        for template in [
            "x:{a}{b}",
            "x:{a}{+b}",
            "x:{a}/{a}",
            "x:{+a*}",
            "x:{#a*}",
            "x:{.a*}",
            "x:{a*,b}",
            "x:{/a*}/b",
            "x:{/a*}{;b}",
            "x:{a*}{b}",
            "x:{?a}{?b}",
            "x:{?a}{&b}",
            "x:{?a}/b",
            "x:y{&a}",
            "x:y?a=1{?b}",
            "x:{;a}{b}",
        ] {
            assert!(!parse(template).unwrap_err().help.contains("RFC 6570"), "{template}");
        }
        for template in ["x:{/a*}{?b}{#c}", "x:{a}{;b}/{c}", "x:{a*}/b{?c*,d}", "x:{a}.{b}{.c}", "{+a}/{b}{#c}"] {
            assert!(parse(template).is_ok(), "{template}");
        }
    }
}

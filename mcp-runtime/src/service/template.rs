//! URI templates (RFC 6570) that were taken apart at generation: from a URI to the variables, and back.

mod expand;
mod matching;
mod values;

pub use self::values::UriValues;

/// A URI template that was taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriTemplate<'t> {
    parts: &'t [UriPart<'t>],
}

/// One piece of a template. The signs of an expression are literals, as far as they always stand in the URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UriPart<'t> {
    /// Text that stands in the URI as it is.
    Literal(&'t str),
    /// `{name}`: one character or more, none of them `/`, `?` or `#`.
    Segment(UriVariable<'t>),
    /// `{+name}`: one character or more.
    Any(UriVariable<'t>),
    /// `{/name*}`, `{name*}`: nothing, or items behind a sign each; the first may have none. An item is not empty.
    List {
        /// `/`, `,` or nothing.
        sign: Option<char>,
        /// What the items are called.
        variable: UriVariable<'t>,
    },
    /// `{?a,b}`: nothing, or values under their names, in any order.
    Pairs {
        /// `?`, `&` or `;`.
        sign: char,
        /// All names that there are.
        variables: &'t [UriVariable<'t>],
    },
}

/// A variable of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UriVariable<'t> {
    name: &'t str,
    /// The characters that a value may have.
    longest: Option<u16>,
    is_list: bool,
}

impl<'t> UriTemplate<'t> {
    /// A template of these parts. The generator sees to it that the end of each value can be told.
    #[must_use]
    pub const fn new(parts: &'t [UriPart<'t>]) -> Self {
        Self { parts }
    }

    /// The values in a URI, percent-decoded once; `None` if the URI does not fit, or is longer than 64 KiB.
    ///
    /// Takes time in proportion to the length of the URI. Where a value could end at several places it ends at the first
    /// from which the rest fits.
    #[must_use]
    pub fn matches<'u>(&self, uri: &'u str) -> Option<UriValues<'u>>
    where
        't: 'u,
    {
        matching::matches(self.parts, uri)
    }

    /// The URI with these values, percent-encoded. A variable without one leaves nothing behind.
    #[must_use]
    pub fn expand(&self, values: &UriValues<'_>) -> String {
        expand::expand(self.parts, values)
    }

    /// Whether the template has the variable `name`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.parts.iter().flat_map(UriPart::variables).any(|variable| variable.name == name)
    }

    /// The variables that every URI has.
    pub(crate) fn needed(&self) -> impl Iterator<Item = &'t str> {
        self.parts.iter().filter_map(|part| match part {
            UriPart::Segment(variable) | UriPart::Any(variable) => Some(variable.name),
            UriPart::Literal(_) | UriPart::List { .. } | UriPart::Pairs { .. } => None,
        })
    }
}

impl<'t> UriPart<'t> {
    pub(crate) fn variables(&self) -> &[UriVariable<'t>] {
        match self {
            Self::Literal(_) => &[],
            Self::Segment(variable) | Self::Any(variable) | Self::List { variable, .. } => {
                std::slice::from_ref(variable)
            }
            Self::Pairs { variables, .. } => variables,
        }
    }
}

impl<'t> UriVariable<'t> {
    /// `{name}`
    #[must_use]
    pub const fn new(name: &'t str) -> Self {
        Self { name, longest: None, is_list: false }
    }

    /// `{name:3}`: the first characters of a value.
    #[must_use]
    pub const fn prefix(name: &'t str, length: u16) -> Self {
        Self { longest: Some(length), ..Self::new(name) }
    }

    /// `{name*}`
    #[must_use]
    pub const fn list(name: &'t str) -> Self {
        Self { is_list: true, ..Self::new(name) }
    }
}

/// Takes a template apart that is known only at run time: literals, `{name}` and `{+name}`, with text between any two.
/// `None` if it is anything else.
pub(crate) fn parse_template(template: &str) -> Option<Vec<UriPart<'_>>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(brace) = rest.find(['{', '}']) {
        let (literal, tail) = rest.split_at(brace);
        let (expression, tail) = tail.strip_prefix('{')?.split_once('}')?;
        if !literal.is_empty() {
            parts.push(UriPart::Literal(literal));
        } else if !parts.is_empty() {
            return None;
        }
        let reserved = expression.strip_prefix('+');
        let name = reserved.unwrap_or(expression);
        let is_name = |c: char| c.is_alphanumeric() || "_.%".contains(c);
        let is_known = parts.iter().flat_map(UriPart::variables).any(|variable| variable.name == name);
        if name.is_empty() || is_known || !name.chars().all(is_name) {
            return None;
        }
        let variable = UriVariable::new(name);
        parts.push(if reserved.is_some() { UriPart::Any(variable) } else { UriPart::Segment(variable) });
        rest = tail;
    }
    if !rest.is_empty() {
        parts.push(UriPart::Literal(rest));
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_taken_apart() {
        let [x, y] = ["x", "y"].map(UriVariable::new);
        let parts = [UriPart::Literal("a://"), UriPart::Segment(x), UriPart::Literal("/"), UriPart::Any(y)];
        assert_eq!(parse_template("a://{x}/{+y}").unwrap(), parts);
        assert_eq!(parse_template("{x}").unwrap(), [UriPart::Segment(x)]);
        for broken in ["a://{x", "a://x}", "a://{}", "a://{x}{y}", "a://{?x}", "a://{{x}}", "a://{x}/{x}", "a:{x*}"] {
            assert_eq!(parse_template(broken), None, "{broken}");
        }
    }
}

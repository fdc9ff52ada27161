//! Every rule that a contract can break, in one table.
//!
//! A rule has one number. The letter before it says how it weighed where it was broken: `E0306` stops generation,
//! `W0306` is the same rule in somebody's verbatim schema, where it is harmless. A number, once released, is never
//! used for another rule. What single commands look for beyond that has names instead (`root-combinator`). `01xx` reading, `02xx` names, `03xx` schemas, `04xx` resources, `05xx` prompts.

use std::fmt;

use crate::diagnostic::Severity;

/// What one rule is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(Id);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Id {
    /// A rule that every contract must keep.
    Number(u16),
    /// A rule of one command, by its name and title.
    Named(&'static str, &'static str),
}

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        impl Code {
            $(#[doc = $title] pub const $name: Self = Self(Id::Number($number));)*

            /// All rules for contracts with their titles, by number.
            pub const ALL: &[(Self, &str)] = &[$((Self::$name, $title)),*];
        }
    };
}

codes! {
    SYNTAX = 101, "the text is not valid TOML or JSON";
    DUPLICATE_KEY = 102, "a key stands twice in one object";
    TOO_DEEP = 103, "values are nested deeper than 128 levels";
    NO_JSON_VALUE = 104, "a TOML value that JSON cannot say";
    FORMAT = 105, "the file is neither a native contract nor a list answer";
    UNKNOWN_KEY = 106, "a key that nothing reads";
    MISSING_KEY = 107, "a key that must be there is absent";
    WRONG_TYPE = 108, "a value of another type than its key takes";
    WRONG_VALUE = 109, "a value outside those that its key takes";
    DURATION = 110, "a duration that cannot be read";
    ATTACHMENT = 111, "a named file that cannot be read";
    KEYS_EXCLUDE = 112, "two keys of which only one may stand";
    NULL = 113, "a null where MCP wants the key left out";
    INCOMPLETE_LIST = 114, "a list answer that has a further page";
    ERROR_ANSWER = 115, "a JSON-RPC answer without a result";
    OPTION = 116, "an option of the generator that cannot be used";
    CONTENT_SIZE = 117, "static content that is too large to embed";

    DUPLICATE_NAME = 201, "two features of one kind share their name or URI";
    TOOL_NAME = 202, "a tool name outside MCP's grammar";
    EMPTY_NAME = 203, "a name of no characters";
    DUPLICATE_SERVER = 204, "the server is described twice";
    RUST_COLLISION = 205, "two features of one kind share their Rust name";
    RUST_NAME = 206, "a Rust name that is not an identifier";
    RUST_TYPE = 207, "a Rust type that cannot be read";
    DUPLICATE_DEFINITION = 208, "two definitions share their name";

    SCHEMA_TYPE = 301, "a type that JSON Schema does not know";
    SCHEMA_KEYWORD = 302, "a keyword with a value that JSON Schema refuses";
    REFERENCE = 303, "a reference that leads nowhere";
    DIALECT = 304, "a dialect of JSON Schema that is not supported";
    ROOT_TYPE = 305, "an inputSchema whose type is not object";
    DEFAULT = 306, "a default that its own schema refuses";
    REQUIRED = 307, "a required name without a property";
    ITEMS = 308, "an array without items";
    PARAMETER_HEADER = 309, "an x-mcp-header that clients refuse";
    SHORT_SCHEMA = 310, "a keyword that short schemas spell otherwise";
    RULES = 311, "a rule about arguments that do not exist";
    HINT = 312, "a hint that points nowhere";
    EXAMPLE = 313, "an example that the schema refuses";
    ASK = 314, "a form that no client can show";
    UNSATISFIABLE = 315, "a schema that no value fulfils";
    REMOTE_REFERENCE = 316, "a reference to another document";
    PATTERN = 318, "a pattern that ECMA-262 refuses";
    SECRET_HEADER = 319, "a secret that would travel in a header";
    UNKNOWN_FORMAT = 320, "a format that cannot be asserted";

    URI_TEMPLATE = 401, "a URI template that RFC 6570 refuses, or that no URI can be matched with";
    TEMPLATE_VARIABLE = 402, "a variable that the URI template does not have";
    TEMPLATE_OVERLAP = 403, "two templates that match the same URIs";
    URI = 404, "a URI without a scheme";
    VARIABLE_TYPE = 405, "a variable of a type that a URI cannot hold";

    MESSAGE_ARGUMENT = 501, "a message that names no argument of its prompt";
    MESSAGE = 502, "a message that MCP refuses";
    DUPLICATE_ARGUMENT = 503, "two arguments of one prompt share their name";
}

impl Code {
    /// A rule that has a name and no number: what one command looks for beyond the rules for every contract.
    #[must_use]
    pub const fn named(name: &'static str, title: &'static str) -> Self {
        Self(Id::Named(name, title))
    }

    /// What the rule forbids, in a few words.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self.0 {
            Id::Number(_) => Self::ALL.iter().find(|(code, _)| *code == self).map_or("", |(_, title)| title),
            Id::Named(_, title) => title,
        }
    }

    /// The code as people see it: the letter of the severity and four digits, or the rule's name.
    #[must_use]
    pub fn with(self, severity: Severity) -> String {
        let letter = match severity {
            Severity::Error => 'E',
            Severity::Warning => 'W',
            Severity::Note => 'N',
        };
        match self.0 {
            Id::Number(number) => format!("{letter}{number:04}"),
            Id::Named(name, _) => name.to_owned(),
        }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Id::Number(number) => write!(f, "{number:04}"),
            Id::Named(name, _) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_and_are_unique() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}

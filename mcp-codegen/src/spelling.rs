//! What Rust takes for an identifier, a path or a type: whatever an author states for generated code is held against
//! this when it is read, since what stands in code later has no place to point at.

/// Keywords of every edition, strict and reserved.
pub(crate) const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "move", "mut",
    "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe",
    "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords that cannot be raw, and `mod`, whose module would lie in a file `mod.rs`.
pub(crate) const SUFFIXED: &[&str] = &["crate", "mod", "self", "super"];

/// Types inside types: enough for every type that people write, and far from the end of the stack.
const MAX_DEPTH: u8 = 32;

/// Whether Rust takes `text` for an identifier as it stands; what `rust.name` is held against.
pub(crate) fn is_identifier(text: &str) -> bool {
    let plain = text.strip_prefix("r#").unwrap_or(text);
    let keyword = KEYWORDS.contains(&plain) && plain == text || SUFFIXED.contains(&plain) || plain == "Self";
    let mut chars = plain.chars();
    let starts = chars.next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c));
    starts && plain != "_" && !keyword && chars.all(unicode_ident::is_xid_continue)
}

/// Whether `text` is a path without generic arguments: `Hash`, `serde::Serialize`, `::mcp_runtime`.
pub(crate) fn is_path(text: &str) -> bool {
    let mut reader = Reader { rest: text };
    reader.path(|_| Some(())).is_some() && reader.is_at_end()
}

/// Whether `text` is a type that a field can own: a path, with generic arguments or without, a tuple or an array.
pub(crate) fn is_type(text: &str) -> bool {
    let mut reader = Reader { rest: text };
    reader.ty(0).is_some() && reader.is_at_end()
}

/// A walk over a text, piece by piece. Each step gives nothing where something else stands.
struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn is_at_end(&mut self) -> bool {
        self.rest.trim_start().is_empty()
    }

    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        let after = rest.strip_prefix(sign);
        self.rest = after.unwrap_or(rest);
        after.is_some()
    }

    fn sign(&mut self, sign: &str) -> Option<()> {
        self.takes(sign).then_some(())
    }

    fn ty(&mut self, depth: u8) -> Option<()> {
        if depth == MAX_DEPTH {
            return None;
        }
        if self.takes("(") {
            return self.list(")", |reader| reader.ty(depth + 1));
        }
        if self.takes("[") {
            self.ty(depth + 1)?;
            self.sign(";")?;
            self.digits()?;
            return self.sign("]");
        }
        self.path(
            |reader| if reader.takes("<") { reader.list(">", |reader| reader.argument(depth + 1)) } else { Some(()) },
        )
    }

    /// A generic argument: a type, a lifetime or a number.
    fn argument(&mut self, depth: u8) -> Option<()> {
        if self.takes("'") {
            return self.word().map(drop);
        }
        let is_number = self.rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
        if is_number { self.digits() } else { self.ty(depth) }
    }

    /// Items between commas, up to `end`.
    fn list(&mut self, end: &str, item: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        while !self.takes(end) {
            item(self)?;
            if !self.takes(",") {
                return self.sign(end);
            }
        }
        Some(())
    }

    /// `::a::b`, with what may follow each step.
    fn path(&mut self, after_step: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        self.takes("::");
        loop {
            let word = self.word()?;
            if !is_identifier(word) && !["crate", "self", "super"].contains(&word) {
                return None;
            }
            after_step(self)?;
            if !self.takes("::") {
                return Some(());
            }
        }
    }

    fn digits(&mut self) -> Option<()> {
        let rest = self.rest.trim_start();
        self.rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        (self.rest.len() < rest.len()).then_some(())
    }
}

impl<'t> Reader<'t> {
    fn word(&mut self) -> Option<&'t str> {
        let rest = self.rest.trim_start();
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        let end = rest[raw..].find(|c: char| !unicode_ident::is_xid_continue(c)).map_or(rest.len(), |end| raw + end);
        let (word, after) = rest.split_at(end);
        self.rest = after;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        for text in ["city", "_x", "r#type", "Über"] {
            assert!(is_identifier(text), "{text}");
        }
        for text in ["", "a b", "type", "_", "r#self", "Self", "2x", "a-b", "a::b", "r#", "x\n"] {
            assert!(!is_identifier(text), "{text}");
        }
    }

    #[test]
    fn paths() {
        for text in ["Hash", "serde::Serialize", "::mcp_runtime", "crate::a :: r#type", "super::super::x"] {
            assert!(is_path(text), "{text}");
        }
        for text in ["", "1 x", "a b", "a::", "::", "a<b>", "a;b", "a/*", "r#", "Clone, Copy", "a:b"] {
            assert!(!is_path(text), "{text}");
        }
    }

    #[test]
    fn types() {
        for text in
            ["Uuid", "a::B<C, D<u8>,>", "(A, B)", "()", "[u8; 16]", "A<'static, 3>", "Vec<Vec<u8>>", "A<B>::C", "(A)"]
        {
            assert!(is_type(text), "{text}");
        }
        for text in ["", "a b <", "A<", "A<B", "A>>", "[u8]", "&str", "dyn X", "fn()", "A<B C>", "A<B> C", "(A", "_"] {
            assert!(!is_type(text), "{text}");
        }
        assert!(!is_type(&"A<".repeat(100_000)));
    }
}

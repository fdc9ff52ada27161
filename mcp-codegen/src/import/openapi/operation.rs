//! The operations of a description, in its order, and which of them are wanted.

use super::docs::{At, Docs};
use super::{Options, rule};
use crate::diagnostic::Diagnostics;
use crate::document::{Key, Node};

/// Methods that OpenAPI knows.
pub(super) const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// One method of one path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation<'d> {
    pub(super) path: &'d str,
    /// Lower case.
    pub(super) method: &'d str,
    pub(super) key: &'d Key,
    pub(super) at: At<'d>,
    /// The path item, whose parameters belong to each of its operations.
    pub(super) item: At<'d>,
}

impl<'d> Operation<'d> {
    pub(super) fn id(&self) -> Option<&'d str> {
        self.at.text("operationId")
    }

    fn tags(&self) -> impl Iterator<Item = &'d str> {
        self.at.items("tags").filter_map(|tag| tag.node.as_str())
    }

    /// `GET /users/{id}`
    pub(super) fn shown(&self) -> String {
        format!("{} {}", self.method.to_ascii_uppercase(), self.path)
    }
}

/// All operations that are wanted.
pub(super) fn all<'d>(docs: &'d Docs, options: &Options, found: &mut Diagnostics) -> Vec<Operation<'d>> {
    let mut operations = Vec::new();
    let root = docs.root();
    let Some(paths) = root.node.get("paths").and_then(Node::members) else { return operations };
    for (path, item) in paths.iter().filter(|(path, _)| !path.name.starts_with("x-")) {
        if !path.name.starts_with('/') {
            let message = format!("`{}` is left out: a path begins with `/`", path.name);
            found.push(rule::operation(path.span, message));
            continue;
        }
        let outer = root.of(item);
        let mut faults = Diagnostics::default();
        let followed = docs.follow(outer, &mut faults);
        // Whatever is not wanted need not be right.
        if options.is_wanted_path(&path.name) {
            found.extend(faults);
        }
        let Some(inner) = followed else { continue };
        for (key, operation) in inner.node.members().unwrap_or_default() {
            let method = METHODS.iter().find(|method| **method == key.name);
            let Some(method) = method.filter(|_| operation.members().is_some()) else {
                if method.is_some() || !is_of_item(&key.name) {
                    let message = format!("`{}` of `{}` is left out: it is no operation", key.name, path.name);
                    found.push(rule::operation(key.span, message));
                }
                continue;
            };
            let operation = Operation { path: &path.name, method, key, at: inner.of(operation), item: inner };
            if options.wants(&operation) {
                operations.push(operation);
            }
        }
    }
    operations
}

/// Whether a key of a path item says something about all its operations.
fn is_of_item(key: &str) -> bool {
    matches!(key, "$ref" | "description" | "parameters" | "servers" | "summary") || key.starts_with("x-")
}

impl Options {
    fn wants(&self, operation: &Operation<'_>) -> bool {
        let is_method = |method: &String| method.eq_ignore_ascii_case(operation.method);
        let is_named = |globs: &[String]| {
            let names: Vec<&str> = operation.id().into_iter().chain([operation.path]).chain(operation.tags()).collect();
            globs.iter().any(|glob| names.iter().any(|name| matches(glob, name)))
        };
        (self.methods.is_empty() || self.methods.iter().any(is_method))
            && (self.include.is_empty() || is_named(&self.include))
            && !is_named(&self.exclude)
    }

    /// Whether nothing excludes the path as a whole.
    fn is_wanted_path(&self, path: &str) -> bool {
        !self.exclude.iter().any(|glob| matches(glob, path))
    }
}

/// Whether a text is what a glob says: `*` stands for any characters, `?` for one.
pub(super) fn matches(glob: &str, text: &str) -> bool {
    let (glob, text): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        match glob.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(c) if *c == '?' || *c == text[read] => {
                at += 1;
                read += 1;
            }
            // What the last star stood for was too short by one.
            _ => match &mut star {
                Some((star_at, from)) => {
                    *from += 1;
                    at = *star_at + 1;
                    read = *from;
                }
                None => return false,
            },
        }
    }
    glob[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs_match_whole_texts() {
        for (glob, text, is_match) in [
            ("*", "", true),
            ("/users/*", "/users/{id}/keys", true),
            ("/users", "/users/x", false),
            ("repos/list-*", "repos/list-for-org", true),
            ("*list*", "a-list", true),
            ("?et", "get", true),
            ("*a*b", "ab_aab", true),
            ("*a*b", "ab_aac", false),
            ("a**", "a", true),
        ] {
            assert_eq!(matches(glob, text), is_match, "{glob} {text}");
        }
        assert!(!matches(&"*a".repeat(50), &"a".repeat(49)), "and in no time");
    }
}

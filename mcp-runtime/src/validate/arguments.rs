//! The arguments as they came: an object, nothing, or an object in disguise.

use std::borrow::Cow;

use super::fault::Fault;
use super::repair::Repair;
use crate::json::Tree;

/// Arguments that have been read.
pub(super) struct Given<'a> {
    pub(super) tree: Tree<'a>,
    pub(super) repairs: Vec<Repair>,
}

impl<'a> Given<'a> {
    /// Reads the text of the arguments. With repair on, null and the empty string count as no arguments, and a string
    /// that holds the text of an object as that object.
    pub(super) fn read(text: &'a str, repair: bool) -> Result<Self, Fault> {
        if text.trim().is_empty() {
            return Ok(Self { tree: Tree::EMPTY_OBJECT, repairs: Vec::new() });
        }
        let tree = Tree::parse(text).map_err(|fault| {
            let expected = format!("send valid JSON ({})", fault.reason());
            Fault::problem(String::new(), "not JSON").expecting(expected)
        })?;
        let meant = if repair { meant(&tree) } else { None };
        Ok(match meant {
            Some((tree, what)) => Self { tree, repairs: vec![Repair { pointer: String::new(), what }] },
            None => Self { tree, repairs: Vec::new() },
        })
    }
}

fn meant<'a>(tree: &Tree<'a>) -> Option<(Tree<'a>, &'static str)> {
    let text = match tree {
        Tree::Null => return Some((Tree::EMPTY_OBJECT, "took null for no arguments")),
        Tree::String(text) if text.trim().is_empty() => {
            return Some((Tree::EMPTY_OBJECT, "took an empty string for no arguments"));
        }
        Tree::String(text) => text,
        _ => return None,
    };
    let inner = parse_cow(text)?;
    matches!(inner, Tree::Object(_)).then_some((inner, "read an object from its JSON text"))
}

/// Reads a text that may have to be kept.
pub(super) fn parse_cow<'a>(text: &Cow<'a, str>) -> Option<Tree<'a>> {
    match text {
        Cow::Borrowed(text) => Tree::parse(text).ok(),
        Cow::Owned(text) => Tree::parse(text).ok().map(Tree::into_owned),
    }
}

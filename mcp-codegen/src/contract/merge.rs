//! Many files are one contract: who said it first, and who said it again.

use std::collections::BTreeMap;

use crate::contract::{Contract, Server};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Spanned;

/// Takes a file's `[server]`, unless another file had one.
pub(super) fn server(first: &mut Server, next: Server, found: &mut Diagnostics) {
    match (&first.name, &next.name) {
        (Some(earlier), Some(later)) => {
            let finding = Diagnostic::error(Code::DUPLICATE_SERVER, later.span, "the server is described twice");
            found.push(finding.label("again here").also(earlier.span, "first here").help("keep one of them"));
        }
        (Some(_), None) => {}
        (None, _) => *first = next,
    }
}

/// Forbids two features of one kind with one name: a client could not say which it means.
pub(super) fn check(contract: &Contract, found: &mut Diagnostics) {
    unique("tools are named", contract.tools.iter().map(|tool| &tool.common.name), found);
    unique("prompts are named", contract.prompts.iter().map(|prompt| &prompt.common.name), found);
    unique("resources have the URI", contract.resources.iter().map(|resource| &resource.uri), found);
    unique("templates have the URI template", contract.templates.iter().map(|template| &template.uri_template), found);
    unique("asks are named", contract.asks.iter().map(|ask| &ask.name), found);
}

fn unique<'n>(what: &str, names: impl Iterator<Item = &'n Spanned<String>>, found: &mut Diagnostics) {
    let mut first = BTreeMap::new();
    for name in names {
        if let Some(earlier) = first.get(&name.value) {
            let message = format!("two {what} `{}`", name.value);
            let finding = Diagnostic::error(Code::DUPLICATE_NAME, name.span, message);
            let finding = finding.label("again here").also(*earlier, "first here");
            found.push(finding.help("rename one of them, or take it out"));
        } else {
            first.insert(&name.value, name.span);
        }
    }
}

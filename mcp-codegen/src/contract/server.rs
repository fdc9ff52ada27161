//! Reading `[server]`.

use crate::contract::envelope::Form;
use crate::contract::read::Cx;
use crate::contract::{CacheScope, Server, feature, settings};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::document::cursor::{TableCursor, with_suggestion};
use crate::source::Spanned;

/// `serverInfo`'s keys, in MCP's order.
const INFO: [&str; 6] = ["name", "version", "title", "description", "icons", "websiteUrl"];

/// Reads `server`. In a list answer, what is not MCP's is passed over.
pub(super) fn read(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Server {
    let Some(mut table) = TableCursor::open(node, "a table", found) else { return Server::default() };
    let name = table.required_string("name", "`server`");
    if let Some(name) = &name {
        feature::not_empty(name, "the server's name", table.found);
    }
    let version = table.string("version");
    table.string("title");
    table.string("description");
    table.string("websiteUrl");
    table.node("icons");
    let mut server = Server {
        info: name.as_ref().map(|name| info(node, name)),
        name,
        version,
        instructions: instructions(cx, &mut table),
        ..Server::default()
    };
    match cx.form {
        Form::Answer => drop(table.rest()),
        Form::Native => {
            own(&mut server, &mut table);
            table.finish("`[server]`");
        }
    }
    server
}

/// An answer to `initialize` that was written down has null where the server gave none.
fn instructions(cx: &Cx<'_>, table: &mut TableCursor<'_, '_>) -> Option<Spanned<String>> {
    let is_null = table.peek("instructions").is_some_and(|(_, value)| value.is_null());
    if is_null && cx.form == Form::Answer { None } else { table.string("instructions") }
}

fn own(server: &mut Server, table: &mut TableCursor<'_, '_>) {
    server.settings = settings::read(table);
    server.ttl_ms = table.integer("ttlMs");
    server.cache_scope = table.string("cacheScope").and_then(|text| cache_scope(&text, table.found));
    server.page_size =
        table.typed("pageSize", "an integer from 1", |node| node.as_number()?.parse().ok().filter(|size| *size > 0));
    server.extensions = table.object("extensions").cloned();
    server.auth = table.object("auth").cloned();
    server.allow = settings::allow(table);
}

fn cache_scope(text: &Spanned<String>, found: &mut Diagnostics) -> Option<Spanned<CacheScope>> {
    let scope = match text.value.as_str() {
        "private" => Some(CacheScope::Private),
        "public" => Some(CacheScope::Public),
        _ => None,
    };
    if scope.is_none() {
        let finding = Diagnostic::error(Code::WRONG_VALUE, text.span, format!("unknown cache scope `{}`", text.value));
        found.push(with_suggestion(
            finding.label("expected `private` or `public`"),
            &text.value,
            &["private", "public"],
        ));
    }
    scope.map(|scope| Spanned::new(scope, text.span))
}

/// What was written of `serverInfo`; a version must be there, so that one is made up.
fn info(node: &Node, name: &Spanned<String>) -> Node {
    let mut info = Node::object(node.span);
    for key in INFO {
        match node.get(key) {
            Some(value) if !value.is_null() => info.push(key, value.clone()),
            None if key == "version" => info.push(key, Node::string("0.0.0", name.span)),
            Some(_) | None => {}
        }
    }
    info
}

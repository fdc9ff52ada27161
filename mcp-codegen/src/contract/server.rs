//! Reading `[server]`.

use crate::contract::envelope::Form;
use crate::contract::read::Cx;
use crate::contract::{CacheScope, Server, feature, keys, settings};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::document::cursor::{TableCursor, with_suggestion};
use crate::source::Spanned;

/// `serverInfo`'s keys, in MCP's order.
const INFO: [&str; 6] = ["name", "version", "title", "description", "icons", "websiteUrl"];

/// Reads `server`. In a list answer, what is not MCP's is passed over.
pub(super) fn read(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Server {
    let Some(mut table) = TableCursor::open_for(node, (&keys::SERVER, cx.form.knows()), found) else {
        return Server::default();
    };
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
        Form::Answer => {}
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
    if let Some(node) = table.object("auth") {
        auth(server, node, table.found);
    }
    server.allow = settings::allow(table);
}

/// `auth = { resource = "…", authorizationServers = ["…"] }`
fn auth(server: &mut Server, node: &Node, found: &mut Diagnostics) {
    let Some(mut table) = TableCursor::open(node, &keys::AUTH, found) else {
        return;
    };
    server.resource = table.string("resource").filter(|uri| is_web_address(uri, table.found));
    server.authorization_servers = table.strings("authorizationServers");
    server.authorization_servers.retain(|uri| is_web_address(uri, table.found));
    table.finish("`auth`");
}

/// Forbids what no client could ask for metadata: it is found by the address (RFC 8414, RFC 9728).
fn is_web_address(uri: &Spanned<String>, found: &mut Diagnostics) -> bool {
    let rest = uri.value.strip_prefix("https://").or_else(|| uri.value.strip_prefix("http://"));
    let is_graphic = |c: u8| c.is_ascii_graphic() && !b"#?@\"<>\\".contains(&c);
    let is_address =
        rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && rest.bytes().all(is_graphic));
    if !is_address {
        let message = format!("`{}` is no address of a server", uri.value);
        let finding = Diagnostic::error(Code::WRONG_VALUE, uri.span, message);
        found.push(finding.help("write an `https` URL without query and fragment, such as `https://api.example/mcp`"));
    }
    is_address
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

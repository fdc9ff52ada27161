//! A server behind tokens: who gets in, what those are told who do not, and what a scope opens.

/// What the contract in `auth/contract` becomes.
pub mod api {
    mcp_runtime::include_service!("auth");
}

#[path = "auth/issuer.rs"]
mod issuer;
#[path = "auth/keys.rs"]
mod keys;
#[path = "auth/scopes.rs"]
mod scopes;
#[path = "auth/sessions.rs"]
mod sessions;
#[path = "auth/tokens.rs"]
mod tokens;

use std::sync::{Arc, Mutex};

use api::{Drawer, Labelled, Open, Slow, Whoami, drawer, labelled, open, slow, whoami};
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use mcp_runtime::auth::{Auth, JwtVerifier};
use mcp_runtime::http::HttpService;
use mcp_runtime::listener::{Listener, ToolErrorEvent, TransportEvent};
use mcp_runtime::{Completions, Context, Partial, RequestError, ResourceContents, Server, ToolError, ToolResponse};
use serde_json::{Value, json};
use support::posted::{Posted, answer, stateless};

struct Vault;

impl Whoami for Vault {
    async fn call(&self, _: whoami::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let Some(principal) = ctx.principal() else { return Ok("nobody".into()) };
        let scopes: Vec<_> = principal.scopes().collect();
        let tier = principal.claim("tier").cloned().unwrap_or_default();
        Ok(format!("{} [{}] {tier}", principal.as_str(), scopes.join(" ")).into())
    }
}

impl Open for Vault {
    async fn call(&self, _: open::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("open".into())
    }
}

impl Slow for Vault {
    async fn call(&self, _: slow::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("open".into())
    }
}

impl Drawer for Vault {
    async fn read(&self, vars: drawer::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok(ResourceContents::text(format!("drawer {}", vars.number)))
    }

    async fn complete_number(&self, _: Partial, _: &Context) -> Result<Completions, RequestError> {
        Ok(Completions::new(["1"]))
    }
}

impl Labelled for Vault {
    async fn read(&self, vars: labelled::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok(ResourceContents::text(format!("labelled {}", vars.label)))
    }
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Heard {
    fn all(&self) -> Vec<String> {
        self.0.lock().expect("nobody panicked").clone()
    }

    fn hear(&self, event: String) {
        self.0.lock().expect("nobody panicked").push(event);
    }
}

impl Listener for Heard {
    fn tool_error(&self, event: &ToolErrorEvent) {
        self.hear(format!("{}: {}", event.category, event.message));
    }

    fn transport(&self, event: &TransportEvent) {
        if let TransportEvent::Unauthorized(why) = event {
            self.hear(format!("unauthorized: {why}"));
        }
    }
}

fn verifier() -> JwtVerifier {
    JwtVerifier::with_keys(issuer::ISSUER, &issuer::keys(0)).expect("keys")
}

fn service() -> HttpService {
    guarded(Auth::new(verifier()))
}

fn guarded(auth: Auth) -> HttpService {
    Server::new(api::service(Vault)).http().auth(auth).service().expect("a server")
}

fn with_token(mut request: Request<Full<Bytes>>, token: &str) -> Request<Full<Bytes>> {
    let value = format!("Bearer {token}").parse().expect("a header");
    request.headers_mut().insert("authorization", value);
    request
}

/// Asks a question with a token that allows `scope`.
async fn ask(service: &HttpService, scope: &str, (method, params): (&str, Value)) -> Posted {
    let token = issuer::token(&issuer::claims(scope));
    answer(service, with_token(stateless(method, params), &token)).await
}

async fn call(service: &HttpService, scope: &str, tool: &str) -> Posted {
    ask(service, scope, ("tools/call", json!({ "name": tool }))).await
}

/// Who a token is for, as a tool sees it.
async fn whoami(service: &HttpService, token: &str) -> Posted {
    answer(service, with_token(stateless("tools/call", json!({ "name": "whoami" })), token)).await
}

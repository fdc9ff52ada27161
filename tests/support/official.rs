//! The official JSON schemas of the protocol, as judges of everything that a server sends.

use std::collections::HashMap;
use std::fs;
use std::sync::{LazyLock, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::shared;

/// One conversation: it remembers what was asked, to know which definition an answer must fit.
#[derive(Debug, Default)]
pub struct Conversation {
    requests: Vec<Request>,
}

#[derive(Debug)]
struct Request {
    id: Value,
    method: String,
    progress_token: Value,
    revision: Revision,
}

/// A revision that has a schema of its own. What older ones lack is optional in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Revision {
    Session,
    Stateless,
}

impl Conversation {
    /// Remembers a line of the client, if it is a request.
    pub fn sent(&mut self, line: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Members>(line) else { return };
        let (Some(id), Some(method)) = (member(&message, "id"), member(&message, "method")) else { return };
        let Some(method) = method.as_str().map(str::to_owned) else { return };
        let params = message.get("params").and_then(|params| serde_json::from_str::<Members>(params.get()).ok());
        let meta = params.and_then(|params| member(&params, "_meta")).unwrap_or_default();
        let is_stateless = method == "server/discover" || meta.get("io.modelcontextprotocol/protocolVersion").is_some();
        self.requests.push(Request {
            id,
            method,
            progress_token: meta["progressToken"].clone(),
            revision: if is_stateless { Revision::Stateless } else { Revision::Session },
        });
    }

    /// What the schemas have against a message of the server; nothing where they are absent.
    #[must_use]
    pub fn faults(&self, message: &Value) -> Vec<String> {
        match (message.get("id"), message["method"].as_str()) {
            (Some(_), Some(method)) => request_faults(method, message),
            (None, Some(method)) => self.notification_faults(method, message),
            (id, None) => self.response_faults(id, message),
        }
    }

    fn notification_faults(&self, method: &str, message: &Value) -> Vec<String> {
        if let Some(definition) = change_definition(method) {
            return self.change_faults(definition, message);
        }
        let definition = match method {
            "notifications/cancelled" => return faults(Revision::Session, "CancelledNotification", message),
            "notifications/message" => {
                // a log message belongs to whatever was asked last
                let revision = self.requests.last().map_or(Revision::Session, |request| request.revision);
                let definition = "LoggingMessageNotification";
                return [faults(revision, "JSONRPCNotification", message), faults(revision, definition, message)]
                    .concat();
            }
            "notifications/progress" => "ProgressNotification",
            _ => panic!("no schema is known for `{method}`"),
        };
        let token = &message["params"]["progressToken"];
        let asked = self.requests.iter().rfind(|request| request.progress_token == *token && !token.is_null());
        let request = asked.unwrap_or_else(|| panic!("no request has the token of {message}"));
        [faults(request.revision, "JSONRPCNotification", message), faults(request.revision, definition, message)]
            .concat()
    }

    /// Notices of changes belong to a stream that was opened, or to the session.
    fn change_faults(&self, definition: &'static str, message: &Value) -> Vec<String> {
        let stream = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        let opened = self.requests.iter().any(|request| request.id == *stream);
        assert!(opened || stream.is_null(), "no request has opened the stream of {message}");
        let revision = if opened { Revision::Stateless } else { Revision::Session };
        [faults(revision, "JSONRPCNotification", message), faults(revision, definition, message)].concat()
    }

    fn response_faults(&self, id: Option<&Value>, message: &Value) -> Vec<String> {
        let Some(id) = id else { return faults(Revision::Session, "JSONRPCErrorResponse", message) };
        let asked = self.requests.iter().rfind(|request| request.id == *id);
        let request = asked.unwrap_or_else(|| panic!("nobody asked for {message}"));
        if message.get("error").is_some() {
            let definition = match (request.revision, message["error"]["code"].as_i64()) {
                (Revision::Stateless, Some(-32_021)) => "MissingRequiredClientCapabilityError",
                (Revision::Stateless, Some(-32_022)) => "UnsupportedProtocolVersionError",
                (Revision::Session, Some(-32_099..=-32_020)) => panic!("not an error of sessions: {message}"),
                _ => "JSONRPCErrorResponse",
            };
            return faults(request.revision, definition, message);
        }
        let result = &message["result"];
        let definition = match result["resultType"].as_str() {
            Some("input_required") => "InputRequiredResult",
            _ => result_definition(&request.method),
        };
        let result_faults = faults(request.revision, definition, result);
        [faults(request.revision, "JSONRPCResultResponse", message), result_faults].concat()
    }
}

/// Only with a session does a server send requests.
fn request_faults(method: &str, message: &Value) -> Vec<String> {
    let definition = match method {
        "elicitation/create" => "ElicitRequest",
        "roots/list" => "ListRootsRequest",
        "sampling/createMessage" => "CreateMessageRequest",
        _ => panic!("a server must not ask for `{method}`"),
    };
    [faults(Revision::Session, "JSONRPCRequest", message), faults(Revision::Session, definition, message)].concat()
}

/// An object whose members are not looked at: arguments may be deeper, and numbers larger, than a test can read.
type Members = HashMap<String, Box<RawValue>>;

fn member(object: &Members, name: &str) -> Option<Value> {
    serde_json::from_str(object.get(name)?.get()).ok()
}

fn change_definition(method: &str) -> Option<&'static str> {
    Some(match method {
        "notifications/cancelled" => "CancelledNotification",
        "notifications/prompts/list_changed" => "PromptListChangedNotification",
        "notifications/resources/list_changed" => "ResourceListChangedNotification",
        "notifications/resources/updated" => "ResourceUpdatedNotification",
        "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
        "notifications/tools/list_changed" => "ToolListChangedNotification",
        _ => return None,
    })
}

fn result_definition(method: &str) -> &'static str {
    match method {
        "completion/complete" => "CompleteResult",
        "initialize" => "InitializeResult",
        "logging/setLevel" | "ping" | "resources/subscribe" | "resources/unsubscribe" => "EmptyResult",
        "prompts/get" => "GetPromptResult",
        "resources/read" => "ReadResourceResult",
        "server/discover" => "DiscoverResult",
        "subscriptions/listen" => "SubscriptionsListenResult",
        "tools/call" => "CallToolResult",
        "tools/list" => "ListToolsResult",
        _ => panic!("`{method}` must not succeed"),
    }
}

/// What the definition finds wrong with a value; nothing where the schemas are absent.
fn faults(revision: Revision, definition: &'static str, value: &Value) -> Vec<String> {
    static VALIDATORS: LazyLock<Mutex<HashMap<(Revision, &str), Validator>>> = LazyLock::new(Mutex::default);
    let Some(schema) = &SCHEMAS[revision as usize] else { return Vec::new() };
    let mut validators = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let validator = validators.entry((revision, definition)).or_insert_with(|| {
        let root = json!({ "$ref": format!("#/$defs/{definition}"), "$defs": schema["$defs"] });
        jsonschema::draft202012::new(&root).unwrap_or_else(|error| panic!("{definition}: {error}"))
    });
    let faults = validator.iter_errors(value).map(|fault| format!("{definition}{}: {fault}", fault.instance_path()));
    faults.collect()
}

/// The schemas, in the order of [`Revision`].
static SCHEMAS: LazyLock<[Option<Value>; 2]> = LazyLock::new(|| {
    ["2025-11-25", "2026-07-28"].map(|name| {
        let path = shared(&format!("mcp/schema/{name}.json"))?;
        let text = fs::read_to_string(path).expect("read an official schema");
        Some(serde_json::from_str(&text).expect("an official schema is JSON"))
    })
});

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
    /// Whether a call asks for a task.
    is_task: bool,
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
        let is_task = params.as_ref().is_some_and(|params| params.contains_key("task"));
        let meta = params.and_then(|params| member(&params, "_meta")).unwrap_or_default();
        let is_stateless = method == "server/discover" || meta.get("io.modelcontextprotocol/protocolVersion").is_some();
        self.requests.push(Request {
            id,
            method,
            progress_token: meta["progressToken"].clone(),
            is_task,
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
            "notifications/message"
                if !message["params"]["_meta"]["io.modelcontextprotocol/related-task"].is_null() =>
            {
                return session_faults("LoggingMessageNotification", message);
            }
            // nothing in a log message says whose it is, and both eras have the same
            "notifications/message" => {
                let faults = |revision| faults(revision, "LoggingMessageNotification", message);
                return [faults(Revision::Session), faults(Revision::Stateless)].concat();
            }
            "notifications/progress" => "ProgressNotification",
            "notifications/elicitation/complete" => return session_faults("ElicitationCompleteNotification", message),
            "notifications/tasks/status" => return session_faults("TaskStatusNotification", message),
            "notifications/tasks" => return self.task_faults(message),
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

    /// The extension for tasks has no schema: its parts have.
    fn task_faults(&self, message: &Value) -> Vec<String> {
        let stream = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        assert!(self.requests.iter().any(|request| request.id == *stream), "nobody has opened the stream of {message}");
        let notification = faults(Revision::Stateless, "JSONRPCNotification", message);
        [notification, extension_faults(&message["params"])].concat()
    }

    fn response_faults(&self, id: Option<&Value>, message: &Value) -> Vec<String> {
        let Some(id) = id else { return faults(Revision::Session, "JSONRPCErrorResponse", message) };
        let asked = self.requests.iter().rfind(|request| request.id == *id);
        let request = asked.unwrap_or_else(|| panic!("nobody asked for {message}"));
        if message.get("error").is_some() {
            let definition = match (request.revision, message["error"]["code"].as_i64()) {
                (Revision::Stateless, Some(-32_021)) => "MissingRequiredClientCapabilityError",
                (Revision::Stateless, Some(-32_022)) => "UnsupportedProtocolVersionError",
                (Revision::Session, Some(-32_042)) => "URLElicitationRequiredError",
                (Revision::Session, Some(-32_099..=-32_020)) => panic!("not an error of sessions: {message}"),
                _ => "JSONRPCErrorResponse",
            };
            return faults(request.revision, definition, message);
        }
        let result = &message["result"];
        let definition = match (request.revision, result["resultType"].as_str(), request.method.as_str()) {
            (_, Some("input_required"), _) => "InputRequiredResult",
            (Revision::Stateless, Some("task"), "tools/call") | (Revision::Stateless, _, "tasks/get") => {
                let response = faults(request.revision, "JSONRPCResultResponse", message);
                return [response, extension_faults(result)].concat();
            }
            (Revision::Stateless, _, "tasks/update" | "tasks/cancel") => {
                assert_eq!(result.as_object().map(serde_json::Map::len), Some(2), "no bare acknowledgement: {message}");
                "Result"
            }
            (Revision::Session, _, "tools/call") if request.is_task => "CreateTaskResult",
            (Revision::Session, _, "tasks/cancel") => "CancelTaskResult",
            (Revision::Session, _, "tasks/get") => "GetTaskResult",
            (Revision::Session, _, "tasks/list") => "ListTasksResult",
            (Revision::Session, _, "tasks/result") => "CallToolResult",
            (_, _, method) => result_definition(method),
        };
        let result_faults = faults(request.revision, definition, result);
        [faults(request.revision, "JSONRPCResultResponse", message), result_faults].concat()
    }
}

/// What is wrong with a task of the extension, wherever it stands.
fn extension_faults(task: &Value) -> Vec<String> {
    let text = |key: &str| task[key].as_str().unwrap_or_else(|| panic!("no `{key}` in {task}"));
    for time in ["createdAt", "lastUpdatedAt"] {
        assert!(text(time).len() == 24 && text(time).ends_with('Z'), "not ISO 8601: {task}");
    }
    assert!(text("taskId").len() > 21 && task["ttlMs"].as_u64() > Some(0), "{task}");
    assert!(task.get("pollIntervalMs").is_none_or(|interval| interval.as_u64() > Some(0)), "{task}");
    for foreign in ["ttl", "pollInterval", "task", "requestState"] {
        assert!(task.get(foreign).is_none(), "`{foreign}` is no member of {task}");
    }
    let parts = ["inputRequests", "result", "error"].map(|key| task.get(key).is_some());
    let expected = match (text("status"), task["resultType"].as_str()) {
        ("completed", _) => [false, true, false],
        ("failed", _) => [false, false, true],
        ("input_required", _) => [true, false, false],
        ("working" | "cancelled", _) => [false; 3],
        (other, _) => panic!("no status: {other}"),
    };
    assert_eq!(parts, expected, "{task}");
    let part =
        |key: &str, definition| task.get(key).map_or_else(Vec::new, |it| faults(Revision::Stateless, definition, it));
    [part("inputRequests", "InputRequests"), part("result", "CallToolResult"), part("error", "Error")].concat()
}

fn session_faults(definition: &'static str, message: &Value) -> Vec<String> {
    [faults(Revision::Session, "JSONRPCNotification", message), faults(Revision::Session, definition, message)].concat()
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
        "prompts/list" => "ListPromptsResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
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

//! The client.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::error::Result;
use crate::protocol::Revision;
use crate::server::Server;
use crate::service::Service;
use crate::testing::{CallResult, ErrorAnswer};

/// How long a message may take that a test waits for.
const PATIENCE: Duration = Duration::from_secs(20);
/// What one side may write before the other must read.
const BUFFER: usize = 1 << 16;

/// A client that talks to a server in the same process.
///
/// It speaks the newest revision with sessions; [`revision`](Self::revision) chooses another. The handshake happens by
/// itself, before the first request.
///
/// Methods panic where a test has no way to go on: the server did not start, or does not answer.
pub struct Client {
    output: DuplexStream,
    input: Lines<BufReader<DuplexStream>>,
    served: JoinHandle<Result<()>>,
    pub(super) revision: Revision,
    pub(super) capabilities: Value,
    is_initialized: bool,
    last_id: u64,
    /// Notifications, and answers that nobody has waited for yet.
    heard: Vec<Value>,
}

impl Client {
    /// A client of a server, or of a service as a server of its own.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime.
    #[must_use]
    pub fn new<S: Service>(server: impl Into<Server<S>>) -> Self {
        let (output, server_input) = duplex(BUFFER);
        let (server_output, input) = duplex(BUFFER);
        Self {
            output,
            input: BufReader::new(input).lines(),
            served: tokio::spawn(server.into().serve_streams(server_input, server_output)),
            revision: Revision::NEWEST_WITH_SESSION,
            capabilities: json!({}),
            is_initialized: false,
            last_id: 0,
            heard: Vec::new(),
        }
    }

    /// Speaks this revision. Without a session, each request says so itself.
    #[must_use]
    pub fn revision(mut self, revision: Revision) -> Self {
        self.revision = revision;
        self
    }

    /// Declares these capabilities of the client.
    #[must_use]
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Calls a tool.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error: there is no such tool, say. A tool that fails is no error here.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Result<CallResult, ErrorAnswer> {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await.map(CallResult::new)
    }

    /// Reads a resource: its `contents`.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error.
    pub async fn read(&mut self, uri: &str) -> Result<Vec<Value>, ErrorAnswer> {
        self.request("resources/read", json!({ "uri": uri })).await.map(|result| list(result, "contents"))
    }

    /// Renders a prompt: its `messages`.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error.
    pub async fn render(&mut self, prompt: &str, arguments: Value) -> Result<Vec<Value>, ErrorAnswer> {
        let params = json!({ "name": prompt, "arguments": arguments });
        self.request("prompts/get", params).await.map(|result| list(result, "messages"))
    }

    /// Completes an argument of a prompt: the suggested values.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error.
    pub async fn complete_prompt(
        &mut self,
        prompt: &str,
        argument: &str,
        typed: &str,
    ) -> Result<Vec<String>, ErrorAnswer> {
        self.complete(json!({ "type": "ref/prompt", "name": prompt }), argument, typed).await
    }

    /// Completes a variable of a resource template: the suggested values.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error.
    pub async fn complete_template(
        &mut self,
        uri_template: &str,
        variable: &str,
        typed: &str,
    ) -> Result<Vec<String>, ErrorAnswer> {
        self.complete(json!({ "type": "ref/resource", "uri": uri_template }), variable, typed).await
    }

    async fn complete(&mut self, reference: Value, argument: &str, typed: &str) -> Result<Vec<String>, ErrorAnswer> {
        let params = json!({ "ref": reference, "argument": { "name": argument, "value": typed } });
        let result = self.request("completion/complete", params).await?;
        let values = result["completion"]["values"].as_array().into_iter().flatten();
        Ok(values.filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// The definitions of all tools.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error: it has no tools, say.
    pub async fn tools(&mut self) -> Result<Vec<Value>, ErrorAnswer> {
        self.list("tools/list", "tools").await
    }

    /// The definitions of all resources.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error: it has no resources, say.
    pub async fn resources(&mut self) -> Result<Vec<Value>, ErrorAnswer> {
        self.list("resources/list", "resources").await
    }

    /// The definitions of all resource templates.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error: it has no resources, say.
    pub async fn resource_templates(&mut self) -> Result<Vec<Value>, ErrorAnswer> {
        self.list("resources/templates/list", "resourceTemplates").await
    }

    /// The definitions of all prompts.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error: it has no prompts, say.
    pub async fn prompts(&mut self) -> Result<Vec<Value>, ErrorAnswer> {
        self.list("prompts/list", "prompts").await
    }

    /// All pages of a list.
    async fn list(&mut self, method: &str, member: &str) -> Result<Vec<Value>, ErrorAnswer> {
        let mut all = Vec::new();
        let mut params = json!({});
        loop {
            let result = self.request(method, params).await?;
            let cursor = result.get("nextCursor").cloned();
            all.append(&mut list(result, member));
            let Some(cursor) = cursor else { return Ok(all) };
            params = json!({ "cursor": cursor });
        }
    }

    /// Sends any request, and waits for its result.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error.
    pub async fn request(&mut self, method: &str, params: Value) -> Result<Value, ErrorAnswer> {
        let id = self.start(method, params).await;
        self.finish(id).await
    }

    /// Sends a request, and does not wait; the id that its answer will have.
    pub async fn start(&mut self, method: &str, params: Value) -> u64 {
        if !self.is_initialized && !self.revision.is_stateless() {
            self.initialize().await;
        }
        self.send(method, params).await
    }

    /// Waits for the answer to a request.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error.
    pub async fn finish(&mut self, id: u64) -> Result<Value, ErrorAnswer> {
        let mut answer = self.wait_for(|message| message["id"] == id && message.get("method").is_none()).await;
        match answer.get("error") {
            Some(error) => Err(ErrorAnswer::new(error)),
            None => Ok(answer["result"].take()),
        }
    }

    /// Sends a notification.
    pub async fn notify(&mut self, method: &str, params: Value) {
        self.say(&json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    /// Gives a request up.
    pub async fn cancel(&mut self, id: u64) {
        self.notify("notifications/cancelled", json!({ "requestId": id })).await;
    }

    /// Waits for a notification of this method: its `params`.
    pub async fn notified(&mut self, method: &str) -> Value {
        self.wait_for(|message| message["method"] == method).await["params"].take()
    }

    /// What has come unasked up to the last answer, and has not been waited for: whole messages.
    #[must_use]
    pub fn unasked(&mut self) -> Vec<Value> {
        self.heard.extract_if(.., |message| message.get("method").is_some()).collect()
    }

    /// Closes the client's side, and hears what the server still has to say: whole messages.
    ///
    /// # Errors
    ///
    /// Fails if the server ended with an error.
    ///
    /// # Panics
    ///
    /// Panics if the server does not end, or panicked itself.
    pub async fn close(mut self) -> Result<Vec<Value>> {
        drop(self.output);
        while let Some(message) = hear(&mut self.input).await {
            self.heard.push(message);
        }
        let served = timeout(PATIENCE, self.served).await.expect("the server ends with its client");
        served.expect("the server does not panic")?;
        Ok(self.heard)
    }

    async fn initialize(&mut self) {
        let client = json!({ "name": "mcp-runtime-testing", "version": env!("CARGO_PKG_VERSION") });
        let version = self.revision.as_str();
        let params =
            json!({ "protocolVersion": version, "capabilities": self.capabilities.clone(), "clientInfo": client });
        let id = self.send("initialize", params).await;
        self.is_initialized = true;
        if let Err(error) = self.finish(id).await {
            panic!("the server refuses the handshake: {error}");
        }
        self.notify("notifications/initialized", json!({})).await;
    }

    async fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.last_id += 1;
        if self.revision.is_stateless() {
            self.state_version(&mut params);
        }
        self.say(&json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params })).await;
        self.last_id
    }

    /// A request without a session says in its `_meta` who asks, and how.
    fn state_version(&self, params: &mut Value) {
        let Some(params) = params.as_object_mut() else { return };
        let meta = params.entry("_meta").or_insert_with(|| Map::new().into());
        meta["io.modelcontextprotocol/protocolVersion"] = self.revision.as_str().into();
        meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
    }

    /// Sends a message as it is.
    pub async fn say(&mut self, message: &Value) {
        // a server that is gone shows when its answer is waited for
        let _ = self.output.write_all(format!("{message}\n").as_bytes()).await;
    }

    async fn wait_for(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.heard.iter().position(&fits) {
            return self.heard.remove(at);
        }
        loop {
            match hear(&mut self.input).await {
                Some(message) if fits(&message) => return message,
                Some(message) => self.heard.push(message),
                None => self.fail().await,
            }
        }
    }

    /// Says why the server is gone.
    async fn fail(&mut self) -> ! {
        match (&mut self.served).await {
            Ok(Ok(())) => panic!("the server has ended without an answer"),
            Ok(Err(error)) => panic!("the server has ended: {error:?}"),
            Err(error) => panic!("the server has ended: {error}"),
        }
    }
}

/// The next message; `None` where the server has closed its side.
async fn hear(input: &mut Lines<BufReader<DuplexStream>>) -> Option<Value> {
    let line = timeout(PATIENCE, input.next_line()).await;
    let line = line.expect("the server answers in time").expect("the server writes text")?;
    Some(serde_json::from_str(&line).expect("the server writes JSON"))
}

fn list(mut result: Value, member: &str) -> Vec<Value> {
    match result[member].take() {
        Value::Array(list) => list,
        _ => Vec::new(),
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("revision", &self.revision).finish_non_exhaustive()
    }
}

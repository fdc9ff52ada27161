//! Tool calls that run as tasks.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::task::EXTENSION;
use crate::testing::{CallResult, Client, ErrorAnswer};

/// The time between two looks at a task.
const PAUSE: Duration = Duration::from_millis(5);

impl Client {
    /// Calls a tool as a task, or lets the server make a task of the call, and waits for what comes of it.
    ///
    /// # Errors
    ///
    /// Fails if the server answers with an error, at once or at the end of the task.
    ///
    /// # Panics
    ///
    /// Panics, as all methods, where a test has no way to go on: also if the task asks a question without a session.
    pub async fn call_as_task(&mut self, tool: &str, arguments: Value) -> Result<CallResult, ErrorAnswer> {
        let params = json!({ "name": tool, "arguments": arguments });
        if self.revision.is_stateless() {
            let own = self.capabilities.clone();
            self.declare_tasks();
            let outcome = self.follow(params).await;
            self.capabilities = own;
            return outcome;
        }
        let mut params = params;
        params["task"] = json!({});
        let created = self.request("tools/call", params).await?;
        let task = json!({ "taskId": created["task"]["taskId"] });
        self.request("tasks/result", task).await.map(CallResult::new)
    }

    /// Calls, and follows the task that may come of it.
    async fn follow(&mut self, params: Value) -> Result<CallResult, ErrorAnswer> {
        let answered = self.request("tools/call", params).await?;
        if answered["resultType"] != "task" {
            return Ok(CallResult::new(answered));
        }
        let task = json!({ "taskId": answered["taskId"] });
        loop {
            let mut state = self.request("tasks/get", task.clone()).await?;
            match state["status"].as_str() {
                Some("working") => sleep(PAUSE).await,
                Some("completed") => return Ok(CallResult::new(state["result"].take())),
                Some("failed") => return Err(ErrorAnswer::new(&state["error"])),
                _ => panic!("the task waits for what nobody does: {state}"),
            }
        }
    }

    /// Declares the extension beside the client's own capabilities.
    fn declare_tasks(&mut self) {
        if self.capabilities.get("extensions").is_none() {
            self.capabilities["extensions"] = json!({});
        }
        self.capabilities["extensions"][EXTENSION] = json!({});
    }
}

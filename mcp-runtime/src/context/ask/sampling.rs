//! Asking the client's model.

mod answer;
mod preferences;
mod tools;

pub use self::answer::{Sampled, SampledContent};
pub use self::preferences::ModelPreferences;
pub use self::tools::{SamplingTool, ToolChoice, ToolResult, ToolUse};
use crate::context::Context;
use crate::context::ask::AskError;
use crate::context::ask::inquiry::Inquiry;
use crate::json::Writer;
use crate::protocol::{Capability, Revision};
use crate::response::{Content, Role};

/// A completion to ask the client's model for. Source: the schema type `CreateMessageRequestParams`.
///
/// ```
/// use mcp_runtime::{ModelPreferences, SamplingRequest};
///
/// let request = SamplingRequest::new(200)
///     .system("You write one sentence.")
///     .user("Summarize: a long text")
///     .temperature(0.2)
///     .preferences(ModelPreferences::new().hint("haiku").speed(0.9));
/// # let _ = request;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "nothing is asked before `ctx.sample(request)` is awaited"]
pub struct SamplingRequest {
    max_tokens: u32,
    messages: Vec<Message>,
    system: Option<String>,
    temperature: Option<f64>,
    stop: Vec<String>,
    preferences: Option<ModelPreferences>,
    tools: Vec<SamplingTool>,
    choice: Option<ToolChoice>,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq)]
enum Message {
    Said(Role, Content),
    /// What a model said before: its content as it came, and the ids of the calls in it.
    Model(Box<str>, Vec<String>),
    Results(Vec<ToolResult>),
}

impl SamplingRequest {
    /// A request for at most so many tokens.
    pub fn new(max_tokens: u32) -> Self {
        Self {
            max_tokens,
            messages: Vec::new(),
            system: None,
            temperature: None,
            stop: Vec::new(),
            preferences: None,
            tools: Vec::new(),
            choice: None,
        }
    }

    /// Adds a message of the user: text, an image or a sound.
    pub fn user(self, content: impl Into<Content>) -> Self {
        self.with(Role::User, content)
    }

    /// Adds a message of the model: text, an image or a sound.
    pub fn assistant(self, content: impl Into<Content>) -> Self {
        self.with(Role::Assistant, content)
    }

    /// Adds a message: text, an image or a sound.
    pub fn with(mut self, role: Role, content: impl Into<Content>) -> Self {
        self.messages.push(Message::Said(role, content.into()));
        self
    }

    /// Says who the model is to be. The client may change or ignore it.
    pub fn system(mut self, prompt: impl Into<String>) -> Self {
        self.system = Some(prompt.into());
        self
    }

    /// Says how freely the model is to choose its words.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Adds a text at which the model is to stop.
    pub fn stop(mut self, sequence: impl Into<String>) -> Self {
        self.stop.push(sequence.into());
        self
    }

    /// Says which model would be good.
    pub fn preferences(mut self, preferences: ModelPreferences) -> Self {
        self.preferences = Some(preferences);
        self
    }

    /// Offers a tool to the model, for clients with the capability `sampling.tools`. A model that wants to call it says
    /// so by [`Sampled::tool_uses`]; the handler runs the calls and asks again, with what the model said and all results:
    ///
    /// ```
    /// use mcp_runtime::{Context, SamplingRequest, SamplingTool, ToolError, ToolResult};
    /// use serde_json::json;
    ///
    /// # fn weather(_: &serde_json::Map<String, serde_json::Value>) -> String { String::new() }
    /// async fn ask(question: String, ctx: &Context) -> Result<String, ToolError> {
    ///     let schema = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    ///     let mut request = SamplingRequest::new(500).user(question).tool(SamplingTool::new("weather", schema));
    ///     for _ in 0..5 {
    ///         let said = ctx.sample(request.clone()).await?;
    ///         let results: Vec<_> =
    ///             said.tool_uses().map(|call| ToolResult::new(&call.id, weather(&call.input))).collect();
    ///         if results.is_empty() {
    ///             return Ok(said.text());
    ///         }
    ///         request = request.said(&said).results(results);
    ///     }
    ///     Err(ToolError::internal("the model calls tools without end"))
    /// }
    /// ```
    pub fn tool(mut self, tool: SamplingTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Says whether the model has to call a tool. Default: as it likes.
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.choice = Some(choice);
        self
    }

    /// Adds what the model said to a request before this one.
    pub fn said(mut self, sampled: &Sampled) -> Self {
        let calls = sampled.tool_uses().map(|call| call.id.clone()).collect();
        self.messages.push(Message::Model(sampled.json.clone(), calls));
        self
    }

    /// Adds the results of the calls that the model wanted: of all of them, right after what it said.
    pub fn results(mut self, results: impl IntoIterator<Item = ToolResult>) -> Self {
        self.messages.push(Message::Results(results.into_iter().collect()));
        self
    }

    /// What the client must be able to do.
    fn needs(&self) -> Capability {
        let has_results = self.messages.iter().any(|message| matches!(message, Message::Results(_)));
        let needs_tools = has_results || !self.tools.is_empty() || self.choice.is_some();
        if needs_tools { Capability::SamplingTools } else { Capability::Sampling }
    }

    /// Why no model can be asked this, if none can.
    fn defect(&self) -> Option<&'static str> {
        let mut open: &[String] = &[];
        for message in &self.messages {
            let answered = match message {
                Message::Results(results) => {
                    !results.is_empty()
                        && results.len() == open.len()
                        && open.iter().all(|id| results.iter().any(|result| result.id == *id))
                }
                Message::Model(..) | Message::Said(..) => open.is_empty(),
            };
            if !answered {
                return Some("what follows the calls of a model is the results of all of them");
            }
            open = match message {
                Message::Said(_, content) if !content.is_for_models() => {
                    return Some("a message to a model is text, an image or a sound");
                }
                Message::Model(_, calls) => calls,
                Message::Results(_) | Message::Said(..) => &[],
            };
        }
        (!open.is_empty()).then_some("a model waits for the results of its calls")
    }

    fn write(&self, revision: Revision) -> String {
        let mut out = br#"{"messages":["#.to_vec();
        for (index, message) in self.messages.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            message.write(revision, &mut out);
        }
        out.extend_from_slice(br#"],"maxTokens":"#);
        Writer::new(&mut out).unsigned(u64::from(self.max_tokens));
        let mut rest = Vec::new();
        let mut writer = Writer::new(&mut rest);
        writer.begin_object();
        writer.optional(r#""systemPrompt":"#, &self.system);
        writer.optional(r#""temperature":"#, &self.temperature.filter(|temperature| temperature.is_finite()));
        writer.optional(r#""stopSequences":"#, &(!self.stop.is_empty()).then_some(&self.stop));
        writer.optional(r#""modelPreferences":"#, &self.preferences);
        writer.optional(r#""tools":"#, &(!self.tools.is_empty()).then_some(&self.tools));
        writer.optional(r#""toolChoice":"#, &self.choice);
        writer.end_object();
        if rest.len() > 2 {
            out.push(b',');
        }
        out.extend_from_slice(&rest[1..]);
        String::from_utf8(out).unwrap_or_default()
    }
}

impl Message {
    fn write(&self, revision: Revision, out: &mut Vec<u8>) {
        let role = match self {
            Self::Said(role, _) => *role,
            Self::Model(..) => Role::Assistant,
            Self::Results(_) => Role::User,
        };
        out.extend_from_slice(br#"{"role":"#);
        Writer::new(out).string(role.as_str());
        out.extend_from_slice(br#","content":"#);
        match self {
            Self::Said(_, content) => content.write(revision, out),
            Self::Model(content, _) => out.extend_from_slice(content.as_bytes()),
            Self::Results(results) => {
                for (index, result) in results.iter().enumerate() {
                    out.push(if index == 0 { b'[' } else { b',' });
                    result.write(revision, out);
                }
                out.push(b']');
            }
        }
        out.push(b'}');
    }
}

impl Context {
    /// Asks the client's model. The user may see the request first, and change or refuse it.
    ///
    /// # Errors
    ///
    /// Fails if the client has no model to ask or none that calls tools, refuses or does not answer, or if a message is
    /// no text, image or sound.
    pub async fn sample(&self, request: SamplingRequest) -> Result<Sampled, AskError> {
        self.require(request.needs())?;
        if let Some(defect) = request.defect() {
            return Err(AskError::unaskable(defect));
        }
        let params = Some(request.write(self.state.head.revision));
        self.inquire(Inquiry { method: "sampling/createMessage", key: None, params, read: answer::read }).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_what_was_said_and_no_more() {
        let least = SamplingRequest::new(5).user("a").write(Revision::V2026_07_28);
        assert_eq!(least, r#"{"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"maxTokens":5}"#);
        let preferences = ModelPreferences::new().hint("h").cost(2.0).speed(0.5).intelligence(-1.0);
        let most = SamplingRequest::new(5).system("s").temperature(0.5).stop("x").preferences(preferences);
        assert_eq!(
            most.assistant("b").write(Revision::V2026_07_28),
            concat!(
                r#"{"messages":[{"role":"assistant","content":{"type":"text","text":"b"}}],"maxTokens":5,"#,
                r#""systemPrompt":"s","temperature":0.5,"stopSequences":["x"],"modelPreferences":{"hints":[{"name":"h"}],"#,
                r#""costPriority":1.0,"speedPriority":0.5,"intelligencePriority":0.0}}"#
            )
        );
    }

    #[test]
    fn tools_and_their_results_are_said_in_their_turns() {
        let said = answer::read(
            r#"{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"1","name":"t","input":{},"_meta":{}}]}"#,
        );
        let schema = serde_json::json!({ "type": "object" });
        let first =
            SamplingRequest::new(5).user("a").tool(SamplingTool::new("t", schema)).tool_choice(ToolChoice::Required);
        let asked = first.clone().said(said.as_ref().unwrap());
        assert!(first.defect().is_none() && asked.defect().is_some(), "the call has no result yet");
        assert!(
            asked.clone().user("b").results([ToolResult::new("1", "x")]).defect().is_some(),
            "another turn between"
        );
        assert!(asked.clone().results([ToolResult::new("2", "x")]).defect().is_some(), "the result of no call");
        assert!(first.clone().results([]).defect().is_some(), "no result of no call");
        let answered = asked.results([ToolResult::failed("1", "x").with("y")]);
        assert_eq!((answered.defect(), answered.needs()), (None, Capability::SamplingTools));
        assert_eq!(
            answered.write(Revision::V2025_11_25),
            concat!(
                r#"{"messages":[{"role":"user","content":{"type":"text","text":"a"}},"#,
                r#"{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"t","input":{},"_meta":{}}]},"#,
                r#"{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"x"},"#,
                r#"{"type":"text","text":"y"}],"isError":true}]}],"maxTokens":5,"#,
                r#""tools":[{"name":"t","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}}"#
            )
        );
    }
}

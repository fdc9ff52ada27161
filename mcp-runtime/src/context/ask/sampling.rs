//! Asking the client's model.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::Value;

use crate::context::Context;
use crate::context::ask::AskError;
use crate::context::ask::inquiry::Inquiry;
use crate::json::{ArrayRules, Decode, Encode, Fault, Reader, Writer, required};
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
    messages: Vec<(Role, Content)>,
    system: Option<String>,
    temperature: Option<f64>,
    stop: Vec<String>,
    preferences: Option<ModelPreferences>,
}

/// Which model would be good; the client decides. Source: the schema type `ModelPreferences`.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "it says nothing before it is part of a request"]
pub struct ModelPreferences {
    hints: Vec<String>,
    cost: Option<f64>,
    speed: Option<f64>,
    intelligence: Option<f64>,
}

/// What the model said.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sampled {
    /// Who speaks; the model, that is.
    pub role: Role,
    /// What it said, usually one block.
    pub content: Vec<SampledContent>,
    /// The model's name.
    pub model: String,
    /// Why it ended: `endTurn`, `stopSequence`, `maxTokens`, or in a word of the client's.
    pub stop_reason: Option<String>,
}

/// One block of what a model said.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SampledContent {
    /// Text.
    Text(String),
    /// An image: the file's own bytes.
    Image {
        /// The file.
        bytes: Vec<u8>,
        /// Its media type.
        mime_type: String,
    },
    /// A sound: the file's own bytes.
    Audio {
        /// The file.
        bytes: Vec<u8>,
        /// Its media type.
        mime_type: String,
    },
    /// A block of a kind that was not asked for, as it came.
    Other(Value),
}

impl SamplingRequest {
    /// A request for at most so many tokens.
    pub fn new(max_tokens: u32) -> Self {
        let (messages, stop) = (Vec::new(), Vec::new());
        Self { max_tokens, messages, system: None, temperature: None, stop, preferences: None }
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
        self.messages.push((role, content.into()));
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

    fn write(&self, revision: Revision) -> String {
        let mut out = br#"{"messages":["#.to_vec();
        for (index, (role, content)) in self.messages.iter().enumerate() {
            out.extend_from_slice(if index == 0 { br#"{"role":"# } else { br#",{"role":"# });
            Writer::new(&mut out).string(role.as_str());
            out.extend_from_slice(br#","content":"#);
            content.write(revision, &mut out);
            out.push(b'}');
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
        writer.end_object();
        if rest.len() > 2 {
            out.push(b',');
        }
        out.extend_from_slice(&rest[1..]);
        String::from_utf8(out).unwrap_or_default()
    }
}

impl ModelPreferences {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part of a model's name, such as `sonnet`; the first one that the client can follow counts.
    pub fn hint(mut self, name: impl Into<String>) -> Self {
        self.hints.push(name.into());
        self
    }

    /// How much the cost matters, from 0 to 1.
    pub fn cost(mut self, priority: f64) -> Self {
        self.cost = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// How much the speed matters, from 0 to 1.
    pub fn speed(mut self, priority: f64) -> Self {
        self.speed = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// How much the model's ability matters, from 0 to 1.
    pub fn intelligence(mut self, priority: f64) -> Self {
        self.intelligence = Some(priority.clamp(0.0, 1.0));
        self
    }
}

impl Encode for ModelPreferences {
    fn encode(&self, w: &mut Writer<'_>) {
        let hints: Vec<_> = self.hints.iter().map(|name| Hint(name)).collect();
        w.begin_object();
        w.optional(r#""hints":"#, &(!hints.is_empty()).then_some(hints));
        w.optional(r#""costPriority":"#, &self.cost);
        w.optional(r#""speedPriority":"#, &self.speed);
        w.optional(r#""intelligencePriority":"#, &self.intelligence);
        w.end_object();
    }
}

struct Hint<'a>(&'a str);

impl Encode for Hint<'_> {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_object();
        w.member(r#""name":"#, &self.0);
        w.end_object();
    }
}

impl Sampled {
    /// All text that the model said, block after block.
    #[must_use]
    pub fn text(&self) -> String {
        let text = |block: &SampledContent| match block {
            SampledContent::Text(text) => Some(text.clone()),
            SampledContent::Audio { .. } | SampledContent::Image { .. } | SampledContent::Other(_) => None,
        };
        self.content.iter().filter_map(text).collect()
    }
}

impl Context {
    /// Asks the client's model. The user may see the request first, and change or refuse it.
    ///
    /// # Errors
    ///
    /// Fails if the client has no model to ask, refuses or does not answer, or if a message is no text, image or sound.
    pub async fn sample(&self, request: SamplingRequest) -> Result<Sampled, AskError> {
        self.require(Capability::Sampling)?;
        if !request.messages.iter().all(|(_, content)| content.is_for_models()) {
            return Err(AskError::unaskable("a message to a model is text, an image or a sound"));
        }
        let params = Some(request.write(self.state.head.revision));
        self.inquire(Inquiry { method: "sampling/createMessage", key: None, params, read }).await
    }
}

fn read(result: &str) -> Result<Sampled, Fault> {
    let (mut role, mut content, mut model, mut stop_reason) = (None, None, None, None);
    Reader::new(result).object(&["role", "content", "model", "stopReason"], &mut |key, r| {
        match key {
            0 => role = Some([Role::Assistant, Role::User][r.variant(&["assistant", "user"])?]),
            1 if r.next_is_object() => content = Some(vec![SampledContent::decode(r)?]),
            1 => {
                let mut blocks = Vec::new();
                r.array(&ArrayRules::ANY, &mut |r| {
                    blocks.push(SampledContent::decode(r)?);
                    Ok(())
                })?;
                content = Some(blocks);
            }
            2 => model = Some(String::decode(r)?),
            3 => stop_reason = Option::decode(r)?,
            _ => return r.skip_value(),
        }
        Ok(())
    })?;
    Ok(Sampled { role: required(role)?, content: required(content)?, model: required(model)?, stop_reason })
}

impl Decode for SampledContent {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let block = r.value()?;
        let text = |key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned);
        let file = || {
            let bytes = BASE64.decode(text("data")?).ok()?;
            Some((bytes, text("mimeType")?))
        };
        let read = match block.get("type").and_then(Value::as_str) {
            Some("text") => text("text").map(Self::Text),
            Some("image") => file().map(|(bytes, mime_type)| Self::Image { bytes, mime_type }),
            Some("audio") => file().map(|(bytes, mime_type)| Self::Audio { bytes, mime_type }),
            Some(_) => return Ok(Self::Other(block)),
            None => None,
        };
        read.ok_or(Fault::new("not a content block"))
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
    fn one_block_and_several_are_read() {
        let one =
            read(r#"{"role":"assistant","content":{"type":"text","text":"a"},"model":"m","stopReason":"endTurn"}"#);
        assert_eq!(
            (one.as_ref().unwrap().text().as_str(), one.unwrap().stop_reason.as_deref()),
            ("a", Some("endTurn"))
        );
        let blocks =
            r#"[{"type":"text","text":"a"},{"type":"image","data":"AQID","mimeType":"image/png"},{"type":"x"}]"#;
        let several = read(&format!(r#"{{"role":"assistant","model":"m","content":{blocks}}}"#)).unwrap();
        assert_eq!(several.content[1], SampledContent::Image { bytes: vec![1, 2, 3], mime_type: "image/png".into() });
        assert!(matches!(several.content[2], SampledContent::Other(_)));
        for broken in ["{}", "[]", r#"{"role":"assistant","content":{"type":"image"},"model":"m"}"#] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }
}

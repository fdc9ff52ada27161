//! What a model said.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::Value;

use crate::context::ask::sampling::tools::ToolUse;
use crate::json::{ArrayRules, Decode, Fault, Reader, required};
use crate::response::Role;

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
    /// Why it ended: `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or in a word of the client's.
    pub stop_reason: Option<String>,
    /// The content as it came, to be said again.
    pub(super) json: Box<str>,
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
    /// A call of a tool that was offered.
    ToolUse(ToolUse),
    /// A block of a kind that was not asked for, as it came.
    Other(Value),
}

impl Sampled {
    /// All text that the model said, block after block.
    #[must_use]
    pub fn text(&self) -> String {
        let text = |block: &SampledContent| match block {
            SampledContent::Text(text) => Some(text.clone()),
            SampledContent::Audio { .. }
            | SampledContent::Image { .. }
            | SampledContent::Other(_)
            | SampledContent::ToolUse(_) => None,
        };
        self.content.iter().filter_map(text).collect()
    }

    /// The calls that the model wants; see [`SamplingRequest::tool`](crate::SamplingRequest::tool).
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.content.iter().filter_map(|block| match block {
            SampledContent::ToolUse(tool_use) => Some(tool_use),
            SampledContent::Audio { .. }
            | SampledContent::Image { .. }
            | SampledContent::Other(_)
            | SampledContent::Text(_) => None,
        })
    }
}

pub(super) fn read(result: &str) -> Result<Sampled, Fault> {
    let (mut role, mut content, mut model, mut stop_reason) = (None, None, None, None);
    let mut json = "[]";
    Reader::new(result).object(&["role", "content", "model", "stopReason"], &mut |key, r| {
        match key {
            0 => role = Some([Role::Assistant, Role::User][r.variant(&["assistant", "user"])?]),
            1 => {
                json = r.raw_value()?;
                content = Some(blocks(json)?);
            }
            2 => model = Some(String::decode(r)?),
            3 => stop_reason = Option::decode(r)?,
            _ => return r.skip_value(),
        }
        Ok(())
    })?;
    let (role, content, model) = (required(role)?, required(content)?, required(model)?);
    Ok(Sampled { role, content, model, stop_reason, json: json.into() })
}

/// One block, or several.
fn blocks(json: &str) -> Result<Vec<SampledContent>, Fault> {
    let mut reader = Reader::new(json);
    if reader.next_is_object() {
        return Ok(vec![SampledContent::decode(&mut reader)?]);
    }
    let mut blocks = Vec::new();
    reader.array(&ArrayRules::ANY, &mut |r| {
        blocks.push(SampledContent::decode(r)?);
        Ok(())
    })?;
    Ok(blocks)
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
            Some("tool_use") => ToolUse::read(&block).map(Self::ToolUse),
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
        let calls = r#"[{"type":"tool_use","id":"1","name":"t","input":{"a":1},"_meta":{}}]"#;
        let calls = read(&format!(r#"{{"role":"assistant","model":"m","content":{calls}}}"#)).unwrap();
        let names: Vec<_> = calls.tool_uses().map(|call| (call.id.as_str(), call.name.as_str())).collect();
        assert_eq!((names, calls.text().as_str()), (vec![("1", "t")], ""));
        for broken in ["{}", "[]", r#"{"role":"assistant","content":{"type":"image"},"model":"m"}"#] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }
}

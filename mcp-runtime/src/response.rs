//! What handlers answer: content for people and models, as MCP's content blocks.

mod completions;
mod content;
mod prompt;
mod request_error;
mod resource;

pub use self::completions::{Completions, Partial};
pub use self::content::{Audience, Content};
pub use self::prompt::{PromptMessages, Role};
pub use self::request_error::RequestError;
pub use self::resource::ResourceContents;

use crate::json::Writer;
use crate::protocol::Revision;

/// The answer of a tool without an output schema: any number of content blocks.
///
/// ```
/// use mcp_runtime::{Content, ToolResponse};
///
/// let plain: ToolResponse = "4.5 degrees, rain".into();
/// let rich = ToolResponse::text("the chart:").with(Content::image(b"\x89PNG", "image/png"));
/// # let _ = (plain, rich);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResponse {
    /// Most answers have exactly one block: it needs no list.
    first: Option<Content>,
    more: Vec<Content>,
}

impl ToolResponse {
    /// An answer without content.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// One block of text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { first: Some(Content::text(text)), more: Vec::new() }
    }

    /// Adds a block.
    #[must_use]
    pub fn with(mut self, content: impl Into<Content>) -> Self {
        self.push(content.into());
        self
    }

    /// Adds a block.
    pub fn push(&mut self, content: Content) {
        if self.first.is_none() {
            self.first = Some(content);
        } else {
            self.more.push(content);
        }
    }

    /// The blocks, in order.
    pub fn content(&self) -> impl Iterator<Item = &Content> {
        self.first.iter().chain(&self.more)
    }
}

impl From<&str> for ToolResponse {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ToolResponse {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<Content> for ToolResponse {
    fn from(content: Content) -> Self {
        Self { first: Some(content), more: Vec::new() }
    }
}

impl FromIterator<Content> for ToolResponse {
    fn from_iter<I: IntoIterator<Item = Content>>(blocks: I) -> Self {
        let mut blocks = blocks.into_iter();
        Self { first: blocks.next(), more: blocks.collect() }
    }
}

/// Appends the array `content`.
pub(crate) fn write_content<'c>(blocks: impl Iterator<Item = &'c Content>, revision: Revision, out: &mut Vec<u8>) {
    out.push(b'[');
    for (index, block) in blocks.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        block.write(revision, out);
    }
    out.push(b']');
}

/// What a resource holds, embedded in a result or read by itself.
#[derive(Clone, Debug, PartialEq)]
enum Body {
    Text(String),
    /// Base64.
    Blob(String),
}

impl Body {
    /// Appends the member `text` or `blob`, with a comma before it.
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Text(text) => write_text_member(out, r#","text":"#, text),
            Self::Blob(data) => {
                // base64 has nothing to escape
                out.extend_from_slice(br#","blob":""#);
                out.extend_from_slice(data.as_bytes());
                out.push(b'"');
            }
        }
    }
}

/// Appends `"key":"text",` as the many optional members need it.
fn write_text_member(out: &mut Vec<u8>, key: &str, text: &str) {
    out.extend_from_slice(key.as_bytes());
    Writer::new(out).string(text);
}

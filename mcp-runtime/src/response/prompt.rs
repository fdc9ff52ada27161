//! What a prompt renders to.

use crate::protocol::Revision;
use crate::response::{Content, write_text_member};

/// The messages of a rendered prompt.
///
/// ```
/// use mcp_runtime::PromptMessages;
///
/// let messages = PromptMessages::user("Summarize: a long text").assistant("Gladly.");
/// # let _ = messages;
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptMessages {
    description: Option<String>,
    messages: Vec<(Role, Content)>,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "MCP knows these two")]
pub enum Role {
    /// The model.
    Assistant,
    /// The person.
    User,
}

impl Role {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::User => "user",
        }
    }
}

impl PromptMessages {
    /// No message yet.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// One message of the person.
    #[must_use]
    pub fn user(content: impl Into<Content>) -> Self {
        Self::empty().with(Role::User, content)
    }

    /// Adds an answer of the model.
    #[must_use]
    pub fn assistant(self, content: impl Into<Content>) -> Self {
        self.with(Role::Assistant, content)
    }

    /// Adds a message.
    #[must_use]
    pub fn with(mut self, role: Role, content: impl Into<Content>) -> Self {
        self.messages.push((role, content.into()));
        self
    }

    /// Describes what was rendered.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Appends the members `description` and `messages`.
    pub(crate) fn write(&self, revision: Revision, out: &mut Vec<u8>) {
        if let Some(description) = &self.description {
            write_text_member(out, r#""description":"#, description);
            out.push(b',');
        }
        out.extend_from_slice(br#""messages":["#);
        for (index, (role, content)) in self.messages.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(match role {
                Role::Assistant => br#"{"role":"assistant","content":"#.as_slice(),
                Role::User => br#"{"role":"user","content":"#,
            });
            content.write(revision, out);
            out.push(b'}');
        }
        out.push(b']');
    }
}

impl From<&str> for PromptMessages {
    fn from(text: &str) -> Self {
        Self::user(text)
    }
}

impl From<String> for PromptMessages {
    fn from(text: String) -> Self {
        Self::user(text)
    }
}

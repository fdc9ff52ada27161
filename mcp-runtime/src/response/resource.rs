//! What a resource holds when it is read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::response::{Body, write_text_member};

/// The contents of a resource: one part as a rule, several where one URI stands for many (a folder, say).
///
/// ```
/// use mcp_runtime::ResourceContents;
///
/// let json = ResourceContents::text(r#"{"theme":"dark"}"#);
/// let logo = ResourceContents::blob(b"\x89PNG").mime_type("image/png");
/// # let _ = (json, logo);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceContents {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
struct Part {
    /// `None`: the URI that was asked for.
    uri: Option<String>,
    /// `None`: the media type of the definition.
    mime_type: Option<String>,
    body: Body,
}

impl ResourceContents {
    /// Text, under the URI that was asked for.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Body::Text(text.into()))
    }

    /// Bytes, under the URI that was asked for.
    #[must_use]
    pub fn blob(bytes: impl AsRef<[u8]>) -> Self {
        Self::of(Body::Blob(BASE64.encode(bytes)))
    }

    /// Bytes that are Base64 already.
    pub(crate) fn encoded(base64: &str) -> Self {
        Self::of(Body::Blob(base64.to_owned()))
    }

    /// States the media type of the last part, where it differs from the definition's.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        if let Some(part) = self.parts.last_mut() {
            part.mime_type = Some(mime_type.into());
        }
        self
    }

    /// States the URI of the last part, where it differs from the one that was asked for.
    #[must_use]
    pub fn uri(mut self, uri: impl Into<String>) -> Self {
        if let Some(part) = self.parts.last_mut() {
            part.uri = Some(uri.into());
        }
        self
    }

    /// Adds the parts of `other`.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self
    }

    fn of(body: Body) -> Self {
        Self { parts: vec![Part { uri: None, mime_type: None, body }] }
    }

    /// Appends the array `contents`.
    pub(crate) fn write(&self, asked: &str, default_type: Option<&str>, out: &mut Vec<u8>) {
        out.push(b'[');
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_text_member(out, r#"{"uri":"#, part.uri.as_deref().unwrap_or(asked));
            if let Some(mime_type) = part.mime_type.as_deref().or(default_type) {
                write_text_member(out, r#","mimeType":"#, mime_type);
            }
            part.body.write(out);
            out.push(b'}');
        }
        out.push(b']');
    }
}

impl From<&str> for ResourceContents {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ResourceContents {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

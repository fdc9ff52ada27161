//! What a resource holds: what the contract says, or a text that says that this is a mock.

use mcp_runtime::ResourceContents;
use mcp_runtime::codegen;

use super::catalog::text;
use crate::ir::{self, Content};

/// A resource with its content.
#[derive(Debug)]
pub(super) struct Resource {
    pub(super) constants: &'static codegen::Resource,
    pub(super) content: Stated,
}

/// What the contract says of a resource's content.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stated {
    Text(&'static str),
    /// In Base64.
    Blob(&'static str),
    Nothing,
}

impl Resource {
    pub(super) fn new(ir: &ir::Resource, constants: &'static codegen::Resource) -> Self {
        let content = match &ir.content {
            Some(Content::Text(content)) => Stated::Text(text(content)),
            Some(Content::Blob(content)) => Stated::Blob(text(content)),
            None => Stated::Nothing,
        };
        Self { constants, content }
    }
}

/// Content of a media type for which the contract has none.
pub(super) fn made(uri: &str, mime_type: Option<&str>) -> ResourceContents {
    let words = format!("This is a mock of `{uri}`. The contract has no example of its content.");
    match mime_type.map_or("text/plain", |mime_type| mime_type.split(';').next().unwrap_or_default().trim()) {
        json if json == "application/json" || json.ends_with("+json") => {
            ResourceContents::text(serde_json::json!({ "mock": words }).to_string())
        }
        binary
            if ["image/", "audio/", "video/", "font/"].iter().any(|kind| binary.starts_with(kind))
                || ["application/octet-stream", "application/pdf", "application/zip"].contains(&binary) =>
        {
            ResourceContents::blob([])
        }
        _ => ResourceContents::text(words),
    }
}

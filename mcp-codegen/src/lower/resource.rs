//! Resources.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::contract::{self, StaticContent};
use crate::ir::{self, Content};
use crate::lower::{Cx, feature};
use crate::source::Role;

pub(super) fn lower(cx: &mut Cx<'_>, resource: &contract::Resource) -> ir::Resource {
    let mime_type = resource.mime_type.as_ref().map(|mime_type| mime_type.value.clone());
    let content = resource.content.as_ref().map(|content| match content {
        StaticContent::Text(text) => Content::Text(text.value.clone()),
        StaticContent::File(file) => {
            let file = cx.sources.file(*file);
            match file.role {
                Role::Binary => Content::Blob(file.text.clone()),
                Role::Attachment | Role::Json | Role::Toml if mime_type.as_deref().is_some_and(is_binary) => {
                    Content::Blob(BASE64.encode(&file.text))
                }
                Role::Attachment | Role::Json | Role::Toml => Content::Text(file.text.clone()),
            }
        }
    });
    ir::Resource {
        feature: feature::lower(cx, &resource.common, "Resource"),
        uri: resource.uri.value.clone(),
        mime_type,
        content,
        updates: resource.updates,
    }
}

/// Whether clients take what has this media type for bytes, also where all of them happen to be text.
fn is_binary(mime_type: &str) -> bool {
    let essence = mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_text = essence.ends_with("+xml") || essence.ends_with("+json");
    let bytes =
        ["application/gzip", "application/octet-stream", "application/pdf", "application/wasm", "application/zip"];
    let kind = essence.split('/').next().unwrap_or_default();
    !is_text && (bytes.contains(&essence.as_str()) || ["audio", "font", "image", "video"].contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_of_bytes() {
        for bytes in ["image/png", "Audio/MPEG", "application/pdf", "application/octet-stream; x=y"] {
            assert!(is_binary(bytes), "{bytes}");
        }
        for text in ["text/plain", "application/json", "image/svg+xml", "application/vnd.api+json", ""] {
            assert!(!is_binary(text), "{text}");
        }
    }
}

//! Content blocks: text, image, audio, resource link, embedded resource.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::json::Writer;
use crate::protocol::Revision;
use crate::response::{Body, write_text_member};

/// One block of content. Sources: the schema types `TextContent`, `ImageContent`, `AudioContent`, `ResourceLink` and
/// `EmbeddedResource`.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    kind: Kind,
    /// Rarely used, so it costs one word where it is not.
    extra: Option<Box<Extra>>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Text(String),
    /// Data is base64 already.
    Media {
        audio: bool,
        data: String,
        mime_type: String,
    },
    Link {
        uri: String,
        name: String,
        description: Option<String>,
        mime_type: Option<String>,
    },
    Embedded {
        uri: String,
        mime_type: Option<String>,
        body: Body,
    },
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Extra {
    audience: Vec<Audience>,
    priority: Option<f64>,
    last_modified: Option<String>,
    meta: Option<serde_json::Map<String, serde_json::Value>>,
}

/// Whom a block is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Audience {
    /// The model.
    Assistant,
    /// The person.
    User,
}

impl Content {
    /// Text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Kind::Text(text.into()))
    }

    /// An image; `bytes` are the file's own, not base64.
    #[must_use]
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::of(Kind::Media { audio: false, data: BASE64.encode(bytes), mime_type: mime_type.into() })
    }

    /// A sound; `bytes` are the file's own. Clients before 2025-03-26 get a line of text instead.
    #[must_use]
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::of(Kind::Media { audio: true, data: BASE64.encode(bytes), mime_type: mime_type.into() })
    }

    /// A link to a resource that the client can read. Clients before 2025-06-18 get a line of text instead.
    #[must_use]
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::of(Kind::Link { uri: uri.into(), name: name.into(), description: None, mime_type: None })
    }

    /// A resource with its text.
    #[must_use]
    pub fn embedded_text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::of(Kind::Embedded { uri: uri.into(), mime_type: None, body: Body::Text(text.into()) })
    }

    /// A resource with its bytes.
    #[must_use]
    pub fn embedded_blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::of(Kind::Embedded { uri: uri.into(), mime_type: None, body: Body::Blob(BASE64.encode(bytes)) })
    }

    /// States the media type of a link or an embedded resource, or replaces that of an image or sound. Text has none:
    /// there it does nothing.
    #[must_use]
    pub fn mime_type(mut self, value: impl Into<String>) -> Self {
        match &mut self.kind {
            Kind::Text(_) => {}
            Kind::Media { mime_type, .. } => *mime_type = value.into(),
            Kind::Link { mime_type, .. } | Kind::Embedded { mime_type, .. } => *mime_type = Some(value.into()),
        }
        self
    }

    /// Describes a resource link. Other blocks have no description: there it does nothing.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        if let Kind::Link { description, .. } = &mut self.kind {
            *description = Some(text.into());
        }
        self
    }

    /// Says whom the block is meant for.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Audience>) -> Self {
        self.extra().audience.extend(audience);
        self
    }

    /// Says how important the block is, from 0 (optional) to 1 (required).
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.extra().priority = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// Says when the content last changed, in ISO 8601.
    #[must_use]
    pub fn last_modified(mut self, time: impl Into<String>) -> Self {
        self.extra().last_modified = Some(time.into());
        self
    }

    /// Adds a member of the block's `_meta`.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
        self.extra().meta.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    fn of(kind: Kind) -> Self {
        Self { kind, extra: None }
    }

    fn extra(&mut self) -> &mut Extra {
        self.extra.get_or_insert_default()
    }

    /// Whether it may stand in a message to a model: text, an image or a sound.
    pub(crate) fn is_for_models(&self) -> bool {
        match self.kind {
            Kind::Media { .. } | Kind::Text(_) => true,
            Kind::Embedded { .. } | Kind::Link { .. } => false,
        }
    }

    /// Appends the block as a peer of `revision` understands it.
    pub(crate) fn write(&self, revision: Revision, out: &mut Vec<u8>) {
        match &self.kind {
            Kind::Text(text) => write_text_member(out, r#"{"type":"text","text":"#, text),
            Kind::Media { audio: true, mime_type, .. } if !revision.has_audio() => {
                write_text_member(out, r#"{"type":"text","text":"#, &format!("[audio of type {mime_type}]"));
            }
            Kind::Media { audio, data, mime_type } => {
                out.extend_from_slice(if *audio { br#"{"type":"audio""# } else { br#"{"type":"image""# });
                // base64 has nothing to escape
                out.extend_from_slice(br#","data":""#);
                out.extend_from_slice(data.as_bytes());
                write_text_member(out, r#"","mimeType":"#, mime_type);
            }
            Kind::Link { uri, name, .. } if !revision.has_resource_links() => {
                write_text_member(out, r#"{"type":"text","text":"#, &format!("{name}: {uri}"));
            }
            Kind::Link { uri, name, description, mime_type } => {
                write_text_member(out, r#"{"type":"resource_link","uri":"#, uri);
                write_text_member(out, r#","name":"#, name);
                if let Some(description) = description {
                    write_text_member(out, r#","description":"#, description);
                }
                if let Some(mime_type) = mime_type {
                    write_text_member(out, r#","mimeType":"#, mime_type);
                }
            }
            Kind::Embedded { uri, mime_type, body } => {
                out.extend_from_slice(br#"{"type":"resource","resource":"#);
                write_resource(out, uri, mime_type.as_deref(), body);
            }
        }
        if let Some(extra) = &self.extra {
            extra.write(revision, out);
        }
        out.push(b'}');
    }
}

fn write_resource(out: &mut Vec<u8>, uri: &str, mime_type: Option<&str>, body: &Body) {
    write_text_member(out, r#"{"uri":"#, uri);
    if let Some(mime_type) = mime_type {
        write_text_member(out, r#","mimeType":"#, mime_type);
    }
    body.write(out);
    out.push(b'}');
}

impl Extra {
    fn write(&self, revision: Revision, out: &mut Vec<u8>) {
        if !self.audience.is_empty() || self.priority.is_some() || self.last_modified.is_some() {
            self.write_annotations(revision, out);
        }
        if let Some(meta) = self.meta.as_ref().filter(|_| revision.has_meta_everywhere()) {
            out.extend_from_slice(br#","_meta":"#);
            out.extend_from_slice(serde_json::Value::Object(meta.clone()).to_string().as_bytes());
        }
    }

    fn write_annotations(&self, revision: Revision, out: &mut Vec<u8>) {
        out.extend_from_slice(br#","annotations":"#);
        let mut writer = Writer::new(out);
        writer.begin_object();
        if !self.audience.is_empty() {
            writer.member(r#""audience":"#, &self.audience);
        }
        if let Some(priority) = self.priority {
            writer.member(r#""priority":"#, &priority);
        }
        if let Some(time) = self.last_modified.as_ref().filter(|_| revision.has_meta_everywhere()) {
            writer.member(r#""lastModified":"#, time);
        }
        writer.end_object();
    }
}

impl crate::json::Encode for Audience {
    fn encode(&self, w: &mut Writer<'_>) {
        w.string(match self {
            Self::Assistant => "assistant",
            Self::User => "user",
        });
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(content: &Content, revision: Revision) -> String {
        let mut out = Vec::new();
        content.write(revision, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_kind_has_its_members() {
        let newest = Revision::V2026_07_28;
        let cases = [
            (Content::text("a\"b"), r#"{"type":"text","text":"a\"b"}"#),
            (Content::image([1, 2, 3], "image/png"), r#"{"type":"image","data":"AQID","mimeType":"image/png"}"#),
            (Content::audio([1, 2, 3], "audio/wav"), r#"{"type":"audio","data":"AQID","mimeType":"audio/wav"}"#),
            (
                Content::resource_link("x://y", "y").mime_type("a/b").description("d"),
                r#"{"type":"resource_link","uri":"x://y","name":"y","description":"d","mimeType":"a/b"}"#,
            ),
            (Content::embedded_text("x://y", "t"), r#"{"type":"resource","resource":{"uri":"x://y","text":"t"}}"#),
            (
                Content::embedded_blob("x://y", [0xff]).mime_type("a/b"),
                r#"{"type":"resource","resource":{"uri":"x://y","mimeType":"a/b","blob":"/w=="}}"#,
            ),
            (
                Content::text("t").audience([Audience::User]).priority(0.5).meta("k", 1),
                r#"{"type":"text","text":"t","annotations":{"audience":["user"],"priority":0.5},"_meta":{"k":1}}"#,
            ),
        ];
        for (content, json) in cases {
            assert_eq!(written(&content, newest), json);
        }
    }

    #[test]
    fn old_clients_get_text_for_what_they_do_not_know() {
        let oldest = Revision::V2024_11_05;
        assert_eq!(
            written(&Content::audio([1], "audio/wav"), oldest),
            r#"{"type":"text","text":"[audio of type audio/wav]"}"#
        );
        assert_eq!(written(&Content::resource_link("x://y", "y"), oldest), r#"{"type":"text","text":"y: x://y"}"#);
        assert_eq!(written(&Content::text("t").meta("k", 1), oldest), r#"{"type":"text","text":"t"}"#);
    }
}

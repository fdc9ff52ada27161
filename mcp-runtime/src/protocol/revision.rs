//! The protocol revisions, and every difference between them that concerns what a server sends.
//!
//! Other code asks here; it never compares dates itself. Sources: the specification's changelogs, 2024-11-05 to
//! 2026-07-28.

use std::fmt;

use crate::json::{ArrayRules, Reader, Writer};
use crate::jsonrpc::ErrorCode;

/// A revision of the Model Context Protocol, in order of appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// The first one.
    V2024_11_05,
    /// Tool annotations, audio, Streamable HTTP, batches.
    V2025_03_26,
    /// Structured results, titles, resource links, elicitation; no batches.
    V2025_06_18,
    /// Icons, tasks, URL elicitation. The newest one that begins with `initialize`.
    V2025_11_25,
    /// Stateless requests that carry their version.
    V2026_07_28,
}

/// What an object in a list answer describes; each kind gained its members at other times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Prompt,
    Resource,
    ResourceTemplate,
    ServerInfo,
    Tool,
}

impl Revision {
    /// All revisions served, the oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The newest revision that begins with `initialize`.
    pub const NEWEST_WITH_SESSION: Self = Self::V2025_11_25;

    /// The revision's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == name)
    }

    /// Whether every request carries its version, and nothing else is remembered about the client.
    #[must_use]
    pub const fn is_stateless(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }

    /// `ping` and `logging/setLevel` exist only where there is a session.
    pub(crate) const fn has_session(self) -> bool {
        !self.is_stateless()
    }

    /// Streams that begin with an event that says how to come back. Clients before may take it for a message.
    #[cfg(feature = "http")]
    pub(crate) fn has_priming(self) -> bool {
        self == Self::V2025_11_25
    }

    /// Several messages on one line.
    pub(crate) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// Whether an error may go out without an id; the older schemas demand one.
    pub(crate) fn allows_error_without_id(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// `structuredContent` in a result.
    pub(crate) fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether a structured result may be something else than an object.
    pub(crate) const fn has_any_structured_content(self) -> bool {
        self.is_stateless()
    }

    /// Content of type `audio`.
    pub(crate) fn has_audio(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Content of type `resource_link`.
    pub(crate) fn has_resource_links(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// `_meta` on content, and on the definitions in lists.
    pub(crate) fn has_meta_everywhere(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Forms for the user.
    pub(crate) fn has_elicitation(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Pages for the user; and in forms, defaults on all fields, titled choices and choices of several.
    pub(crate) fn has_url_elicitation(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Tools for the client's model.
    pub(crate) fn has_sampling_tools(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether a page has an id under which its completion can be told.
    pub(crate) fn has_elicitation_ids(self) -> bool {
        self == Self::V2025_11_25
    }

    /// Tasks that a client asks for with a call, and gets with `tasks/result`.
    pub(crate) fn has_session_tasks(self) -> bool {
        self == Self::V2025_11_25
    }

    /// The text of a progress notification.
    pub(crate) fn has_progress_message(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// The capability `completions`; the method is older.
    pub(crate) fn declares_completions(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Error code of an unknown resource.
    pub(crate) const fn resource_not_found(self) -> ErrorCode {
        if self.is_stateless() { ErrorCode::InvalidParams } else { ErrorCode::ResourceNotFound }
    }

    /// Whether the member `key` of a definition exists in this revision. Members that no revision knows pass.
    fn has_member(self, kind: Kind, key: &str) -> bool {
        let since = match (kind, key) {
            (Kind::Tool, "annotations") => Self::V2025_03_26,
            (Kind::Tool, "execution") => return self == Self::V2025_11_25,
            (Kind::Tool, "outputSchema") | (_, "title" | "_meta") => Self::V2025_06_18,
            (Kind::ServerInfo, "description" | "websiteUrl") | (_, "icons") => Self::V2025_11_25,
            _ => Self::V2024_11_05,
        };
        self >= since
    }

    /// Appends `definition`, a JSON object at the newest revision, without what this revision lacks.
    ///
    /// A definition that is not an object goes out as it is; generated ones always are.
    pub(crate) fn project(self, kind: Kind, definition: &str, out: &mut Vec<u8>) {
        let start = out.len();
        out.push(b'{');
        let mut reader = Reader::new(definition);
        let complete = reader.object(&[], &mut |_, reader| {
            let key = reader.key().into_owned();
            let value = reader.raw_value()?;
            if self.has_member(kind, &key) && !(key == "outputSchema" && self.drops_output_schema(value)) {
                if out.len() > start + 1 {
                    out.push(b',');
                }
                Writer::new(out).string(&key);
                out.push(b':');
                if kind == Kind::Prompt && key == "arguments" && !self.has_meta_everywhere() {
                    self.project_prompt_arguments(value, out);
                } else {
                    out.extend_from_slice(value.as_bytes());
                }
            }
            Ok(())
        });
        if complete.is_err() {
            out.truncate(start);
            out.extend_from_slice(definition.as_bytes());
            return;
        }
        out.push(b'}');
    }

    /// Older clients refuse a whole list over one output schema that is not an object's.
    fn drops_output_schema(self, schema: &str) -> bool {
        if self.has_any_structured_content() {
            return false;
        }
        let mut is_object = false;
        let read = Reader::new(schema).object(&["type"], &mut |key, reader| {
            let value = reader.raw_value()?;
            is_object |= key == 0 && value == "\"object\"";
            Ok(())
        });
        read.is_err() || !is_object
    }

    fn project_prompt_arguments(self, arguments: &str, out: &mut Vec<u8>) {
        let start = out.len();
        out.push(b'[');
        let complete = Reader::new(arguments).array(&ArrayRules::ANY, &mut |reader| {
            if out.len() > start + 1 {
                out.push(b',');
            }
            self.project(Kind::Resource, reader.raw_value()?, out);
            Ok(())
        });
        if complete.is_err() {
            out.truncate(start);
            out.extend_from_slice(arguments.as_bytes());
            return;
        }
        out.push(b']');
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: &str = r#"{"name":"t","title":"T","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{},"execution":{},"icons":[],"_meta":{},"id":"x"}"#;

    fn projected(revision: Revision, kind: Kind, definition: &str) -> String {
        let mut out = Vec::new();
        revision.project(kind, definition, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_revision_sees_its_own_members() {
        assert_eq!(
            projected(Revision::V2024_11_05, Kind::Tool, TOOL),
            r#"{"name":"t","inputSchema":{"type":"object"},"id":"x"}"#
        );
        assert_eq!(
            projected(Revision::V2025_03_26, Kind::Tool, TOOL),
            r#"{"name":"t","inputSchema":{"type":"object"},"annotations":{},"id":"x"}"#
        );
        assert_eq!(projected(Revision::V2025_11_25, Kind::Tool, TOOL), TOOL);
        assert_eq!(projected(Revision::V2026_07_28, Kind::Tool, TOOL), TOOL.replace(r#""execution":{},"#, ""));
    }

    #[test]
    fn only_stateless_clients_see_an_output_schema_that_is_no_object() {
        let tool = r#"{"name":"t","outputSchema":{"type":"array"}}"#;
        assert_eq!(projected(Revision::V2025_11_25, Kind::Tool, tool), r#"{"name":"t"}"#);
        assert_eq!(projected(Revision::V2026_07_28, Kind::Tool, tool), tool);
    }

    #[test]
    fn arguments_of_prompts_lose_their_titles_before_2025_06_18() {
        let prompt = r#"{"name":"p","arguments":[{"name":"a","title":"A","required":true}]}"#;
        let old = r#"{"name":"p","arguments":[{"name":"a","required":true}]}"#;
        assert_eq!(projected(Revision::V2025_03_26, Kind::Prompt, prompt), old);
        assert_eq!(projected(Revision::V2025_06_18, Kind::Prompt, prompt), prompt);
    }
}

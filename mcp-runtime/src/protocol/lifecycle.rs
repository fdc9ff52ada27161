//! Who the server is, and how a client gets to know it: `initialize` for sessions, `server/discover` for the rest.

use crate::json::Writer;
use crate::protocol::{Capabilities, ClientCapabilities, ClientInfo, Kind, Revision};
use crate::service::Catalog;

/// What the server says about itself.
#[derive(Debug)]
pub(crate) struct Identity {
    /// `serverInfo` at the newest revision.
    info: String,
    instructions: Option<String>,
    pub(crate) capabilities: Capabilities,
    /// What stands before the members of every stateless result: `,"result":{"resultType":"complete","_meta":{…},`.
    pub(crate) stateless_head: String,
    /// The same with `"resultType":"input_required"`.
    pub(crate) input_required_head: String,
    /// The same with `"resultType":"task"`.
    pub(crate) task_head: String,
}

/// A session that `initialize` opened.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) revision: Revision,
    pub(crate) client: Option<ClientInfo>,
    pub(crate) capabilities: ClientCapabilities,
}

impl Identity {
    pub(crate) fn new(catalogs: &[&'static Catalog], capabilities: Capabilities) -> Self {
        let server = catalogs.first().map(|catalog| &catalog.server);
        let info = server.map_or(r#"{"name":"mcp-server","version":"0.0.0"}"#, |server| server.info).to_owned();
        let instructions: Vec<_> = catalogs.iter().filter_map(|catalog| catalog.server.instructions).collect();
        let mut short = Vec::new();
        Revision::V2024_11_05.project(Kind::ServerInfo, &info, &mut short);
        let head = |result_type: &str| {
            format!(
                r#","result":{{"resultType":"{result_type}","_meta":{{"io.modelcontextprotocol/serverInfo":{}}},"#,
                String::from_utf8_lossy(&short),
            )
        };
        Self {
            info,
            instructions: (!instructions.is_empty()).then(|| instructions.join("\n\n")),
            capabilities,
            stateless_head: head("complete"),
            input_required_head: head("input_required"),
            task_head: head("task"),
        }
    }

    /// Appends the members of the answer to `initialize`.
    pub(crate) fn write_initialize(&self, revision: Revision, out: &mut Vec<u8>) {
        out.extend_from_slice(br#""protocolVersion":""#);
        out.extend_from_slice(revision.as_str().as_bytes());
        out.extend_from_slice(br#"","capabilities":"#);
        self.capabilities.write(revision, out);
        out.extend_from_slice(br#","serverInfo":"#);
        revision.project(Kind::ServerInfo, &self.info, out);
        self.write_instructions(out);
    }

    /// Appends the members of the answer to `server/discover`.
    pub(crate) fn write_discover(&self, revision: Revision, out: &mut Vec<u8>) {
        out.extend_from_slice(br#""supportedVersions":"#);
        write_versions(Revision::ALL.iter().rev(), out);
        out.extend_from_slice(br#","capabilities":"#);
        self.capabilities.write(revision, out);
        self.write_instructions(out);
    }

    fn write_instructions(&self, out: &mut Vec<u8>) {
        if let Some(instructions) = &self.instructions {
            out.extend_from_slice(br#","instructions":"#);
            Writer::new(out).string(instructions);
        }
    }
}

/// Appends an array of version names.
pub(crate) fn write_versions<'r>(versions: impl Iterator<Item = &'r Revision>, out: &mut Vec<u8>) {
    let mut writer = Writer::new(out);
    writer.begin_array();
    for version in versions {
        writer.item(&version.as_str());
    }
    writer.end_array();
}

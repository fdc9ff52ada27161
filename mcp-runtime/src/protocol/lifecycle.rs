//! Who the server is, and how a client gets to know it: `initialize` for sessions, `server/discover` for the rest.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::json::Writer;
use crate::protocol::{Capabilities, ClientCapabilities, ClientInfo, Kind, Revision};
use crate::service::Catalog;

/// The key of a `_meta` that has the digest of the contract.
const CONTRACT_HASH: &str = "io.github.mcp-codegen/contract-hash";

/// Whether clients are told the contract's digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ContractDigest {
    #[default]
    Told,
    Kept,
}

/// What the server says about itself.
#[derive(Debug)]
pub(crate) struct Identity {
    /// `serverInfo` at the newest revision.
    info: String,
    instructions: Option<String>,
    pub(crate) capabilities: Capabilities,
    /// The contract's digest, as a member of a `_meta`.
    contract_hash: Option<String>,
    /// What stands before the members of every stateless result: `,"result":{"resultType":"complete","_meta":{…},`.
    pub(crate) stateless_head: String,
    /// The same for `server/discover`, whose `_meta` says more.
    pub(crate) discover_head: String,
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
    pub(crate) fn new(catalogs: &[&'static Catalog], capabilities: Capabilities, digest: ContractDigest) -> Self {
        let server = catalogs.first().map(|catalog| &catalog.server);
        let info = server.map_or(r#"{"name":"mcp-server","version":"0.0.0"}"#, |server| server.info).to_owned();
        let instructions: Vec<_> = catalogs.iter().filter_map(|catalog| catalog.server.instructions).collect();
        let mut short = Vec::new();
        Revision::V2024_11_05.project(Kind::ServerInfo, &info, &mut short);
        let contract_hash = contract_hash(catalogs).filter(|_| digest == ContractDigest::Told).map(|hash| {
            let mut member = format!(r#""{CONTRACT_HASH}":"#).into_bytes();
            Writer::new(&mut member).string(&hash);
            String::from_utf8_lossy(&member).into_owned()
        });
        let head_with = |result_type: &str, more: &str| {
            format!(
                r#","result":{{"resultType":"{result_type}","_meta":{{"io.modelcontextprotocol/serverInfo":{}{more}}},"#,
                String::from_utf8_lossy(&short),
            )
        };
        let head = |result_type: &str| head_with(result_type, "");
        let more = contract_hash.as_ref().map(|member| format!(",{member}")).unwrap_or_default();
        Self {
            info,
            instructions: (!instructions.is_empty()).then(|| instructions.join("\n\n")),
            capabilities,
            contract_hash,
            stateless_head: head("complete"),
            discover_head: head_with("complete", &more),
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
        if let Some(member) = &self.contract_hash {
            out.extend_from_slice(br#","_meta":{"#);
            out.extend_from_slice(member.as_bytes());
            out.push(b'}');
        }
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

/// The digest of the contract; of several, the digest of their digests in the order in which they were composed.
fn contract_hash(catalogs: &[&'static Catalog]) -> Option<String> {
    let mut hashes = catalogs.iter().map(|catalog| catalog.server.contract_hash);
    match (hashes.next()?, catalogs.len()) {
        ("", _) => None,
        (only, 1) => Some(only.to_owned()),
        (first, _) => {
            let digest = std::iter::once(first).chain(hashes).fold(Sha256::new(), Digest::chain_update);
            Some(digest.finalize().iter().fold(String::new(), |mut digits, byte| {
                // writing to a `String` cannot fail
                write!(digits, "{byte:02x}").unwrap_or_default();
                digits
            }))
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

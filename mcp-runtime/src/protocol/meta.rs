//! What a request's `_meta`, or an `initialize`, says about its client.

use crate::json::{Fault, Reader, string_of};
use crate::jsonrpc::RequestId;
use crate::log::LogLevel;
use crate::protocol::Revision;
use crate::task::EXTENSION;

/// Who asks, in the client's own words: never to be trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientInfo {
    /// The client's name.
    pub name: String,
    /// The client's version.
    pub version: String,
}

/// What a client says it can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a capability of the protocol")]
pub struct ClientCapabilities {
    /// Forms for the user.
    pub elicitation_form: bool,
    /// Pages to open for the user.
    pub elicitation_url: bool,
    /// Completions by the client's model.
    pub sampling: bool,
    /// Tools in sampling requests.
    pub sampling_tools: bool,
    /// The client's folders.
    pub roots: bool,
    /// Tasks, by the extension of 2026-07-28.
    pub tasks: bool,
    /// All of it, as the client wrote it.
    pub json: Box<str>,
}

/// The `_meta` of one request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meta {
    /// The bytes it was read from: the next request usually says the same.
    pub(crate) text: Box<str>,
    /// Present on stateless requests: the version, if it is one that we serve that way.
    pub(crate) version: Option<Result<Revision, Box<str>>>,
    pub(crate) capabilities: Option<ClientCapabilities>,
    pub(crate) client: Option<ClientInfo>,
    pub(crate) log_level: Option<LogLevel>,
    pub(crate) progress_token: Option<RequestId>,
}

/// What is wrong with a `_meta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MetaFault(pub(crate) &'static str);

const MEMBERS: &[&str] = &[
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/logLevel",
    "progressToken",
];

impl Meta {
    /// Reads the JSON text of a `_meta`.
    ///
    /// # Errors
    ///
    /// Says which member is not what the protocol demands.
    pub(crate) fn parse(text: &str) -> Result<Self, MetaFault> {
        let mut meta = Self { text: text.into(), ..Self::default() };
        let mut fault = None;
        let mut refuse = |why| fault = Some(MetaFault(why));
        let read = Reader::new(text).object(MEMBERS, &mut |key, reader| {
            let value = reader.raw_value()?;
            match key {
                0 => match Reader::new(value).string() {
                    Ok(version) => meta.version = Some(Revision::named(&version).ok_or_else(|| version.into())),
                    Err(_) => refuse("`io.modelcontextprotocol/protocolVersion` must be a string"),
                },
                1 => match ClientCapabilities::parse(value) {
                    Ok(capabilities) => meta.capabilities = Some(capabilities),
                    Err(_) => refuse("`io.modelcontextprotocol/clientCapabilities` must be an object"),
                },
                2 => meta.client = ClientInfo::parse(value),
                3 => match string_of(value).and_then(|name| LogLevel::named(&name)) {
                    Some(level) => meta.log_level = Some(level),
                    None => refuse("`io.modelcontextprotocol/logLevel` names no log level"),
                },
                4 => match RequestId::parse(value) {
                    Some(token) => meta.progress_token = Some(token),
                    None => refuse("`progressToken` must be a string or an integer"),
                },
                _ => {}
            }
            Ok(())
        });
        match (read, fault) {
            (Ok(()), None) => Ok(meta),
            (Ok(()), Some(fault)) => Err(fault),
            (Err(_), _) => Err(MetaFault("`_meta` must be an object without repeated members")),
        }
    }
}

impl ClientCapabilities {
    pub(crate) fn parse(json: &str) -> Result<Self, Fault> {
        let mut read = Self { json: json.into(), ..Self::default() };
        Reader::new(json).object(&["elicitation", "sampling", "roots", "extensions"], &mut |key, reader| {
            let value = reader.raw_value()?;
            match key {
                0 => {
                    let [form, url] = members(value, ["form", "url"])?;
                    // an empty object means forms, which came first
                    (read.elicitation_form, read.elicitation_url) = (form || !url, url);
                }
                1 => [read.sampling, read.sampling_tools] = [true, members(value, ["tools"])?[0]],
                2 => read.roots = true,
                3 => read.tasks = members(value, [EXTENSION])?[0],
                _ => {}
            }
            Ok(())
        })?;
        Ok(read)
    }
}

impl ClientInfo {
    pub(crate) fn parse(json: &str) -> Option<Self> {
        let mut info = Self::default();
        let read = Reader::new(json).object(&["name", "version"], &mut |key, reader| {
            match key {
                0 => info.name = reader.string()?.into_owned(),
                1 => info.version = reader.string()?.into_owned(),
                _ => reader.skip_value()?,
            }
            Ok(())
        });
        read.is_ok().then_some(info)
    }
}

/// Which of `names` an object has.
fn members<const N: usize>(json: &str, names: [&str; N]) -> Result<[bool; N], Fault> {
    let mut present = [false; N];
    Reader::new(json).object(&names, &mut |key, reader| {
        if let Some(seen) = present.get_mut(key) {
            *seen = true;
        }
        reader.skip_value()
    })?;
    Ok(present)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stateless_request_says_all_about_its_client() {
        let meta = Meta::parse(
            r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
                "io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"sampling":{"tools":{}}},
                "io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},
                "io.modelcontextprotocol/logLevel":"error","progressToken":"p","x":[1]}"#,
        )
        .unwrap();
        let capabilities = meta.capabilities.unwrap();
        assert_eq!(meta.version, Some(Ok(Revision::V2026_07_28)));
        assert!(capabilities.elicitation_form && !capabilities.elicitation_url && !capabilities.roots);
        assert!(capabilities.sampling && capabilities.sampling_tools);
        assert_eq!(meta.client, Some(ClientInfo { name: "c".into(), version: "1".into() }));
        assert_eq!((meta.log_level, meta.progress_token), (Some(LogLevel::Error), Some("p".into())));
    }

    #[test]
    fn what_is_mistyped_is_named() {
        for (json, word) in [
            (r#"{"io.modelcontextprotocol/protocolVersion":1}"#, "protocolVersion"),
            (r#"{"io.modelcontextprotocol/clientCapabilities":[]}"#, "clientCapabilities"),
            (r#"{"io.modelcontextprotocol/logLevel":"loud"}"#, "logLevel"),
            (r#"{"progressToken":1.5}"#, "progressToken"),
            ("[]", "_meta"),
        ] {
            assert!(Meta::parse(json).unwrap_err().0.contains(word), "{json}");
        }
    }

    #[test]
    fn a_version_that_nobody_knows_is_kept_for_the_answer() {
        let meta = Meta::parse(r#"{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}"#).unwrap();
        assert_eq!(meta.version, Some(Err("1999-01-01".into())));
    }
}

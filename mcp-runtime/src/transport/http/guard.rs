//! Who may talk to the server at all, by the request's `Host` and `Origin`.
//!
//! A page in a browser can make it send requests to any address, also to a server that listens on this machine only,
//! and by a name that resolves to it (DNS rebinding). What the browser does not let it choose are these two headers.

use std::net::Ipv6Addr;

use http::Uri;
use http::uri::Authority;

use crate::engine::shortened;
use crate::error::{Error, Result};
use crate::transport::http::head::{Field, Said};

/// The names of this machine for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The allow-lists.
#[derive(Debug)]
pub(super) struct Guard {
    /// `None` allows all.
    hosts: Option<Vec<Host>>,
    origins: Vec<Origin>,
}

/// A host that is allowed; one without a port stands for all its ports.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Host {
    name: String,
    port: Option<u16>,
}

/// A host that somebody names. A dot at its end means nothing, nor does the case of its letters.
#[derive(Clone, Copy, Debug)]
struct Asked<'t> {
    name: &'t str,
    port: Option<u16>,
}

/// Where a page comes from. The port is never the scheme's own.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: Host,
}

impl Guard {
    /// Allows the names of this machine and what is listed; with `public` and nothing listed, all hosts.
    ///
    /// # Errors
    ///
    /// Fails if something listed is no host or no origin.
    pub(super) fn new(hosts: &[String], origins: &[String], public: bool) -> Result<Self> {
        let read_host = |text: &String| {
            Asked::parse(text)
                .map(Host::from)
                .ok_or_else(|| Error::invalid_definition("allowed host", text, "it is no host"))
        };
        let mut listed = hosts.iter().map(read_host).collect::<Result<Vec<_>>>()?;
        let allows_all = public && listed.is_empty();
        listed.extend(LOOPBACK.map(|name| Host { name: name.to_owned(), port: None }));
        let read_origin = |text: &String| {
            Origin::parse(text).ok_or_else(|| {
                Error::invalid_definition("allowed origin", text, "it is no origin, as `https://app.example`")
            })
        };
        let origins = origins.iter().map(read_origin).collect::<Result<_>>()?;
        Ok(Self { hosts: (!allows_all).then_some(listed), origins })
    }

    /// Looks at a request.
    ///
    /// # Errors
    ///
    /// Says what is not allowed.
    pub(super) fn check(&self, target: &Uri, said: &Said<'_>) -> Result<(), String> {
        self.check_host(target, said.host)?;
        let Ok(origin) = said.origin.text() else {
            return Err("`Origin` must be there once, and be text".to_owned());
        };
        match origin {
            // no browser, or none that was sent here by a page
            None => Ok(()),
            Some(text) if Origin::parse(text).is_some_and(|origin| self.allows_origin(&origin)) => Ok(()),
            Some(text) => Err(format!("the origin `{}` is not allowed", shortened(text))),
        }
    }

    fn check_host(&self, uri: &Uri, header: Field<'_>) -> Result<(), String> {
        let Ok(header) = header.text() else {
            return Err("`Host` must be there once, and be text".to_owned());
        };
        let Some(hosts) = &self.hosts else { return Ok(()) };
        // where the target names a host (HTTP/2, a proxy), both must be allowed
        let target = uri.authority().map(Authority::as_str);
        if header.is_none() && target.is_none() {
            return Err("`Host` is missing".to_owned());
        }
        for text in header.into_iter().chain(target) {
            let scheme_port = uri.port_u16();
            let host = Asked::parse(text);
            if !host.is_some_and(|host| hosts.iter().any(|allowed| allowed.covers(host, scheme_port))) {
                return Err(format!("the host `{}` is not allowed", shortened(text)));
            }
        }
        Ok(())
    }

    /// An origin is allowed if it is listed, or is one of the hosts under which the server is known.
    fn allows_origin(&self, origin: &Origin) -> bool {
        let port = origin.host.port.or_else(|| default_port(&origin.scheme));
        let host = Asked { name: &origin.host.name, port: origin.host.port };
        let is_ours = |hosts: &Vec<Host>| hosts.iter().any(|allowed| allowed.covers(host, port));
        self.origins.contains(origin)
            || (default_port(&origin.scheme).is_some() && self.hosts.as_ref().is_some_and(is_ours))
    }
}

impl Host {
    /// Whether `asked` is this host. `port` is what it means where it names none.
    fn covers(&self, asked: Asked<'_>, port: Option<u16>) -> bool {
        let same_port = |allowed: u16| match asked.port.or(port) {
            Some(port) => port == allowed,
            // `Host` alone does not say by which scheme: either's own port goes without saying
            None => allowed == 80 || allowed == 443,
        };
        self.name.eq_ignore_ascii_case(asked.name) && self.port.is_none_or(same_port)
    }
}

impl From<Asked<'_>> for Host {
    fn from(asked: Asked<'_>) -> Self {
        Self { name: asked.name.to_owned(), port: asked.port }
    }
}

impl<'t> Asked<'t> {
    /// Reads a host with or without a port, and nothing else: no user before it, no path after it.
    fn parse(text: &'t str) -> Option<Self> {
        let (name, rest) = if text.starts_with('[') {
            let (name, rest) = text.split_at(text.find(']')? + 1);
            let is_address = name[1..name.len() - 1].parse::<Ipv6Addr>().is_ok();
            (Some(name).filter(|_| is_address)?, rest)
        } else {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
            let (name, rest) = text.split_at(text.bytes().position(|byte| !is_name(byte)).unwrap_or(text.len()));
            (name.strip_suffix('.').unwrap_or(name), rest)
        };
        let port = match rest.strip_prefix(':') {
            None if rest.is_empty() => None,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
            None | Some(_) => return None,
        };
        (!name.is_empty()).then_some(Self { name, port })
    }
}

impl Origin {
    fn parse(text: &str) -> Option<Self> {
        let (scheme, host) = text.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let mut host = Host::from(Asked::parse(host)?);
        host.name.make_ascii_lowercase();
        host.port = host.port.filter(|port| default_port(&scheme) != Some(*port));
        Some(Self { scheme, host })
    }
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use http::header::{HOST, ORIGIN};

    use super::*;

    fn allowed(guard: &Guard, host: &str, origin: Option<&str>) -> bool {
        let mut request = http::Request::post("/mcp").header(HOST, host);
        if let Some(origin) = origin {
            request = request.header(ORIGIN, origin);
        }
        let head = request.body(()).unwrap().into_parts().0;
        guard.check(&head.uri, &Said::of(&head.headers)).is_ok()
    }

    #[test]
    fn only_this_machine_is_allowed_by_default() {
        let guard = Guard::new(&[], &[], false).unwrap();
        for host in ["localhost", "LOCALHOST:3000", "localhost.", "127.0.0.1:8080", "[::1]", "[::1]:80"] {
            assert!(allowed(&guard, host, None), "{host}");
        }
        let foreign = ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "evil@localhost"];
        for host in foreign.into_iter().chain(["localhost:", "localhost:x", "127.0.0.2", "0.0.0.0", "[::2]", ""]) {
            assert!(!allowed(&guard, host, None), "{host}");
        }
    }

    #[test]
    fn origins_are_those_of_the_hosts_and_those_listed() {
        let guard =
            Guard::new(&["api.example:8443".to_owned()], &["https://App.example:443".to_owned()], false).unwrap();
        for origin in
            ["http://localhost:5173", "HTTPS://APP.example", "https://app.example:443", "https://api.example:8443"]
        {
            assert!(allowed(&guard, "api.example:8443", Some(origin)), "{origin}");
        }
        for origin in
            ["null", "https://app.example:444", "http://app.example", "https://api.example", "https://evil.example"]
        {
            assert!(!allowed(&guard, "api.example:8443", Some(origin)), "{origin}");
        }
        assert!(!allowed(&guard, "localhost", Some("file://localhost")), "no page of the network");
    }

    #[test]
    fn a_public_server_knows_no_foreign_origin_as_its_own() {
        let guard = Guard::new(&[], &[], true).unwrap();
        assert!(allowed(&guard, "anything.example", None));
        assert!(!allowed(&guard, "anything.example", Some("https://anything.example")));
    }
}

//! Addresses of the web, in the one spelling that all readers understand alike.

use std::net::Ipv6Addr;
use std::ops::Deref;

use super::text::checked_text;

pub(super) const EXPECTED: &str = "an absolute http or https URL without user name and password";

/// An absolute address of the web: the format `url`.
///
/// It is a URI of RFC 3986 with the scheme `http` or `https` and a host, and has no user name or password. The host is
/// letters, digits, `-`, `_` and `.`, or an IPv6 address in brackets: nothing that two readers could see two hosts in.
///
/// It says nothing about where the host is. Whoever fetches what strangers name should ask [`host`](Self::host) whether it is
/// one of those that are meant, or let the HTTP client refuse addresses inside the own network, for redirects, too.
///
/// ```
/// use mcp_runtime::HttpUrl;
///
/// let url: HttpUrl = "https://example.org:8443/a?b#c".parse()?;
/// assert_eq!(url.host(), "example.org");
///
/// for refused in ["example.org", "file:///etc/passwd", "http://a@b/", "http://a\\@b/", "http://a b/"] {
///     assert!(refused.parse::<HttpUrl>().is_err(), "{refused}");
/// }
/// # Ok::<(), mcp_runtime::CheckedTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HttpUrl(String);

checked_text!(HttpUrl, EXPECTED, accepts);

impl HttpUrl {
    /// The host as it came, an IPv6 address with its brackets. Upper and lower case are the same host.
    #[must_use]
    pub fn host(&self) -> &str {
        split(&self.0).map_or("", |parts| parts.host)
    }
}

impl Deref for HttpUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Where an address leads, and what is said beyond that.
struct Parts<'t> {
    host: &'t str,
    port: Option<&'t str>,
    rest: &'t str,
}

/// Whether a text is an absolute address of the web, and has one reading.
pub(crate) fn accepts(text: &str) -> bool {
    split(text).is_some_and(|Parts { host, port, rest }| {
        is_host(host) && port.is_none_or(|port| port.is_empty() || is_port(port)) && is_rest(rest)
    })
}

fn split(text: &str) -> Option<Parts<'_>> {
    let (scheme, rest) = text.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    // the colons of an IPv6 address stand before its bracket
    let port = authority.rfind(':').filter(|colon| authority.rfind(']').is_none_or(|bracket| bracket < *colon));
    let (host, port) = match port {
        Some(colon) => (&authority[..colon], Some(&authority[colon + 1..])),
        None => (authority, None),
    };
    Some(Parts { host, port, rest })
}

fn is_host(host: &str) -> bool {
    match host.strip_prefix('[').and_then(|address| address.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)),
    }
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok()
}

/// Path, query and fragment of RFC 3986: one `#`, whole escapes, and no character that has to be escaped.
fn is_rest(rest: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?#%".contains(&byte);
    let is_escape = |after: &str| {
        after.as_bytes().first_chunk::<2>().is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    rest.bytes().all(is_known) && rest.matches('#').count() <= 1 && rest.split('%').skip(1).all(is_escape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_one_reading_is_accepted() {
        for (text, host) in [
            ("http://example.org", "example.org"),
            ("HTTPS://Example.org:443/", "Example.org"),
            ("http://localhost:8080/a/b?c=d&e=%20#f", "localhost"),
            ("http://[2001:db8::1]:8080/a", "[2001:db8::1]"),
            ("http://[::1]", "[::1]"),
            ("https://example.org?a", "example.org"),
            ("https://example.org#a@b", "example.org"),
            ("https://my_host/a@b:c", "my_host"),
            ("http://a:/", "a"),
        ] {
            let url: HttpUrl = text.parse().expect(text);
            assert_eq!(url.host(), host);
        }
    }

    #[test]
    fn all_else_is_refused() {
        for text in [
            "",
            "/",
            "example.org",
            "//example.org",
            "http:",
            "http:/a",
            "http://",
            "http:///a",
            "https:a",
            "ftp://a/",
            "file:///a",
            "javascript:alert(1)",
            "data:text/plain,a",
            " http://a",
            "http://a ",
            "http://a b",
            "http://a\n",
            "http://u@a/",
            "http://u:p@a/",
            "http://a\\@b/",
            "http://a\\b",
            "http://é.example/",
            "http://a/é",
            "http://a%2fb/",
            "http://a:99999/",
            "http://a:b/",
            "http://a:1:2/",
            "http://a:+1/",
            "http://[::1/",
            "http://::1/",
            "http://[::1]a/",
            "http://[a]/",
            "http://[fe80::1%25eth0]/",
            "http://a/%",
            "http://a/%2",
            "http://a/%zz",
            "http://a/#b#c",
            "http://a/<b>",
            "http://a/\"",
            "http://a/{b}",
            "http://a/\0",
            "http://?a",
            "http://#a",
            "http://:80/",
        ] {
            assert!(!accepts(text), "{text:?}");
        }
    }
}

//! `WWW-Authenticate`: what a request has to bring (RFC 6750, section 3; RFC 9728, section 5).

use http::header::HeaderValue;

/// A challenge of the scheme `Bearer`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Challenge<'c> {
    /// What was wrong, if there was a token: a code, and a text for people.
    pub(super) error: Option<(&'static str, &'c str)>,
    /// What the token has to allow.
    pub(super) scopes: Vec<&'c str>,
    /// Where to learn who issues tokens.
    pub(super) metadata: Option<&'c str>,
}

impl Challenge<'_> {
    pub(super) fn to_header(&self) -> Option<HeaderValue> {
        let mut parameters = Vec::new();
        if let Some((code, _)) = self.error {
            parameters.push(("error", code.to_owned()));
        }
        let scopes = self.scopes.join(" ");
        if !scopes.is_empty() {
            parameters.push(("scope", scopes));
        }
        if let Some(metadata) = self.metadata {
            parameters.push(("resource_metadata", metadata.to_owned()));
        }
        if let Some((_, text)) = self.error {
            parameters.push(("error_description", text.to_owned()));
        }
        let quoted = parameters.into_iter().map(|(name, value)| format!("{name}=\"{}\"", quotable(&value)));
        let text = std::iter::once("Bearer".to_owned()).chain(Some(quoted.collect::<Vec<_>>().join(", ")));
        let text = text.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        HeaderValue::from_str(&text).ok()
    }
}

/// What may stand between the quotes of a parameter: everything else becomes a `?`, or for a quote its like.
fn quotable(text: &str) -> String {
    let quotable = |c: char| match c {
        '"' | '`' => '\'',
        ' '..='~' if c != '\\' => c,
        _ => '?',
    };
    text.chars().map(quotable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_one_header() {
        let text = |challenge: Challenge<'_>| challenge.to_header().unwrap().to_str().unwrap().to_owned();
        assert_eq!(text(Challenge::default()), "Bearer");
        let challenge = Challenge {
            error: Some(("invalid_token", "no \"good\"\r\ntoken: ü\\")),
            scopes: vec!["a", "b:c"],
            metadata: Some("https://x/y"),
        };
        assert_eq!(
            text(challenge),
            r#"Bearer error="invalid_token", scope="a b:c", resource_metadata="https://x/y", error_description="no 'good'??token: ??""#
        );
    }
}

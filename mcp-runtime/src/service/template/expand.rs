//! From values to a URI.

use super::{UriPart, UriValues, UriVariable};

/// What RFC 3986 reserves; an expansion that is not reserved encodes it.
const RESERVED: &[u8] = b":/?#[]@!$&'()*+,;=";

pub(super) fn expand(parts: &[UriPart<'_>], values: &UriValues<'_>) -> String {
    let mut uri = String::new();
    for part in parts {
        match part {
            UriPart::Literal(text) => uri.push_str(text),
            UriPart::Segment(variable) => encode(first(variable, values), b"", &mut uri),
            UriPart::Any(variable) => encode(first(variable, values), RESERVED, &mut uri),
            UriPart::List { sign, variable } => {
                let mut sign = *sign;
                for item in values.all(variable.name) {
                    uri.extend(sign);
                    encode(item, b"", &mut uri);
                    sign = sign.or(Some(','));
                }
            }
            UriPart::Pairs { sign, variables } => {
                let mut before = *sign;
                for variable in *variables {
                    for value in values.all(variable.name) {
                        uri.push(before);
                        uri.push_str(variable.name);
                        // `;` names what is empty, and says no more
                        if *sign != ';' || !value.is_empty() {
                            uri.push('=');
                        }
                        encode(shortened(variable, value), b"", &mut uri);
                        before = if *sign == ';' { ';' } else { '&' };
                    }
                }
            }
        }
    }
    uri
}

fn first<'v>(variable: &UriVariable<'_>, values: &'v UriValues<'_>) -> &'v str {
    shortened(variable, values.get(variable.name).unwrap_or_default())
}

/// The characters of a value that are kept.
fn shortened<'v>(variable: &UriVariable<'_>, value: &'v str) -> &'v str {
    let end = variable.longest.and_then(|longest| value.char_indices().nth(longest.into()));
    end.map_or(value, |(end, _)| &value[..end])
}

/// Encodes everything but what RFC 3986 calls unreserved, and what is kept besides. A `%` never is: a value is what
/// stands in a URI after decoding, and comes back from it as it was.
fn encode(text: &str, kept: &[u8], out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || kept.contains(&byte) {
            out.push(char::from(byte));
        } else {
            let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
            out.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
}

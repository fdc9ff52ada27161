//! Answers of ours, read again.

use crate::json::Reader;

/// The error code of an answer that this server wrote; `None` if it is a result.
pub(crate) fn error_code(answer: &[u8]) -> Option<i32> {
    let answer = answer.strip_prefix(br#"{"jsonrpc":"2.0","#)?;
    let error = match answer.strip_prefix(br#""id":"#) {
        None => answer,
        Some(rest) => {
            // an id ends before a comma outside a string
            let end = match rest.first() {
                Some(b'"') => 1 + string_end(&rest[1..])?,
                _ => rest.iter().position(|&byte| byte == b',')?,
            };
            rest[end..].strip_prefix(b",")?
        }
    };
    let code = error.strip_prefix(br#""error":{"code":"#)?;
    let end = code.iter().position(|&byte| byte == b',')?;
    let code = Reader::new(std::str::from_utf8(&code[..end]).ok()?).integer().ok()?;
    i32::try_from(code).ok()
}

/// One past the quote that ends a string.
fn string_end(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    let end = text.iter().position(|&byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map(|end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsonrpc::{ErrorCode, RequestId, write_error};

    #[test]
    fn codes_are_read_as_they_were_written() {
        for id in [Some(7.into()), Some("a\"b\\,".into()), Some(RequestId::from("")), None] {
            let mut out = Vec::new();
            write_error(&mut out, id.as_ref(), ErrorCode::InvalidParams, "no, never");
            assert_eq!(error_code(&out), Some(-32_602), "{id:?}");
        }
        assert_eq!(error_code(br#"{"jsonrpc":"2.0","id":7,"result":{"error":{"code":1}}}"#), None);
    }
}

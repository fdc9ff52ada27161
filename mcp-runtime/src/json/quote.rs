//! Quoting text that lies in the buffer already: a structured result is also sent as text.

use std::ops::Range;

use super::scan::special;
use super::writer::Writer;

/// Appends the bytes of `range`, which are UTF-8, as a JSON string.
pub(crate) fn quote_within(out: &mut Vec<u8>, range: Range<usize>) {
    out.reserve(range.len() + range.len() / 8 + 2);
    out.push(b'"');
    let mut start = range.start;
    loop {
        let end = special(&out[..range.end], start);
        out.extend_from_within(start..end);
        if end == range.end {
            break;
        }
        let byte = out[end];
        Writer::new(out).escape(byte);
        start = end + 1;
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quoted_text_reads_back_as_the_bytes_it_was_made_from() {
        let json = "{\"a\":\"b\\\"c\\n\u{e9}\u{1}\",\"long\":\"0123456789012345678901234567890123456789\"}";
        let mut out = format!("before{json}").into_bytes();
        let range = 6..out.len();
        quote_within(&mut out, range.clone());
        let quoted = String::from_utf8(out[range.end..].to_vec()).unwrap();
        assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), json);
    }
}

//! The arguments as they came.

use std::ops::Range;
use std::sync::Arc;

/// Where the text of the arguments lies while the handler runs.
#[derive(Debug)]
pub(crate) enum Arguments {
    /// At the front of the answer's buffer, up to here: a copy that costs no allocation.
    Inline(usize),
    /// In the line they came with, which is too long to be copied.
    Shared(Arc<Vec<u8>>, Range<usize>),
}

impl Arguments {
    /// Decides where to keep `text`, which may be a part of `line`.
    pub(crate) fn keep(text: &str, line: Option<Arc<Vec<u8>>>) -> (Self, &str) {
        let place = line.and_then(|line| {
            let start = text.as_ptr().addr().checked_sub(line.as_ptr().addr())?;
            let range = start..start.checked_add(text.len())?;
            (range.end <= line.len()).then_some(Self::Shared(line, range))
        });
        (place.unwrap_or(Self::Inline(text.len())), text)
    }

    /// The text again.
    pub(crate) fn text<'c>(&'c self, buffer: &'c [u8]) -> &'c str {
        let bytes = match self {
            Self::Inline(end) => buffer.get(..*end),
            Self::Shared(line, range) => line.get(range.clone()),
        };
        // it was text when it was kept, and nobody has written to it
        bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("{}")
    }

    /// Where the answer begins in the buffer.
    pub(crate) fn inline_end(&self) -> usize {
        match self {
            Self::Inline(end) => *end,
            Self::Shared(..) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_a_long_line_are_found_in_it_again() {
        let line = Arc::new(br#"{"arguments":{"a":1}}"#.to_vec());
        let text = std::str::from_utf8(&line[13..20]).unwrap();
        let (kept, _) = Arguments::keep(text, Some(Arc::clone(&line)));
        assert_eq!((kept.text(b""), kept.inline_end()), (r#"{"a":1}"#, 0));
    }

    #[test]
    fn arguments_from_elsewhere_are_copied() {
        let (kept, text) = Arguments::keep("{}", Some(Arc::new(vec![0; 3])));
        assert_eq!((kept.text(text.as_bytes()), kept.inline_end()), ("{}", 2));
    }
}

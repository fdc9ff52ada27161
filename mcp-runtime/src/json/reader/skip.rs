//! Values that nobody wants: their grammar is checked all the same, without recursion.

use super::{MAX_DEPTH, Reader};
use crate::json::Fault;
use crate::json::fault::refuse;

impl<'a> Reader<'a> {
    /// Skips one value of any kind, and checks its grammar.
    ///
    /// # Errors
    ///
    /// If the text is not JSON. A key that comes twice is not looked for.
    pub fn skip_value(&mut self) -> Result<(), Fault> {
        // one bit for each level that was entered here: 1 for an object
        let mut levels = 0u128;
        let outer = self.depth;
        loop {
            let byte = self.peek();
            if matches!(byte, b'{' | b'[') {
                self.enter(byte)?;
                levels = levels << 1 | u128::from(byte == b'{');
                if !self.close(closing(levels)) {
                    self.skip_key(levels)?;
                    continue;
                }
                levels >>= 1;
            } else {
                self.skip_scalar(byte)?;
            }
            while self.depth > outer && !self.more(closing(levels))? {
                levels >>= 1;
            }
            if self.depth == outer {
                return Ok(());
            }
            self.skip_key(levels)?;
        }
    }

    /// Skips one value of any kind, checks its grammar, and gives its text.
    ///
    /// # Errors
    ///
    /// As [`skip_value`](Self::skip_value).
    ///
    /// ```
    /// # use mcp_runtime::json::Reader;
    /// assert_eq!(Reader::new(r#" {"a": [1, 2]} "#).raw_value(), Ok(r#"{"a": [1, 2]}"#));
    /// assert!(Reader::new(r#""\x""#).raw_value().is_err());
    /// ```
    pub fn raw_value(&mut self) -> Result<&'a str, Fault> {
        self.peek();
        let start = self.at;
        self.skip_value()?;
        self.slice(start, self.at)
    }

    fn enter(&mut self, bracket: u8) -> Result<(), Fault> {
        if self.depth == MAX_DEPTH {
            return Err(Fault::TOO_DEEP);
        }
        self.open(bracket, "expected a value")
    }

    #[inline(always)]
    fn skip_key(&mut self, levels: u128) -> Result<(), Fault> {
        if levels & 1 == 0 {
            return Ok(());
        }
        self.skip_string()?;
        if self.take(b':') { Ok(()) } else { refuse("expected a colon") }
    }

    #[inline(always)]
    fn skip_scalar(&mut self, byte: u8) -> Result<(), Fault> {
        match byte {
            b'"' => self.skip_string(),
            b't' | b'f' => self.boolean().map(drop),
            b'n' => self.null(),
            b'-' | b'0'..=b'9' => self.skip_number(),
            _ => refuse("expected a value"),
        }
    }
}

fn closing(levels: u128) -> u8 {
    if levels & 1 == 1 { b'}' } else { b']' }
}

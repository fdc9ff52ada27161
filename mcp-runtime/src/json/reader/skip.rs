//! Values that nobody wants: their grammar is checked all the same, without recursion.
//!
//! All is done in local variables: arguments pass here before they are decoded.

use super::number::skip_digits;
use super::string::string_end;
use super::{MAX_DEPTH, Reader};
use crate::json::Fault;
use crate::json::fault::refuse;

/// The most members that are looked at in the hope of a flat object: where there is none, all begins anew.
const FEW_MEMBERS: u8 = 16;

/// The arrays and objects around a place, inside of the value that is skipped.
struct Levels {
    depth: u8,
    /// Whether the innermost is an object.
    in_object: bool,
    /// The same for those around it, one bit each.
    around: u128,
}

impl<'a> Reader<'a> {
    /// Skips one value of any kind, and checks its grammar.
    ///
    /// # Errors
    ///
    /// If the text is not JSON. A key that comes twice is not looked for.
    pub fn skip_value(&mut self) -> Result<(), Fault> {
        let bytes = self.bytes();
        let mut at = self.at;
        let mut levels = Levels { depth: 0, in_object: false, around: 0 };
        loop {
            at = skip_space(bytes, at);
            at = match bytes.get(at) {
                Some(b'"') => string_end(bytes, at + 1)?,
                Some(&bracket @ (b'{' | b'[')) => {
                    if self.depth + levels.depth == MAX_DEPTH {
                        return Err(Fault::TOO_DEEP);
                    }
                    levels.enter(bracket == b'{');
                    at = skip_space(bytes, at + 1);
                    if bytes.get(at) != Some(&levels.closing()) {
                        at = levels.skip_key(bytes, at)?;
                        continue;
                    }
                    levels.leave();
                    at + 1
                }
                Some(b'-' | b'0'..=b'9') => self.number_end(at)?,
                Some(b't') => word_end(bytes, at, "true")?,
                Some(b'f') => word_end(bytes, at, "false")?,
                Some(b'n') => word_end(bytes, at, "null")?,
                Some(_) | None => return refuse("expected a value"),
            };
            loop {
                if levels.depth == 0 {
                    self.at = at;
                    return Ok(());
                }
                at = skip_space(bytes, at);
                match bytes.get(at) {
                    Some(b',') => break,
                    Some(&byte) if byte == levels.closing() => levels.leave(),
                    Some(_) | None => return refuse("expected a comma or a closing bracket"),
                }
                at += 1;
            }
            at = levels.skip_key(bytes, at + 1)?;
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

    /// The same for what is mostly a string, an integer, or an object of such. Nothing where the text is not JSON.
    #[inline(always)]
    pub(crate) fn raw_usual(&mut self) -> Option<&'a str> {
        let start = self.at;
        let end = match self.bytes().get(start)? {
            b'"' => string_end(self.bytes(), start + 1).ok()?,
            b'0'..=b'9' => self.number_end(start).ok()?,
            b'{' => match self.flat_end(start) {
                Some(end) => end,
                None => return self.raw_value().ok(),
            },
            _ => return self.raw_value().ok(),
        };
        self.at = end;
        self.text.get(start..end)
    }

    /// The index behind an object as arguments mostly are: few members, all of them strings and numbers, and no white
    /// space. Of any other, and of what is no JSON, it cannot tell.
    #[inline(never)]
    fn flat_end(&self, start: usize) -> Option<usize> {
        let bytes = self.bytes();
        let mut at = start + 1;
        if self.depth == MAX_DEPTH || bytes.get(at) != Some(&b'"') {
            return None;
        }
        for _ in 0..FEW_MEMBERS {
            at = string_end(bytes, at + 1).ok()?;
            if bytes.get(at) != Some(&b':') {
                return None;
            }
            at = match bytes.get(at + 1)? {
                b'"' => string_end(bytes, at + 2).ok()?,
                b'-' | b'0'..=b'9' => self.number_end(at + 1).ok()?,
                _ => return None,
            };
            match bytes.get(at..at + 2) {
                Some(b",\"") => at += 1,
                _ if bytes.get(at) == Some(&b'}') => return Some(at + 1),
                _ => return None,
            }
        }
        None
    }

    /// The index behind a number.
    #[inline(always)]
    fn number_end(&self, at: usize) -> Result<usize, Fault> {
        let bytes = self.bytes();
        let whole = at + usize::from(bytes.get(at) == Some(&b'-'));
        let end = skip_digits(bytes, whole);
        if end > whole
            && (bytes[whole] != b'0' || end == whole + 1)
            && !matches!(bytes.get(end), Some(b'.' | b'e' | b'E'))
        {
            return Ok(end);
        }
        let mut reader = Self { at, ..*self };
        reader.number_text()?;
        Ok(reader.at)
    }
}

impl Levels {
    #[inline(always)]
    fn enter(&mut self, object: bool) {
        self.around = self.around << 1 | u128::from(self.in_object);
        self.in_object = object;
        self.depth += 1;
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.in_object = self.around & 1 == 1;
        self.around >>= 1;
        self.depth -= 1;
    }

    #[inline(always)]
    fn closing(&self) -> u8 {
        if self.in_object { b'}' } else { b']' }
    }

    /// Skips what stands before a member's value; before an item's there is nothing.
    #[inline(always)]
    fn skip_key(&self, bytes: &[u8], at: usize) -> Result<usize, Fault> {
        if !self.in_object {
            return Ok(at);
        }
        let at = skip_space(bytes, at);
        if bytes.get(at) != Some(&b'"') {
            return refuse("expected a string");
        }
        let at = skip_space(bytes, string_end(bytes, at + 1)?);
        if bytes.get(at) == Some(&b':') { Ok(at + 1) } else { refuse("expected a colon") }
    }
}

#[inline(always)]
fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

fn word_end(bytes: &[u8], at: usize, word: &str) -> Result<usize, Fault> {
    let end = at + word.len();
    if bytes.get(at..end) == Some(word.as_bytes()) { Ok(end) } else { refuse("expected a value") }
}

//! A reader of JSON that borrows, and believes that the text is what it should be.

use std::borrow::Cow;

use memchr::memchr2;

/// The text was not what it should be.
#[derive(Debug)]
pub(crate) struct Wrong;

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn peek(&mut self) -> Result<u8, Wrong> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        bytes.get(self.at).copied().ok_or(Wrong)
    }

    /// Steps over this byte, if it comes next.
    fn take(&mut self, byte: u8) -> Result<bool, Wrong> {
        let found = self.peek()? == byte;
        self.at += usize::from(found);
        Ok(found)
    }

    fn expect(&mut self, byte: u8) -> Result<(), Wrong> {
        if self.take(byte)? { Ok(()) } else { Err(Wrong) }
    }

    /// Goes through the members of an object; `member` must read each value.
    pub(crate) fn object(&mut self, mut member: impl FnMut(&str, &mut Self) -> Result<(), Wrong>) -> Result<(), Wrong> {
        self.expect(b'{')?;
        if self.take(b'}')? {
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.expect(b':')?;
            member(&key, self)?;
            if !self.take(b',')? {
                return self.expect(b'}');
            }
        }
    }

    /// Goes through the elements of an array; `element` must read each.
    pub(crate) fn array(&mut self, mut element: impl FnMut(&mut Self) -> Result<(), Wrong>) -> Result<(), Wrong> {
        self.expect(b'[')?;
        if self.take(b']')? {
            return Ok(());
        }
        loop {
            element(self)?;
            if !self.take(b',')? {
                return self.expect(b']');
            }
        }
    }

    pub(crate) fn string(&mut self) -> Result<Cow<'t, str>, Wrong> {
        self.expect(b'"')?;
        let start = self.at;
        let length = memchr2(b'"', b'\\', &self.text.as_bytes()[start..]).ok_or(Wrong)?;
        self.at = start + length;
        if self.take(b'"')? {
            return Ok(Cow::Borrowed(&self.text[start..start + length]));
        }
        self.escaped(start).map(Cow::Owned)
    }

    /// The rest of a string whose first escape is here.
    fn escaped(&mut self, start: usize) -> Result<String, Wrong> {
        let bytes = self.text.as_bytes();
        let mut out = self.text[start..self.at].to_owned();
        loop {
            let from = self.at;
            let length = memchr2(b'"', b'\\', &bytes[from..]).ok_or(Wrong)?;
            self.at = from + length + 1;
            out.push_str(&self.text[from..from + length]);
            if bytes[self.at - 1] == b'"' {
                return Ok(out);
            }
            let escape = *bytes.get(self.at).ok_or(Wrong)?;
            self.at += 1;
            out.push(match escape {
                b'n' => '\n',
                b't' => '\t',
                b'r' => '\r',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'u' => self.unit()?,
                other => char::from(other),
            });
        }
    }

    /// Four digits of an escape, and four more for the second half of a pair.
    fn unit(&mut self) -> Result<char, Wrong> {
        let mut digits = || {
            let unit = self.text.get(self.at..self.at + 4).ok_or(Wrong)?;
            self.at += 4;
            u32::from_str_radix(unit, 16).map_err(|_| Wrong)
        };
        let first = digits()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first).ok_or(Wrong);
        }
        self.at += 2;
        let second = {
            let unit = self.text.get(self.at..self.at + 4).ok_or(Wrong)?;
            self.at += 4;
            u32::from_str_radix(unit, 16).map_err(|_| Wrong)?
        };
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + second.wrapping_sub(0xdc00)).ok_or(Wrong)
    }

    /// The text of a number.
    pub(crate) fn number(&mut self) -> Result<&'t str, Wrong> {
        self.peek()?;
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
        let number = &rest[..length.unwrap_or(rest.len())];
        self.at += number.len();
        if number.is_empty() { Err(Wrong) } else { Ok(number) }
    }

    pub(crate) fn integer(&mut self) -> Result<i64, Wrong> {
        self.number()?.parse().map_err(|_| Wrong)
    }

    pub(crate) fn float(&mut self) -> Result<f64, Wrong> {
        self.number()?.parse().map_err(|_| Wrong)
    }

    /// The text of a value, which is stepped over.
    pub(crate) fn raw(&mut self) -> Result<&'t str, Wrong> {
        self.peek()?;
        let start = self.at;
        self.skip()?;
        Ok(&self.text[start..self.at])
    }

    /// A value whose brackets are counted and whose strings are looked at; all else is believed.
    fn skip(&mut self) -> Result<(), Wrong> {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                b'"' => {
                    self.at += 1;
                    loop {
                        self.at += memchr2(b'"', b'\\', &bytes[self.at..]).ok_or(Wrong)?;
                        if bytes[self.at] == b'"' {
                            break;
                        }
                        self.at += 2;
                    }
                }
                b',' | b':' => {}
                _ => {
                    let rest = &bytes[self.at..];
                    let length = rest.iter().position(|byte| matches!(byte, b',' | b':' | b'}' | b']' | b' ' | b'\n'));
                    self.at += length.unwrap_or(rest.len());
                    if depth == 0 {
                        return Ok(());
                    }
                    continue;
                }
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

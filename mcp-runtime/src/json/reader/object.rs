//! Objects: with keys that a type declares, or with any.

use std::borrow::Cow;

use super::Reader;
use super::keys::Keys;
use crate::json::fault::refuse;
use crate::json::{Fault, ObjectRules};

type ReadEntry<'f, 'a> = dyn FnMut(Cow<'a, str>, &mut Reader<'a>) -> Result<(), Fault> + 'f;

impl<'a> Reader<'a> {
    /// Reads an object whose keys are known.
    ///
    /// `member` is called at each value with the index of its key in `keys`, or with [`usize::MAX`] for a key that is
    /// not among them ([`key`](Self::key) tells it), and must read, skip or refuse the value.
    ///
    /// # Errors
    ///
    /// If the next value is not an object, if a known key comes twice, or if `member` refuses.
    pub fn object(
        &mut self,
        keys: &[&str],
        member: &mut dyn FnMut(usize, &mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.open(b'{', "expected an object")?;
        let mut keys = Keys::new(keys);
        let mut more = !self.close(b'}');
        while more {
            let index = self.read_known_key(&mut keys)?;
            member(index, self)?;
            more = self.more(b'}')?;
        }
        Ok(())
    }

    /// Reads an object with any keys by a schema's rules. `entry` must read the value that follows its key.
    ///
    /// A key that comes twice is given twice: whoever keeps the entries decides.
    ///
    /// # Errors
    ///
    /// If the next value is not an object, if it breaks a rule, or if `entry` refuses.
    pub fn map(
        &mut self,
        rules: &ObjectRules,
        entry: &mut dyn FnMut(String, &mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.entries(rules, &mut |key, reader| entry(key.into_owned(), reader))
    }

    /// `map` with keys that are borrowed where they can be.
    pub(in crate::json) fn entries(&mut self, rules: &ObjectRules, entry: &mut ReadEntry<'_, 'a>) -> Result<(), Fault> {
        self.open(b'{', "expected an object")?;
        let mut count = 0;
        let mut more = !self.close(b'}');
        while more {
            count += 1;
            if count > rules.max_properties {
                return refuse("too many properties");
            }
            self.peek();
            (self.key, self.key_end) = (self.at, 0);
            let key = self.string()?;
            if !self.take(b':') {
                return refuse("expected a colon");
            }
            entry(key, self)?;
            more = self.more(b'}')?;
        }
        if count < rules.min_properties { refuse("too few properties") } else { Ok(()) }
    }

    /// Reads members until `entry` says that it has seen enough.
    pub(super) fn members_until(
        &mut self,
        entry: &mut dyn FnMut(&str, &mut Self) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        self.open(b'{', "expected an object")?;
        let mut more = !self.close(b'}');
        while more {
            let key = self.string()?;
            if !self.take(b':') {
                return refuse("expected a colon");
            }
            more = !entry(&key, self)? && self.more(b'}')?;
        }
        Ok(())
    }

    /// The key whose value is about to be read, inside `member` of [`object`](Self::object) and before the value.
    #[must_use]
    pub fn key(&self) -> Cow<'a, str> {
        match self.text.get(self.key + 1..self.key_end) {
            Some(key) => Cow::Borrowed(key),
            None => Self { at: self.key, ..Self::new(self.text) }.string().unwrap_or_default(),
        }
    }

    /// Refuses the key whose value is about to be read.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn refuse_key(&self) -> Result<(), Fault> {
        refuse("unknown argument")
    }

    #[inline(always)]
    fn read_known_key(&mut self, keys: &mut Keys<'_>) -> Result<usize, Fault> {
        let start = self.string_start()?;
        (self.key, self.key_end) = (self.at, 0);
        let index = match self.plain_string_from(start)? {
            Some(key) => keys.find(key)?,
            None => keys.find(&self.string()?)?,
        };
        if self.take(b':') { Ok(index) } else { refuse("expected a colon") }
    }
}

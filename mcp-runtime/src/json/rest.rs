//! The members of an object that its schema allows and does not declare.

mod kept;
mod values;

use std::fmt;

use serde_json::Value;

use self::kept::Kept;

use super::reader::count;
use super::{Decode, Encode, Fault, Reader, Writer};

/// Undeclared members, in the order in which they came. Costs no allocation while it is empty.
///
/// What was read is kept as text, and made into values when somebody first looks at one.
///
/// ```
/// use mcp_runtime::json::{self, Rest};
///
/// let rest: Rest = json::decode(r#"{"b": 1, "a": [2]}"#)?;
/// assert_eq!(rest.get("b"), Some(&1.into()));
/// assert_eq!(rest.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["b", "a"]);
/// assert!(json::decode::<Rest>(r#"{"b": 1, "b": 2}"#).is_err());
/// # Ok::<(), json::Fault>(())
/// ```
#[derive(Clone, Default)]
pub struct Rest {
    /// Behind a pointer, since mostly there is none.
    kept: Option<Box<Kept>>,
}

/// Up to this many members a walk is as fast as a search.
const FEW: usize = 16;

impl Rest {
    /// The value of a member.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.kept.as_deref()?.values().get(key)
    }

    /// Sets a member, and gives back the value that it had.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        self.kept.get_or_insert_default().change(|values| values.insert(key.into(), value.into()))
    }

    /// The members, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let members = self.kept.as_deref().map_or(&[][..], |kept| &kept.values().members);
        members.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.as_deref().map_or(0, |kept| kept.values().members.len())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_none()
    }

    /// Reads one member: the reader's [`key`](Reader::key) and the value that follows.
    ///
    /// # Errors
    ///
    /// If the value is not JSON, or the key has come before.
    #[inline(never)]
    pub fn read(&mut self, r: &mut Reader<'_>) -> Result<(), Fault> {
        let Some(kept) = &mut self.kept else {
            self.kept = Some(Kept::of(r.raw_member()?));
            return Ok(());
        };
        let key = r.key();
        match kept.text() {
            Some(text) if count(text, &key)? < FEW => {
                kept.push(r.raw_member()?);
                Ok(())
            }
            _ => kept.change(|values| values.read(key.into_owned(), r)),
        }
    }
}

/// Prints the members as a map.
impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// The order of the members does not count.
impl PartialEq for Rest {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl FromIterator<(String, Value)> for Rest {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        let mut rest = Self::default();
        for (key, value) in members {
            rest.insert(key, value);
        }
        rest
    }
}

/// An object with any members.
impl Decode for Rest {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        if let Some(text) = r.raw_members()? {
            return Ok(Self { kept: if text.is_empty() { None } else { Some(Kept::of(text)) } });
        }
        let mut rest = Self::default();
        let mut members = r.members(&[])?;
        while members.next(r)?.is_some() {
            rest.read(r)?;
        }
        Ok(rest)
    }
}

impl Encode for Rest {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_object();
        w.rest(self);
        w.end_object();
    }
}

//! The members of an object that its schema allows and does not declare.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Decode, Encode, Fault, Reader, Writer};

/// Undeclared members, in the order in which they came. Costs no allocation while it is empty.
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
#[derive(Clone, Debug, Default)]
pub struct Rest {
    members: Vec<(String, Value)>,
    /// Where each key stands, once there are so many that a walk would be slow.
    #[expect(clippy::box_collection, reason = "most have none, and are to be small")]
    index: Option<Box<BTreeMap<String, usize>>>,
}

/// Up to this many members a walk is as fast as a search.
const FEW: usize = 16;

impl Rest {
    /// The value of a member.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.position(key).map(|place| &self.members[place].1)
    }

    /// Sets a member, and gives back the value that it had.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        if let Some(place) = self.position(&key) {
            return Some(std::mem::replace(&mut self.members[place].1, value));
        }
        self.push(key, value);
        None
    }

    /// The members, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.members.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Reads one member: the reader's [`key`](Reader::key) and the value that follows.
    ///
    /// # Errors
    ///
    /// If the value is not JSON, or the key has come before.
    pub fn read(&mut self, r: &mut Reader<'_>) -> Result<(), Fault> {
        let key = r.key().into_owned();
        if self.position(&key).is_some() {
            return Err(Fault::DUPLICATE);
        }
        let value = r.value()?;
        self.push(key, value);
        Ok(())
    }

    fn position(&self, key: &str) -> Option<usize> {
        match &self.index {
            None => self.members.iter().position(|(known, _)| known == key),
            Some(index) => index.get(key).copied(),
        }
    }

    fn push(&mut self, key: String, value: Value) {
        let place = self.members.len();
        if place >= FEW {
            let members = &self.members;
            let all = || Box::new(members.iter().enumerate().map(|(place, (key, _))| (key.clone(), place)).collect());
            self.index.get_or_insert_with(all).insert(key.clone(), place);
        }
        if self.members.capacity() == 0 {
            // mostly there are one or two
            self.members = Vec::with_capacity(2);
        }
        self.members.push((key, value));
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

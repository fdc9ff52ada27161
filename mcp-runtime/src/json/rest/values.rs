//! Undeclared members as values.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::json::reader::FEW;
use crate::json::{Fault, Reader};

/// Members in the order in which they came.
#[derive(Clone, Default)]
pub(super) struct Values {
    pub(super) members: Vec<(String, Value)>,
    /// Where each key stands, once there are so many that a walk would be slow.
    index: Option<BTreeMap<String, usize>>,
}

impl Values {
    /// Makes them of the text of members, which was checked when it was read.
    pub(super) fn parse(text: &str) -> Self {
        let mut values = Self::default();
        let mut r = Reader::new(text);
        while let Ok(key) = r.member_key() {
            let Ok(value) = r.value() else { break };
            values.push(key.into_owned(), value);
        }
        values
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.position(key).map(|place| &self.members[place].1)
    }

    pub(super) fn insert(&mut self, key: String, value: Value) -> Option<Value> {
        if let Some(place) = self.position(&key) {
            return Some(std::mem::replace(&mut self.members[place].1, value));
        }
        self.push(key, value);
        None
    }

    /// Reads the value of one more.
    pub(super) fn read(&mut self, key: String, r: &mut Reader<'_>) -> Result<(), Fault> {
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
        if place >= usize::from(FEW) {
            let members = &self.members;
            let all = || members.iter().enumerate().map(|(place, (key, _))| (key.clone(), place)).collect();
            self.index.get_or_insert_with(all).insert(key.clone(), place);
        }
        self.members.push((key, value));
    }
}

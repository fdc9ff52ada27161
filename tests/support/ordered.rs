//! JSON as it was written: the order of members counts.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A JSON value whose equality sees the order of members.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ordered {
    /// An array.
    Array(Vec<Self>),
    /// Null, a boolean, a number or a string.
    Scalar(serde_json::Value),
    /// An object, with its members as they stand.
    Object(Vec<(String, Self)>),
}

impl Ordered {
    /// Parses a text.
    ///
    /// # Panics
    ///
    /// Panics if the text is not JSON.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// The member `key` of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            Self::Array(_) | Self::Scalar(_) => None,
        }
    }

    /// Whether both are the same JSON: the order of members says nothing there.
    #[must_use]
    pub fn is_equal_as_json(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Object(members), Self::Object(others)) => {
                let has =
                    |(key, value): &(String, Self)| other.get(key).is_some_and(|other| value.is_equal_as_json(other));
                members.len() == others.len() && members.iter().all(has)
            }
            (Self::Array(items), Self::Array(others)) => {
                items.len() == others.len()
                    && items.iter().zip(others).all(|(item, other)| item.is_equal_as_json(other))
            }
            (one, other) => one == other,
        }
    }

    /// The items of an array; none for anything else.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            Self::Object(_) | Self::Scalar(_) => &[],
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Parser)
    }
}

struct Parser;

impl<'de> Visitor<'de> for Parser {
    type Value = Ordered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(serde_json::Value::Null))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(value.into()))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Ordered, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Ordered::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Ordered, A::Error> {
        let mut object = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(Ordered::Object(object))
    }
}

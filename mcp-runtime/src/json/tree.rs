//! A value as it was written: numbers keep their digits, objects their order and their duplicates.
//!
//! For the places that need more than one look at a value: equality, uniqueness, the report about refused arguments.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::{ArrayRules, Decimal, Encode, Fault, ObjectRules, Reader, Writer};

/// One JSON value, compared as JSON Schema compares: `1` equals `1.0`, the order of members does not count.
#[derive(Clone, Debug)]
pub(crate) enum Tree<'a> {
    Null,
    Bool(bool),
    /// The number's text.
    Number(Cow<'a, str>),
    String(Cow<'a, str>),
    Array(Vec<Self>),
    Object(Object<'a>),
}

/// The members of an object, in the order of the text, with an index by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object<'a> {
    members: Vec<(Cow<'a, str>, Tree<'a>)>,
    /// The places of the members, by key and then by place.
    sorted: Vec<usize>,
}

impl<'a> Tree<'a> {
    /// Reads one whole text.
    pub(crate) fn parse(text: &'a str) -> Result<Self, Fault> {
        let mut reader = Reader::new(text);
        let tree = Self::read(&mut reader)?;
        reader.end()?;
        Ok(tree)
    }

    /// Reads the next value.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        Ok(match reader.peek() {
            b'"' => Self::String(reader.string()?),
            b'[' => {
                let mut items = Vec::new();
                reader.items(&ArrayRules::ANY, &mut |reader| {
                    items.push(Self::read(reader)?);
                    Ok(())
                })?;
                Self::Array(items)
            }
            b'{' => {
                let mut members = Vec::new();
                reader.entries(&ObjectRules::ANY, &mut |key, reader| {
                    members.push((key, Self::read(reader)?));
                    Ok(())
                })?;
                Self::Object(Object::new(members))
            }
            b't' | b'f' => Self::Bool(reader.boolean()?),
            b'n' => reader.null().map(|()| Self::Null)?,
            _ => Self::Number(Cow::Borrowed(reader.number_text()?)),
        })
    }

    /// An object without members.
    pub(crate) const EMPTY_OBJECT: Self = Self::Object(Object { members: Vec::new(), sorted: Vec::new() });

    /// The value as JSON text.
    pub(crate) fn to_text(&self) -> String {
        let mut out = Vec::new();
        self.encode(&mut Writer::new(&mut out));
        String::from_utf8(out).unwrap_or_default()
    }

    /// The value as JSON text in which the members of each object are in the order of their keys.
    pub(crate) fn to_sorted_text(&self) -> String {
        let mut out = Vec::new();
        Sorted(self).encode(&mut Writer::new(&mut out));
        String::from_utf8(out).unwrap_or_default()
    }

    /// The same value without the text that it was read from.
    pub(crate) fn into_owned(self) -> Tree<'static> {
        match self {
            Self::Null => Tree::Null,
            Self::Bool(value) => Tree::Bool(value),
            Self::Number(text) => Tree::Number(text.into_owned().into()),
            Self::String(text) => Tree::String(text.into_owned().into()),
            Self::Array(items) => Tree::Array(items.into_iter().map(Self::into_owned).collect()),
            Self::Object(object) => {
                let members = object.members.into_iter();
                let members = members.map(|(key, value)| (key.into_owned().into(), value.into_owned())).collect();
                Tree::Object(Object { members, sorted: object.sorted })
            }
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Number(_) => 2,
            Self::String(_) => 3,
            Self::Array(_) => 4,
            Self::Object(_) => 5,
        }
    }
}

impl Encode for Tree<'_> {
    fn encode(&self, w: &mut Writer<'_>) {
        match self {
            Self::Null => w.null(),
            Self::Bool(value) => w.boolean(*value),
            Self::Number(text) => w.raw(text),
            Self::String(text) => w.string(text),
            Self::Array(items) => items.encode(w),
            Self::Object(object) => {
                w.begin_object();
                for (key, value) in object.iter() {
                    w.entry(key, value);
                }
                w.end_object();
            }
        }
    }
}

struct Sorted<'t, 'a>(&'t Tree<'a>);

impl Encode for Sorted<'_, '_> {
    fn encode(&self, w: &mut Writer<'_>) {
        match self.0 {
            Tree::Array(items) => {
                w.begin_array();
                for item in items {
                    w.item(&Sorted(item));
                }
                w.end_array();
            }
            Tree::Object(object) => {
                w.begin_object();
                for (key, value) in object.by_key() {
                    w.entry(key, &Sorted(value));
                }
                w.end_object();
            }
            scalar @ (Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_)) => scalar.encode(w),
        }
    }
}

impl Ord for Tree<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => Decimal::new(a).cmp(&Decimal::new(b)),
            (Self::String(a), Self::String(b)) => a.cmp(b),
            (Self::Array(a), Self::Array(b)) => a.cmp(b),
            (Self::Object(a), Self::Object(b)) => a.by_key().cmp(b.by_key()),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Tree<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Tree<'_> {}

impl PartialEq for Tree<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

/// Up to this many members a walk is as fast as a search.
const FEW: usize = 16;

impl<'a> Object<'a> {
    pub(crate) fn new(members: Vec<(Cow<'a, str>, Tree<'a>)>) -> Self {
        let mut sorted: Vec<usize> = (0..members.len()).collect();
        sorted.sort_by(|&a, &b| members[a].0.cmp(&members[b].0));
        Self { members, sorted }
    }

    /// The value under a key; the last one, if the key stands there twice.
    pub(crate) fn get(&self, key: &str) -> Option<&Tree<'a>> {
        if self.members.len() <= FEW {
            return self.members.iter().rev().find(|(found, _)| found == key).map(|(_, value)| value);
        }
        let end = self.sorted.partition_point(|&place| self.members[place].0.as_ref() <= key);
        let (found, value) = &self.members[*self.sorted.get(end.checked_sub(1)?)?];
        (found == key).then_some(value)
    }

    /// In the order of the text.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Tree<'a>)> {
        self.members.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// The same, with keys that can be kept.
    pub(crate) fn entries(&self) -> &[(Cow<'a, str>, Tree<'a>)] {
        &self.members
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// Each key that stands there more than once.
    pub(crate) fn duplicates(&self) -> impl Iterator<Item = &str> {
        let keys = self.sorted.windows(2).map(|pair| (self.key(pair[0]), self.key(pair[1])));
        let mut last = None;
        keys.filter(|(a, b)| a == b).filter_map(move |(key, _)| (last.replace(key) != Some(key)).then_some(key))
    }

    fn key(&self, place: usize) -> &str {
        &self.members[place].0
    }

    fn by_key(&self) -> impl Iterator<Item = (&str, &Tree<'a>)> {
        self.sorted.iter().map(|&place| (self.key(place), &self.members[place].1))
    }
}

/// Whether two of the items are equal.
pub(crate) fn any_equal(items: &[Tree<'_>]) -> bool {
    let mut sorted: Vec<&Tree<'_>> = items.iter().collect();
    sorted.sort();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree<'_> {
        Tree::parse(text).unwrap()
    }

    #[test]
    fn equality_is_that_of_json_schema() {
        assert_eq!(tree(r#"{"a":1,"b":[2e0]}"#), tree(r#"{"b":[2.0],"a":1.0}"#));
        assert_ne!(tree("1"), tree("true"));
        assert_ne!(tree("[1,2]"), tree("[2,1]"));
        assert_ne!(tree("{}"), tree("[]"));
    }

    #[test]
    fn members_are_found_by_key_and_duplicates_are_told() {
        let Tree::Object(object) = tree(r#"{"b":1,"a":2,"b":3,"b":4}"#) else { panic!("an object") };
        assert_eq!(object.get("b"), Some(&tree("4")));
        assert_eq!(object.get("c"), None);
        assert_eq!(object.duplicates().collect::<Vec<_>>(), ["b"]);
    }
}

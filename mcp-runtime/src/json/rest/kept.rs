//! Undeclared members as they are kept: a text until somebody looks at one, then values.

use std::sync::OnceLock;

use super::values::Values;

/// Members, mostly few and short.
#[derive(Clone)]
pub(super) struct Kept {
    values: OnceLock<Box<Values>>,
    /// The text with commas between the members: here, or if there is no room, in `long`. Without meaning where only the
    /// values count.
    short: [u8; ROOM],
    length: u8,
    long: String,
    /// Whether members were added as values.
    has_values: bool,
}

/// So much fits without a second allocation. With the other fields it fills one of a common size.
const ROOM: usize = 78;

impl Kept {
    /// Keeps the text of members.
    pub(super) fn of(text: &str) -> Box<Self> {
        let mut kept = Box::<Self>::default();
        kept.append(text);
        kept
    }

    /// Adds the text of a member.
    pub(super) fn push(&mut self, member: &str) {
        self.values = OnceLock::new();
        self.append(",");
        self.append(member);
    }

    fn append(&mut self, text: &str) {
        let start = usize::from(self.length);
        let room = self.short.get_mut(start..start + text.len()).filter(|_| self.long.is_empty());
        match (room, u8::try_from(start + text.len())) {
            (Some(room), Ok(length)) => {
                room.copy_from_slice(text.as_bytes());
                self.length = length;
            }
            _ => {
                if self.long.is_empty() {
                    self.long = self.short().to_owned();
                }
                self.long.push_str(text);
            }
        }
    }

    /// The text, if it says all.
    pub(super) fn text(&self) -> Option<&str> {
        if self.has_values {
            return None;
        }
        Some(if self.long.is_empty() { self.short() } else { &self.long })
    }

    /// It was copied from text, piece by piece.
    fn short(&self) -> &str {
        let bytes = self.short.get(..usize::from(self.length)).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    pub(super) fn values(&self) -> &Values {
        self.values.get_or_init(|| Box::new(Values::parse(self.text().unwrap_or_default())))
    }

    /// Changes the values, which count alone from then on.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Values) -> T) -> T {
        let mut values = match self.values.take() {
            Some(values) => values,
            None => Box::new(Values::parse(self.text().unwrap_or_default())),
        };
        self.long = String::new();
        self.has_values = true;
        let result = change(&mut values);
        self.values = OnceLock::from(values);
        result
    }
}

impl Default for Kept {
    fn default() -> Self {
        Self { values: OnceLock::new(), short: [0; ROOM], length: 0, long: String::new(), has_values: false }
    }
}

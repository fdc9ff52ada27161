//! A member that may be absent, null, or there.

use super::{Decode, Encode, Fault, Reader, Writer};

/// A member for which a schema allows both absence and `null`, and which tells the two apart.
///
/// ```
/// use mcp_runtime::json::{self, Field};
///
/// let due: Field<i64> = json::decode("null")?;
/// assert_eq!((due, Field::<i64>::default()), (Field::Null, Field::Absent));
/// assert_eq!(Field::from(3).value(), Some(&3));
/// # Ok::<(), json::Fault>(())
/// ```
#[expect(clippy::exhaustive_enums, reason = "a member cannot be in a fourth state")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field<T> {
    /// The object has no such member.
    #[default]
    Absent,
    /// The member is `null`.
    Null,
    /// The member has a value.
    Value(T),
}

impl<T> Field<T> {
    /// The same field with a borrowed value.
    #[must_use]
    pub const fn as_ref(&self) -> Field<&T> {
        match self {
            Self::Absent => Field::Absent,
            Self::Null => Field::Null,
            Self::Value(value) => Field::Value(value),
        }
    }

    /// The value, if there is one.
    #[must_use]
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Absent | Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// The value, if there is one.
    #[must_use]
    pub fn into_value(self) -> Option<T> {
        match self {
            Self::Absent | Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// Whether the object has no such member.
    #[must_use]
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the member is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

/// `None` becomes absence.
impl<T> From<Option<T>> for Field<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }
}

/// A value that is read is there: absence is for whoever reads the object to say.
impl<T: Decode> Decode for Field<T> {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        if r.take_null() { Ok(Self::Null) } else { T::decode(r).map(Self::Value) }
    }
}

/// Where something must stand, absence is written as `null`; [`Writer::field`] leaves it out.
impl<T: Encode> Encode for Field<T> {
    fn encode(&self, w: &mut Writer<'_>) {
        match self {
            Self::Absent | Self::Null => w.null(),
            Self::Value(value) => value.encode(w),
        }
    }
}

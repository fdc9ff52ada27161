//! What a schema asks of a value, as plain data that generated code holds in constants.

use super::Divisor;

/// What a schema asks of a string.
///
/// ```
/// use mcp_runtime::json::StringRules;
///
/// const NAME: StringRules = StringRules { min_length: 1, ..StringRules::ANY };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StringRules {
    /// The fewest characters (Unicode scalar values).
    pub min_length: u64,
    /// The most characters (Unicode scalar values).
    pub max_length: u64,
}

impl StringRules {
    /// Any string.
    pub const ANY: Self = Self { min_length: 0, max_length: u64::MAX };
}

/// What a schema asks of an integer. Exclusive bounds are written as the next inclusive ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerRules {
    /// The least value.
    pub minimum: i128,
    /// The greatest value.
    pub maximum: i128,
    /// What divides the value; 0 for anything.
    pub multiple_of: i128,
}

impl IntegerRules {
    /// Any integer.
    pub const ANY: Self = Self { minimum: i128::MIN, maximum: i128::MAX, multiple_of: 0 };
}

/// What a schema asks of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRules {
    /// The least value.
    pub minimum: Option<f64>,
    /// The greatest value.
    pub maximum: Option<f64>,
    /// What the value must be above.
    pub exclusive_minimum: Option<f64>,
    /// What the value must be below.
    pub exclusive_maximum: Option<f64>,
    /// What divides the value, decided on decimal digits: 4.35 is a multiple of 0.01.
    pub multiple_of: Option<Divisor>,
}

impl NumberRules {
    /// Any number.
    pub const ANY: Self =
        Self { minimum: None, maximum: None, exclusive_minimum: None, exclusive_maximum: None, multiple_of: None };

    /// The rule of a number's multiples.
    #[must_use]
    pub const fn multiples_of(number: f64) -> Option<Divisor> {
        Some(Divisor::new(number))
    }
}

/// What a schema asks of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayRules {
    /// The fewest items.
    pub min_items: u64,
    /// The most items.
    pub max_items: u64,
    /// Whether no two items may be equal, as JSON Schema compares: `1` equals `1.0`.
    pub unique: bool,
}

impl ArrayRules {
    /// Any array.
    pub const ANY: Self = Self { min_items: 0, max_items: u64::MAX, unique: false };
}

/// What a schema asks of an object that is read as a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectRules {
    /// The fewest members.
    pub min_properties: u64,
    /// The most members.
    pub max_properties: u64,
}

impl ObjectRules {
    /// Any object.
    pub const ANY: Self = Self { min_properties: 0, max_properties: u64::MAX };
}

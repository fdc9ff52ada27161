//! What a `multipleOf` divides by.

use super::decimal::POWERS;

/// A number that others must be a multiple of, with its decimal digits at hand.
///
/// ```
/// use mcp_runtime::json::{NumberRules, Reader};
///
/// const CENTS: NumberRules = NumberRules { multiple_of: NumberRules::multiples_of(0.01), ..NumberRules::ANY };
///
/// assert_eq!(Reader::new("4.35").number_where(&CENTS), Ok(4.35));
/// assert!(Reader::new("4.355").number_where(&CENTS).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divisor {
    value: f64,
    /// The digits as an integer; 0 where the number is not short.
    units: u64,
    /// How many of them stand behind the point.
    scale: usize,
}

/// The most digits behind the point of a short number.
const SHORT_SCALE: usize = 6;

impl Divisor {
    /// The number whose shortest decimal digits are those of `value`.
    #[must_use]
    #[expect(clippy::float_cmp, reason = "the nearest `f64` of the digits is this number or another")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive number below 2^53")]
    #[expect(clippy::cast_precision_loss, reason = "an integer below 2^53")]
    pub const fn new(value: f64) -> Self {
        let mut scale = 0;
        while scale <= SHORT_SCALE {
            let scaled = value * POWERS[scale] + 0.5;
            if scaled >= 1.0 && scaled < 1e15 {
                let units = scaled as u64;
                // no two numbers of so few digits are the same `f64`, so these are the digits that stand for it
                if units > 0 && units as f64 / POWERS[scale] == value {
                    return Self { value, units, scale };
                }
            }
            scale += 1;
        }
        Self { value, units: 0, scale: 0 }
    }

    /// The number.
    #[must_use]
    pub const fn value(&self) -> f64 {
        self.value
    }

    /// The digits as an integer, and how many of them stand behind the point, if there are few.
    pub(super) const fn short(&self) -> Option<(u64, usize)> {
        if self.units == 0 { None } else { Some((self.units, self.scale)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_have_their_digits_at_hand() {
        for (value, short) in [
            (0.01, Some((1, 2))),
            (1.0, Some((1, 0))),
            (2.5, Some((25, 1))),
            (0.1, Some((1, 1))),
            (0.000_001, Some((1, 6))),
            (123_456.789, Some((123_456_789, 3))),
            (999_999_999_999_999.0, Some((999_999_999_999_999, 0))),
            (1e15, None),
            (1e-7, None),
            (0.0, None),
            (1.0 / 3.0, None),
            (f64::INFINITY, None),
        ] {
            assert_eq!(Divisor::new(value).short(), short, "{value}");
        }
    }
}

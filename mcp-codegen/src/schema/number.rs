//! JSON numbers by their decimal digits: no float rounds them, and no two bounds are equal that are not.

/// A decimal number: `0.DIGITS × 10^exponent`, with the sign apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) negative: bool,
    /// Without zeros at either end; empty for zero.
    pub(crate) digits: Vec<u8>,
    pub(crate) exponent: i64,
}

/// The integer that a number is, however it is spelled (`5`, `5.0`, `5e0`); nothing for one beyond `i128`.
pub(crate) fn as_integer(text: &str) -> Option<i128> {
    Decimal::parse(text)?.to_integer()
}

/// Whether a number is a multiple of another. One of more digits than can be counted is none.
pub(crate) fn is_multiple(number: &str, step: &str) -> bool {
    let numbers = Decimal::parse(number).zip(Decimal::parse(step));
    numbers.and_then(|(number, step)| number.is_multiple(&step)) == Some(true)
}

impl Decimal {
    /// The number of a JSON text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].trim_start_matches('+').parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        let last = digits.iter().rposition(|digit| *digit != b'0').map_or(zeros, |last| last + 1);
        let digits = digits[zeros..last.max(zeros)].to_vec();
        let places = i64::try_from(whole.len()).ok()? - i64::try_from(zeros).ok()?;
        if digits.is_empty() {
            return Some(Self { negative: false, digits, exponent: 0 });
        }
        Some(Self { negative, digits, exponent: exponent.checked_add(places)? })
    }

    /// The value, where it is an integer of some size.
    pub(crate) fn to_integer(&self) -> Option<i128> {
        if self.digits.is_empty() {
            return Some(0);
        }
        self.scaled(0)
    }

    /// Whether this is a multiple of `step`; nothing where the numbers are too long to tell.
    pub(crate) fn is_multiple(&self, step: &Self) -> Option<bool> {
        if self.digits.is_empty() {
            return Some(true);
        }
        let places = |number: &Self| Some(i64::try_from(number.digits.len()).ok()? - number.exponent);
        let most = places(self)?.max(places(step)?).max(0);
        let (value, step) = (self.scaled(most)?, step.scaled(most)?);
        (step != 0).then(|| value % step == 0)
    }

    /// The value times a power of ten, where that is an integer of some size.
    fn scaled(&self, places: i64) -> Option<i128> {
        let zeros = self.exponent.checked_add(places)?.checked_sub(i64::try_from(self.digits.len()).ok()?)?;
        let zeros = u32::try_from(zeros).ok().filter(|zeros| *zeros < 39)?;
        let digits = if self.digits.is_empty() { "0" } else { std::str::from_utf8(&self.digits).ok()? };
        let value = digits.parse::<i128>().ok()?.checked_mul(10_i128.checked_pow(zeros)?)?;
        Some(if self.negative { -value } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number_of(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn integers_in_every_spelling() {
        assert_eq!(as_integer("5.0"), Some(5));
        assert_eq!(as_integer("1e2"), Some(100));
        assert_eq!(as_integer("-25.00e-1"), None);
        assert_eq!(as_integer("9007199254740993.0"), Some(9_007_199_254_740_993));
        assert_eq!(as_integer("0e99999999999"), Some(0));
        assert_eq!((as_integer("5.5"), as_integer("1e99"), as_integer("1e-99")), (None, None, None));
    }

    #[test]
    fn multiples_are_told_by_their_digits() {
        for (number, step) in [("4.35", "0.01"), ("-9", "3"), ("0", "7"), ("1e3", "2.5")] {
            assert!(is_multiple(number, step), "{number} {step}");
        }
        for (number, step) in [("1e-7", "2"), ("35", "1.5"), ("1", "0")] {
            assert!(!is_multiple(number, step), "{number} {step}");
        }
    }

    #[test]
    fn multiples_are_exact() {
        let is_multiple = |number: &str, step: &str| number_of(number).is_multiple(&number_of(step));
        assert_eq!(is_multiple("0.3", "0.1"), Some(true));
        assert_eq!(is_multiple("7", "2"), Some(false));
        assert_eq!(is_multiple("1e30", "1e-30"), None, "too long to tell");
    }
}

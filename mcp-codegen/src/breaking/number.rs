//! Numbers as JSON spells them, compared exactly: an `f64` would make two bounds equal that are not.

use std::cmp::Ordering;

/// A decimal number: `0.DIGITS × 10^exponent`, with the sign apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// The number of a JSON text.
    pub(super) fn parse(text: &str) -> Option<Self> {
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

    pub(super) fn integer(value: i128) -> Self {
        // The digits of an integer are a number.
        Self::parse(&value.to_string()).unwrap_or(Self { negative: false, digits: Vec::new(), exponent: 0 })
    }

    pub(super) fn is_integer(&self) -> bool {
        i64::try_from(self.digits.len()).is_ok_and(|length| length <= self.exponent) || self.digits.is_empty()
    }

    /// The value, where it is an integer of some size.
    pub(super) fn to_integer(&self) -> Option<i128> {
        if self.digits.is_empty() {
            return Some(0);
        }
        self.scaled(0)
    }

    /// The greatest integer that is not greater.
    pub(super) fn floor(&self) -> Option<i128> {
        if self.is_integer() {
            return self.to_integer();
        }
        let whole = if self.exponent <= 0 {
            0
        } else {
            let digits = self.digits.get(..usize::try_from(self.exponent).ok()?)?;
            std::str::from_utf8(digits).ok()?.parse::<i128>().ok()?
        };
        Some(if self.negative { -whole - 1 } else { whole })
    }

    /// The least integer that is not less.
    pub(super) fn ceil(&self) -> Option<i128> {
        if self.is_integer() { self.to_integer() } else { self.floor()?.checked_add(1) }
    }

    /// Whether this is a multiple of `step`; nothing where the numbers are too long to tell.
    pub(super) fn is_multiple(&self, step: &Self) -> Option<bool> {
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

    /// A JSON text of it, as people write it.
    pub(super) fn to_text(&self) -> String {
        if let Some(value) = self.to_integer() {
            return value.to_string();
        }
        let sign = if self.negative { "-" } else { "" };
        let digits = String::from_utf8_lossy(&self.digits);
        match usize::try_from(self.exponent) {
            Ok(0) => format!("{sign}0.{digits}"),
            Ok(places) if places < digits.len() => format!("{sign}{}.{}", &digits[..places], &digits[places..]),
            Ok(_) | Err(_) => format!("{sign}0.{digits}e{}", self.exponent),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.is_empty(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let size = |a: &Self, b: &Self| a.exponent.cmp(&b.exponent).then_with(|| a.digits.cmp(&b.digits));
        match sign(self).cmp(&sign(other)) {
            Ordering::Equal if self.negative => size(other, self),
            Ordering::Equal if self.digits.is_empty() => Ordering::Equal,
            Ordering::Equal => size(self, other),
            unequal => unequal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn order_is_that_of_the_numbers() {
        let rising =
            ["-1e3", "-10.5", "-10", "-0.001", "0", "1e-9", "0.1", "0.11", "1", "1.5", "9007199254740993", "1e400"];
        for (index, text) in rising.iter().enumerate() {
            for (other, larger) in rising.iter().enumerate() {
                assert_eq!(number(text).cmp(&number(larger)), index.cmp(&other), "{text} and {larger}");
            }
        }
        assert_eq!(number("1.0"), number("10e-1"));
        assert_eq!(number("-0"), number("0.0"));
    }

    #[test]
    fn rounding_goes_to_the_next_integers() {
        for (text, floor, ceil) in [("1.5", 1, 2), ("-1.5", -2, -1), ("0.2", 0, 1), ("-0.2", -1, 0), ("1e2", 100, 100)]
        {
            assert_eq!((number(text).floor(), number(text).ceil()), (Some(floor), Some(ceil)), "{text}");
        }
        assert_eq!(number("1e400").floor(), None);
    }

    #[test]
    fn multiples_are_exact() {
        assert_eq!(number("0.3").is_multiple(&number("0.1")), Some(true));
        assert_eq!(number("7").is_multiple(&number("2")), Some(false));
        assert_eq!(number("1e30").is_multiple(&number("1e-30")), None);
    }

    #[test]
    fn a_text_is_the_same_number() {
        for text in ["0", "-12", "1500", "0.25", "-1.5e-7", "-12.5", "1e400"] {
            assert_eq!(number(&number(text).to_text()), number(text), "{text}");
        }
        assert_eq!(["1.50", "-0.5", "2e1"].map(|text| number(text).to_text()), ["1.5", "-0.5", "20"]);
    }
}

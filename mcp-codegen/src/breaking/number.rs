//! Numbers in order, rounded, and as text: what the comparison of bounds asks beside what reading them does.

use std::cmp::Ordering;

pub(super) use crate::schema::Decimal;

impl Decimal {
    pub(super) fn integer(value: i128) -> Self {
        // The digits of an integer are a number.
        Self::parse(&value.to_string()).unwrap_or(Self { negative: false, digits: Vec::new(), exponent: 0 })
    }

    pub(super) fn is_integer(&self) -> bool {
        i64::try_from(self.digits.len()).is_ok_and(|length| length <= self.exponent) || self.digits.is_empty()
    }

    /// The greatest integer that is not greater.
    pub(crate) fn floor(&self) -> Option<i128> {
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

    /// A JSON text of it, as people write it.
    pub(crate) fn to_text(&self) -> String {
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
    fn a_text_is_the_same_number() {
        for text in ["0", "-12", "1500", "0.25", "-1.5e-7", "-12.5", "1e400"] {
            assert_eq!(number(&number(text).to_text()), number(text), "{text}");
        }
        assert_eq!(["1.50", "-0.5", "2e1"].map(|text| number(text).to_text()), ["1.5", "-0.5", "20"]);
    }
}

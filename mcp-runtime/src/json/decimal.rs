//! Exact numbers: the digits of a JSON number as they were written, compared and divided without a float.

use std::cmp::Ordering;

/// A number as sign, digits and power of ten. Two texts of one value make equal decimals: `1`, `1.0`, `10e-1`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal<'a> {
    negative: bool,
    /// Starts and ends with a digit other than 0, and may hold one point. Empty for zero.
    digits: &'a str,
    count: i64,
    /// The power of ten of the last digit.
    exponent: i64,
}

/// The powers of ten that `f64` holds exactly.
pub(super) const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Keeps sums of exponents and digit counts far from overflow; no text is this long.
const EXPONENT_LIMIT: i64 = 1 << 60;

/// A divisor of more digits would not fit the remainder's arithmetic. No `f64` has so many.
const DIVISOR_DIGITS: i64 = 37;

/// Beyond this power of ten every factor 2 and 5 of a divisor below 2^124 is used up.
const USEFUL_SHIFT: i64 = 124;

impl<'a> Decimal<'a> {
    /// Takes a number apart. The text must be a JSON number; anything else gives some number, but no panic.
    pub(crate) fn new(text: &'a str) -> Self {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let digits = mantissa.trim_end_matches(['0', '.']);
        let dropped = mantissa[digits.len()..].bytes().filter(|&byte| byte == b'0').count();
        let digits = digits.trim_start_matches(['0', '.']);
        if digits.is_empty() {
            return Self { negative: false, digits, count: 0, exponent: 0 };
        }
        let count = digits.len() - usize::from(digits.contains('.'));
        let exponent = exponent(power) - length(fraction) + length(dropped);
        Self { negative, digits, count: length(count), exponent }
    }

    /// Whether it has no fraction.
    pub(crate) fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// The value, if it is an integer that fits.
    pub(crate) fn to_i128(self) -> Option<i128> {
        if !self.is_integer() || self.count + self.exponent > 39 {
            return None;
        }
        let zeros = usize::try_from(self.exponent).ok()?;
        let digits = self.digits().chain(std::iter::repeat_n(0, zeros));
        let sign = if self.negative { -1 } else { 1 };
        digits.into_iter().try_fold(0i128, |sum, digit| sum.checked_mul(10)?.checked_add(sign * i128::from(digit)))
    }

    /// Whether an integer times `divisor` makes this number. Nothing but zero is a multiple of zero.
    pub(crate) fn is_multiple_of(&self, divisor: &Decimal<'_>) -> bool {
        let shift = self.exponent - divisor.exponent;
        if self.digits.is_empty() {
            return true;
        }
        // the last digit is not 0, so a smaller unit than the divisor's is always left over
        if shift < 0 || divisor.digits.is_empty() {
            return false;
        }
        if divisor.count > DIVISOR_DIGITS {
            return self.digits().eq(divisor.digits());
        }
        let by = divisor.digits().fold(0u128, |sum, digit| sum * 10 + u128::from(digit));
        let zeros = usize::try_from(shift.min(USEFUL_SHIFT)).unwrap_or(0);
        let digits = self.digits().chain(std::iter::repeat_n(0, zeros));
        digits.fold(0u128, |rest, digit| (rest * 10 + u128::from(digit)) % by) == 0
    }

    fn digits(&self) -> impl Iterator<Item = u8> + use<'a> {
        self.digits.bytes().filter(|&byte| byte != b'.').map(|byte| byte.wrapping_sub(b'0'))
    }

    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    fn cmp_magnitude(&self, other: &Decimal<'_>) -> Ordering {
        let leading = (self.count + self.exponent).cmp(&(other.count + other.exponent));
        leading.then_with(|| self.digits().cmp(other.digits()))
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sign().cmp(&other.sign()).then_with(|| match self.sign() {
            -1 => other.cmp_magnitude(self),
            _ => self.cmp_magnitude(other),
        })
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Decimal<'_> {}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

fn exponent(power: &str) -> i64 {
    let digits = power.trim_start_matches(['+', '-']);
    let size = digits.parse().unwrap_or(EXPONENT_LIMIT).min(EXPONENT_LIMIT);
    if power.starts_with('-') { -size } else { size }
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(EXPONENT_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_has_many_texts() {
        for same in [&["0", "-0", "0.000", "0e9", "-0.0e-9"][..], &["10", "1e1", "10.0", "1000e-2", "0.1E+2"]] {
            for (a, b) in same.iter().flat_map(|a| same.iter().map(move |b| (a, b))) {
                assert_eq!(Decimal::new(a), Decimal::new(b), "{a} {b}");
            }
        }
    }

    #[test]
    fn order_is_exact() {
        let rising =
            ["-1e400", "-10", "-9.5", "-1e-400", "0", "1e-400", "0.1", "0.10000000000000000000001", "9", "1e1"];
        let rising = rising.map(Decimal::new);
        assert!(rising.is_sorted_by(|a, b| a < b), "{rising:?}");
        assert!(Decimal::new("9007199254740993") > Decimal::new("9007199254740992"));
        assert!(Decimal::new("1e99999999999999999999") > Decimal::new("1e400"));
    }

    #[test]
    fn integers_are_known_by_value() {
        let integer = |text| Decimal::new(text).to_i128();
        assert_eq!(integer("1e2"), Some(100));
        assert_eq!(integer("-12.50e1"), Some(-125));
        assert_eq!(integer("-170141183460469231731687303715884105728"), Some(i128::MIN));
        assert_eq!(integer("170141183460469231731687303715884105728"), None);
        assert_eq!(integer("1e99999999999999999999"), None);
        assert_eq!(integer("1.5"), None);
    }

    #[test]
    fn multiples_are_exact() {
        let multiple = |a, b| Decimal::new(a).is_multiple_of(&Decimal::new(b));
        assert!(multiple("4.35", "0.01") && multiple("0.0075", "0.0001") && !multiple("1e308", "123e-3"));
        assert!(multiple("1e308", "0.5") && multiple("0", "7") && multiple("-9", "3"));
        assert!(!multiple("0.00751", "0.0001") && !multiple("35", "1.5") && !multiple("1", "0"));
    }
}

//! Numbers: grammar and value in one pass, exact or refused.

use std::cmp::Ordering;
use std::io::Write as _;

use super::Reader;
use crate::json::decimal::POWERS;
use crate::json::fault::refuse;
use crate::json::{Decimal, Divisor, Fault, IntegerRules, NumberRules};

/// A number that follows the grammar.
struct Number {
    start: usize,
    end: usize,
    negative: bool,
    /// The digits as one integer. It has wrapped if there are more than `EXACT_DIGITS`.
    mantissa: u64,
    digits: usize,
    /// How many of the digits stand behind the point.
    fraction: usize,
    has_exponent: bool,
}

/// As many digits as always fit both `u64` and `i64`.
const EXACT_DIGITS: usize = 18;

/// Up to so many digits, two different numbers are never the same `f64`.
const ROUNDTRIP_DIGITS: usize = 15;

/// The powers of ten that a short number can lack.
const INTEGER_POWERS: [u64; EXACT_DIGITS + 1] = {
    let mut powers = [1; EXACT_DIGITS + 1];
    let mut power = 1;
    while power <= EXACT_DIGITS {
        powers[power] = powers[power - 1] * 10;
        power += 1;
    }
    powers
};

const NOT_A_MULTIPLE: &str = "not a multiple of the required number";

impl<'a> Reader<'a> {
    /// Reads an integer, also one that is written `1.0` or `1e2`.
    ///
    /// # Errors
    ///
    /// If the next value is not an integer, or does not fit.
    ///
    /// ```
    /// # use mcp_runtime::json::Reader;
    /// assert_eq!(Reader::new("-0.0").integer(), Ok(0));
    /// assert_eq!(Reader::new("9223372036854775807").integer(), Ok(i64::MAX));
    /// assert_eq!(Reader::new("9223372036854775808").integer().unwrap_err().reason(), "out of range");
    /// ```
    pub fn integer(&mut self) -> Result<i64, Fault> {
        match self.take_short() {
            Some(value) => Ok(value),
            None => self.long_integer(),
        }
    }

    #[inline(never)]
    fn long_integer(&mut self) -> Result<i64, Fault> {
        let number = self.scan_number()?;
        match number.small() {
            Some(value) => Ok(value),
            None => self.wide(&number)?.try_into().map_err(|_| Fault::OUT_OF_RANGE),
        }
    }

    /// Reads an integer by a schema's rules.
    ///
    /// # Errors
    ///
    /// As [`integer`](Self::integer), and if the value breaks a rule.
    pub fn integer_where(&mut self, rules: &IntegerRules) -> Result<i64, Fault> {
        let value = self.integer()?;
        check_integer(value.into(), rules)?;
        Ok(value)
    }

    /// Reads an integer from 0 to [`u64::MAX`] by a schema's rules.
    ///
    /// # Errors
    ///
    /// If the next value is not an integer, does not fit, or breaks a rule.
    pub fn unsigned_where(&mut self, rules: &IntegerRules) -> Result<u64, Fault> {
        let number = self.scan_number()?;
        let value = match number.small() {
            Some(value) => i128::from(value),
            None => self.wide(&number)?,
        };
        check_integer(value, rules)?;
        value.try_into().map_err(|_| Fault::OUT_OF_RANGE)
    }

    /// Reads a number as the nearest [`f64`].
    ///
    /// # Errors
    ///
    /// If the next value is not a number, or is beyond the largest finite one.
    pub fn number(&mut self) -> Result<f64, Fault> {
        let number = self.scan_number()?;
        self.float(&number)
    }

    /// Reads a number by a schema's rules.
    ///
    /// # Errors
    ///
    /// As [`number`](Self::number), and if the value breaks a rule.
    pub fn number_where(&mut self, rules: &NumberRules) -> Result<f64, Fault> {
        let number = self.scan_number()?;
        let value = self.float(&number)?;
        if !is_clearly_within(value, rules) {
            self.check_bounds(&number, value, rules)?;
        }
        if rules.multiple_of.is_some_and(|divisor| !self.is_multiple(&number, &divisor)) {
            return refuse(NOT_A_MULTIPLE);
        }
        Ok(value)
    }

    /// Reads a number and leaves it as it is written.
    pub(in crate::json) fn number_text(&mut self) -> Result<&'a str, Fault> {
        let number = self.scan_number()?;
        self.slice(number.start, number.end)
    }

    /// Reads a number as `serde_json` holds it: an integer of 64 bits, else the nearest `f64`.
    pub(super) fn number_value(&mut self) -> Result<serde_json::Number, Fault> {
        let number = self.scan_number()?;
        let negative_zero = number.negative && number.mantissa == 0;
        if number.is_plain() && !negative_zero {
            if let Some(value) = number.small().or_else(|| self.text_of(&number).parse().ok()) {
                return Ok(value.into());
            }
            if let Ok(value) = self.text_of(&number).parse::<u64>() {
                return Ok(value.into());
            }
        }
        serde_json::Number::from_f64(self.float(&number)?).ok_or(Fault::OUT_OF_RANGE)
    }

    /// Goes past a number that `number_value` could hold.
    pub(super) fn check_number(&mut self) -> Result<(), Fault> {
        match self.take_short() {
            Some(_) => Ok(()),
            None => self.check_long(),
        }
    }

    #[inline(never)]
    fn check_long(&mut self) -> Result<(), Fault> {
        let number = self.scan_number()?;
        self.float(&number).map(|_| ())
    }

    /// Reads a number that is written as an integer of at most `EXACT_DIGITS` digits; at any other it does not move.
    #[inline(always)]
    fn take_short(&mut self) -> Option<i64> {
        let bytes = self.bytes();
        let negative = bytes.get(self.at) == Some(&b'-');
        let whole = self.at + usize::from(negative);
        let mut mantissa = 0;
        let end = scan_digits(bytes, whole, &mut mantissa);
        let is_short = (1..=EXACT_DIGITS).contains(&end.wrapping_sub(whole));
        let follows = bytes.get(end).copied().unwrap_or(b',');
        let is_plain = !matches!(follows, b'.' | b'e' | b'E') && (bytes.get(whole) != Some(&b'0') || end == whole + 1);
        if !is_short || !is_plain {
            return None;
        }
        self.at = end;
        let value = mantissa.cast_signed();
        Some(if negative { -value } else { value })
    }

    #[inline(always)]
    fn scan_number(&mut self) -> Result<Number, Fault> {
        // a fault is made here: coming from a call, it would take the number through memory
        self.peek();
        let (bytes, start) = (self.bytes(), self.at);
        let negative = bytes.get(start) == Some(&b'-');
        let whole = start + usize::from(negative);
        let mut mantissa = 0;
        let mut at = scan_digits(bytes, whole, &mut mantissa);
        if at == whole {
            return Err(Fault::new("expected a number"));
        }
        if bytes[whole] == b'0' && at > whole + 1 {
            return Err(Fault::new("number with a leading zero"));
        }
        let mut digits = at - whole;
        let mut fraction = 0;
        if bytes.get(at) == Some(&b'.') {
            let point = at + 1;
            at = scan_digits(bytes, point, &mut mantissa);
            fraction = at - point;
            digits += fraction;
            if fraction == 0 {
                return Err(Fault::new("number without digits behind the point"));
            }
        }
        let has_exponent = matches!(bytes.get(at), Some(b'e' | b'E'));
        if has_exponent {
            let first = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            at = scan_digits(bytes, first, &mut 0);
            if at == first {
                return Err(Fault::new("number without digits in its exponent"));
            }
        }
        self.at = at;
        Ok(Number { start, end: at, negative, mantissa, digits, fraction, has_exponent })
    }

    /// The value of any other integer.
    #[cold]
    fn wide(&self, number: &Number) -> Result<i128, Fault> {
        let decimal = Decimal::new(self.text_of(number));
        if !decimal.is_integer() {
            return refuse("expected an integer");
        }
        decimal.to_i128().ok_or(Fault::OUT_OF_RANGE)
    }

    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "the mantissa has at most 53 bits here")]
    fn float(&self, number: &Number) -> Result<f64, Fault> {
        let is_short = number.digits <= EXACT_DIGITS && !number.has_exponent && number.mantissa < 1 << 53;
        if is_short {
            // both numbers are exact, so the one rounding of the division gives the nearest value
            let value = number.mantissa as f64 / POWERS[number.fraction];
            return Ok(if number.negative { -value } else { value });
        }
        match self.text_of(number).parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(Fault::OUT_OF_RANGE),
        }
    }

    /// Checks a number that may be one of its bounds.
    #[inline(never)]
    fn check_bounds(&self, number: &Number, value: f64, rules: &NumberRules) -> Result<(), Fault> {
        let compare = |bound: f64| self.compare(number, value, bound);
        if rules.minimum.is_some_and(|minimum| compare(minimum).is_lt())
            || rules.exclusive_minimum.is_some_and(|minimum| compare(minimum).is_le())
        {
            return refuse("number too small");
        }
        if rules.maximum.is_some_and(|maximum| compare(maximum).is_gt())
            || rules.exclusive_maximum.is_some_and(|maximum| compare(maximum).is_ge())
        {
            return refuse("number too large");
        }
        Ok(())
    }

    /// Compares a number with a bound. Where the nearest `f64` is the bound, the digits decide.
    fn compare(&self, number: &Number, value: f64, bound: f64) -> Ordering {
        match value.partial_cmp(&bound) {
            Some(Ordering::Equal) if number.digits > ROUNDTRIP_DIGITS || number.has_exponent => {
                with_digits(bound, |bound| Decimal::new(self.text_of(number)).cmp(bound))
            }
            Some(ordering) => ordering,
            // neither is ever a NaN
            None => Ordering::Equal,
        }
    }

    /// Decides on decimal digits.
    #[inline(always)]
    fn is_multiple(&self, number: &Number, divisor: &Divisor) -> bool {
        number.is_multiple(divisor).unwrap_or_else(|| self.is_long_multiple(number, divisor))
    }

    #[inline(never)]
    fn is_long_multiple(&self, number: &Number, divisor: &Divisor) -> bool {
        with_digits(divisor.value(), |divisor| Decimal::new(self.text_of(number)).is_multiple_of(divisor))
    }

    fn text_of(&self, number: &Number) -> &'a str {
        self.text.get(number.start..number.end).unwrap_or_default()
    }
}

#[inline(always)]
fn scan_digits(bytes: &[u8], mut at: usize, mantissa: &mut u64) -> usize {
    while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        *mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    at
}

/// The index behind some digits.
#[inline(always)]
pub(super) fn skip_digits(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

impl Number {
    /// Whether it is written as an integer.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.fraction == 0 && !self.has_exponent
    }

    /// The value of a short, plain integer.
    #[inline(always)]
    fn small(&self) -> Option<i64> {
        if !self.is_plain() || self.digits > EXACT_DIGITS {
            return None;
        }
        let value = i64::try_from(self.mantissa).ok()?;
        Some(if self.negative { -value } else { value })
    }

    /// Whether it is a multiple of a number, if both are short.
    fn is_multiple(&self, divisor: &Divisor) -> Option<bool> {
        if self.digits > EXACT_DIGITS || self.has_exponent {
            return None;
        }
        let (units, scale) = divisor.short()?;
        if units == 1 && self.fraction <= scale {
            return Some(true);
        }
        // both as integers of the same power of ten
        let missing = |fraction: usize| INTEGER_POWERS.get(scale.max(self.fraction) - fraction).copied();
        let (factor, divisor_factor) = (missing(self.fraction)?, missing(scale)?);
        if let (Some(value), Some(divisor)) = (self.mantissa.checked_mul(factor), units.checked_mul(divisor_factor)) {
            return Some(value % divisor == 0);
        }
        let raised = |value: u64, factor: u64| u128::from(value) * u128::from(factor);
        Some(raised(self.mantissa, factor) % raised(units, divisor_factor) == 0)
    }
}

/// Whether a number, as its nearest `f64`, is between its bounds and none of them.
#[inline(always)]
fn is_clearly_within(value: f64, rules: &NumberRules) -> bool {
    let is_above = |bound: Option<f64>| bound.is_none_or(|bound| value > bound);
    let is_below = |bound: Option<f64>| bound.is_none_or(|bound| value < bound);
    is_above(rules.minimum)
        && is_above(rules.exclusive_minimum)
        && is_below(rules.maximum)
        && is_below(rules.exclusive_maximum)
}

#[inline(always)]
fn check_integer(value: i128, rules: &IntegerRules) -> Result<(), Fault> {
    if value < rules.minimum {
        return refuse("number too small");
    }
    if value > rules.maximum {
        return refuse("number too large");
    }
    if rules.multiple_of != 0 && !is_integer_multiple(value, rules.multiple_of) {
        return refuse(NOT_A_MULTIPLE);
    }
    Ok(())
}

/// Whether an integer is a multiple of another, which is not 0.
#[inline(never)]
fn is_integer_multiple(value: i128, step: i128) -> bool {
    // the least number divided by -1 would not fit
    match (i64::try_from(value), i64::try_from(step)) {
        (Ok(value), Ok(step)) => value.wrapping_rem(step) == 0,
        _ => value.wrapping_rem(step) == 0,
    }
}

/// Gives a number of a schema as the shortest digits that stand for it.
fn with_digits<T>(number: f64, use_digits: impl FnOnce(&Decimal<'_>) -> T) -> T {
    let mut buffer = [0; 32];
    let mut rest = &mut buffer[..];
    let free = if write!(rest, "{number:e}").is_ok() { rest.len() } else { 0 };
    let length = buffer.len() - free;
    let digits = std::str::from_utf8(&buffer[..length]).unwrap_or_default();
    use_digits(&Decimal::new(digits))
}

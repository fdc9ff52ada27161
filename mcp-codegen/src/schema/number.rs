//! JSON numbers by their decimal digits: no float rounds them.

/// The integer that a number is, however it is spelled (`5`, `5.0`, `5e0`); nothing for one beyond `i128`.
pub(crate) fn as_integer(text: &str) -> Option<i128> {
    let (digits, power) = decimal(text)?;
    let scale = 10i128.checked_pow(power.unsigned_abs())?;
    if power >= 0 { digits.checked_mul(scale) } else { (digits % scale == 0).then_some(digits / scale) }
}

/// Whether a number is a multiple of another. One of more digits than can be counted is none.
pub(crate) fn is_multiple(number: &str, step: &str) -> bool {
    let aligned = decimal(number).zip(decimal(step)).and_then(|((number, power), (step, step_power))| {
        let lowest = power.min(step_power);
        let scaled = |digits: i128, power: i32| {
            let zeros = u32::try_from(power.checked_sub(lowest)?).ok()?;
            digits.checked_mul(10i128.checked_pow(zeros)?)
        };
        Some((scaled(number, power)?, scaled(step, step_power)?))
    });
    aligned.is_some_and(|(number, step)| number.checked_rem(step) == Some(0))
}

/// Digits, and the power of ten of the last one.
fn decimal(text: &str) -> Option<(i128, i32)> {
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    if digits == 0 {
        return Some((0, 0));
    }
    Some((digits, power.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

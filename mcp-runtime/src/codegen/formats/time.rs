//! Dates, times and durations of RFC 3339.

/// `YYYY-MM-DD`, of a day that the calendar has.
pub(super) fn is_date(text: &str) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else { return false };
    let (Some(century), Some(year), Some(month), Some(day)) =
        (two_digits(y1, y2), two_digits(y3, y4), two_digits(m1, m2), two_digits(d1, d2))
    else {
        return false;
    };
    let year = u16::from(century) * 100 + u16::from(year);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u8::from(is_leap),
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// `HH:MM:SS`, a fraction if there is one, and `Z` or an offset. A minute has 61 seconds only at the end of a day of UTC.
pub(super) fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((&[h1, h2, b':', m1, m2, b':', s1, s2], rest)) = bytes.split_first_chunk::<8>() else { return false };
    let (Some(hour), Some(minute), Some(second)) = (two_digits(h1, h2), two_digits(m1, m2), two_digits(s1, s2)) else {
        return false;
    };
    let Some(offset) = behind_fraction(rest).and_then(offset) else { return false };
    let of_day = i16::from(hour) * 60 + i16::from(minute);
    let in_utc = (of_day - offset).rem_euclid(24 * 60);
    hour < 24 && minute < 60 && (second < 60 || second == 60 && in_utc == 24 * 60 - 1)
}

/// A date, `T` and a time.
pub(super) fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))
}

/// `P1Y2M3DT4H5M6S`, where no unit is left out between two others, or weeks alone.
pub(super) fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    let (date, time) = match rest.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (rest, None),
    };
    let weeks_alone = || time.is_none() && are_units(date, "W");
    match (date.is_empty(), time) {
        (true, None) => false,
        (true, Some(time)) => are_units(time, "HMS"),
        (false, None) => are_units(date, "YMD") || weeks_alone(),
        (false, Some(time)) => are_units(date, "YMD") && are_units(time, "HMS"),
    }
}

/// Whether a text is numbers, each with its unit: units that stand beside each other in `units`, in that order.
fn are_units(mut text: &str, units: &str) -> bool {
    let mut expected = None;
    while !text.is_empty() {
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let place = unit.chars().next().and_then(|unit| units.find(unit));
        let Some(place) = place.filter(|place| unit.len() < text.len() && expected.is_none_or(|next| next == *place))
        else {
            return false;
        };
        expected = Some(place + 1);
        text = &unit[1..];
    }
    expected.is_some()
}

/// What follows a fraction of a second, if the one that is there has digits.
fn behind_fraction(text: &[u8]) -> Option<&[u8]> {
    let Some(fraction) = text.strip_prefix(b".") else { return Some(text) };
    let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then(|| &fraction[digits..])
}

/// The minutes by which a time is ahead of UTC.
fn offset(text: &[u8]) -> Option<i16> {
    if let b"Z" | b"z" = text {
        return Some(0);
    }
    let [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] = *text else { return None };
    let (hours, minutes) = (two_digits(h1, h2)?, two_digits(m1, m2)?);
    let offset = i16::from(hours) * 60 + i16::from(minutes);
    (hours < 24 && minutes < 60).then_some(if sign == b'+' { offset } else { -offset })
}

fn two_digits(tens: u8, ones: u8) -> Option<u8> {
    let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
    is_number.then(|| (tens - b'0') * 10 + ones - b'0')
}

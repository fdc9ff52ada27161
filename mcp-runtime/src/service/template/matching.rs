//! From a URI to the values, in linear time.
//!
//! First, from the end to the start, it is found out from which places of the URI the rest of the template fits; then,
//! from the start, each value ends where the rest first does. Nothing is tried twice.

use crate::percent::percent_decode;

use super::{UriPart, UriValues, UriVariable};

/// A longer URI fits no template: what is asked for each place of it is kept meanwhile.
const LONGEST: usize = 1 << 16;

pub(super) fn matches<'a>(parts: &[UriPart<'a>], uri: &'a str) -> Option<UriValues<'a>> {
    if uri.len() > LONGEST || !may_fit(parts, uri) {
        return None;
    }
    let places = places(parts, uri.as_bytes());
    if !places.fit(0)[0] {
        return None;
    }
    let (mut values, mut at) = (UriValues::default(), 0);
    for (index, part) in parts.iter().enumerate() {
        let after = places.fit(index + 1);
        let Some(gap) = Gap::of(part) else {
            at += literal(part).len();
            continue;
        };
        if gap.may_lack && after[at] {
            continue;
        }
        let start = at + usize::from(gap.sign.is_some());
        let length = after.get(start + 1..)?.iter().position(|fits| *fits)? + 1;
        at = start + length;
        read(part, uri.get(start..at)?, &mut values)?;
    }
    Some(values)
}

/// What is seen at once: most URIs are another template's.
fn may_fit(parts: &[UriPart<'_>], uri: &str) -> bool {
    let begins = parts.first().is_none_or(|first| uri.starts_with(literal(first)));
    begins && parts.last().is_none_or(|last| uri.ends_with(literal(last)))
}

/// A part as text; nothing for one that holds values.
fn literal<'a>(part: &UriPart<'a>) -> &'a str {
    if let UriPart::Literal(text) = part { text } else { "" }
}

/// For each part and each place of the URI, whether all from that part on fits what stands from that place on.
struct Places {
    fits: Vec<bool>,
    width: usize,
}

impl Places {
    /// Those of one part; those behind the last part are the end alone.
    fn fit(&self, part: usize) -> &[bool] {
        &self.fits[part * self.width..][..self.width]
    }
}

fn places(parts: &[UriPart<'_>], uri: &[u8]) -> Places {
    let width = uri.len() + 1;
    let mut fits = vec![false; (parts.len() + 1) * width];
    if let Some(end) = fits.last_mut() {
        *end = true;
    }
    for (index, part) in parts.iter().enumerate().rev() {
        let (here, after) = fits[index * width..].split_at_mut(width);
        match Gap::of(part) {
            None => place_literal(literal(part).as_bytes(), uri, (here, after)),
            Some(gap) => place_gap(&gap, uri, (here, after)),
        }
    }
    Places { fits, width }
}

fn place_literal(text: &[u8], uri: &[u8], (here, after): (&mut [bool], &[bool])) {
    for at in 0..here.len().saturating_sub(text.len()) {
        here[at] = after[at + text.len()] && uri[at..].starts_with(text);
    }
}

fn place_gap(gap: &Gap, uri: &[u8], (here, after): (&mut [bool], &[bool])) {
    // whether values can stand from the next place on, up to where the rest fits
    let mut runs = false;
    for at in (0..uri.len()).rev() {
        let run = !gap.stops.contains(&uri[at]) && (after[at + 1] || runs);
        here[at] = gap.sign.map_or(run, |sign| uri[at] == sign && runs) || gap.may_lack && after[at];
        runs = run;
    }
    here[uri.len()] = gap.may_lack && after[uri.len()];
}

/// What a part with values may take of a URI.
struct Gap {
    /// What it begins with.
    sign: Option<u8>,
    /// What it cannot have behind that.
    stops: &'static [u8],
    may_lack: bool,
}

impl Gap {
    fn of(part: &UriPart<'_>) -> Option<Self> {
        // the signs are ASCII
        let byte = |sign: char| u8::try_from(sign).ok();
        Some(match part {
            UriPart::Literal(_) => return None,
            UriPart::Segment(_) => Self { sign: None, stops: b"/?#", may_lack: false },
            UriPart::Any(_) => Self { sign: None, stops: b"", may_lack: false },
            UriPart::List { sign: Some('/'), .. } => Self { sign: Some(b'/'), stops: b"?#", may_lack: true },
            UriPart::List { sign, .. } => Self { sign: sign.and_then(byte), stops: b"/?#", may_lack: true },
            UriPart::Pairs { sign: ';', .. } => Self { sign: Some(b';'), stops: b"/?#", may_lack: true },
            UriPart::Pairs { sign, .. } => Self { sign: byte(*sign), stops: b"#", may_lack: true },
        })
    }
}

/// Reads the values of one part; `None` if they do not fit after all.
fn read<'a>(part: &UriPart<'a>, text: &'a str, values: &mut UriValues<'a>) -> Option<()> {
    match part {
        UriPart::Literal(_) => Some(()),
        UriPart::Segment(variable) | UriPart::Any(variable) => decode(variable, text, values),
        UriPart::List { sign, variable } => {
            let mut items = text.split(if *sign == Some('/') { '/' } else { ',' });
            items.try_for_each(|item| if item.is_empty() { None } else { decode(variable, item, values) })
        }
        UriPart::Pairs { sign, variables } => {
            let mut pairs = text.split(if *sign == ';' { ';' } else { '&' });
            pairs.try_for_each(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                let variable = variables.iter().find(|variable| variable.name == name)?;
                let is_second = !variable.is_list && values.get(name).is_some();
                if is_second { None } else { decode(variable, value, values) }
            })
        }
    }
}

fn decode<'a>(variable: &UriVariable<'a>, text: &'a str, values: &mut UriValues<'a>) -> Option<()> {
    let value = percent_decode(text)?;
    let fits = variable.longest.is_none_or(|longest| value.chars().count() <= longest.into());
    fits.then(|| values.put(variable.name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CITY: UriPart<'_> = UriPart::Segment(UriVariable::new("city"));
    const PATH: UriPart<'_> = UriPart::Any(UriVariable::new("path"));
    const DATE: UriPart<'_> = UriPart::Segment(UriVariable::prefix("date", 5));
    const SLASH: UriPart<'_> = UriPart::Literal("/");

    fn found(parts: &[UriPart<'_>], uri: &str, names: &[&str]) -> Option<Vec<String>> {
        let values = matches(parts, uri)?;
        Some(names.iter().map(|name| values.texts(name).join("|")).collect())
    }

    #[test]
    fn values_are_decoded_once_and_stay_between_slashes() {
        let daily = [UriPart::Literal("weather://"), CITY, SLASH, DATE];
        let read = |uri: &str| found(&daily, uri, &["city", "date"]);
        assert_eq!(read("weather://S%C3%A3o%2520Paulo/today").unwrap(), ["São%20Paulo", "today"]);
        assert_eq!(read("weather://São/%C3%A3%C3%A3%C3%A3%C3%A3%C3%A3").unwrap(), ["São", "ããããã"]);
        for uri in ["weather://Oslo", "weather:///today", "weather://a/b/c", "x://a/b", "weather://a/longer"] {
            assert_eq!(read(uri), None, "{uri}");
        }
        for broken in ["%zz", "%ff", "%", "%1", "%c3", "a?b", "a#b"] {
            assert_eq!(read(&format!("weather://{broken}/today")), None, "{broken}");
        }
    }

    #[test]
    fn a_value_ends_at_the_first_place_from_which_the_rest_fits() {
        let parts = [UriPart::Literal("x:"), PATH, UriPart::Literal("/v/"), CITY];
        assert_eq!(found(&parts, "x:a/v/b/v/c", &["path", "city"]).unwrap(), ["a/v/b", "c"]);
        let parts = [CITY, UriPart::Literal("-"), DATE, UriPart::Literal(".md")];
        assert_eq!(found(&parts, "a-b-c.md.md", &["city", "date"]), None, "the date is too long");
        assert_eq!(found(&parts, "--b.md", &["city", "date"]).unwrap(), ["-", "b"]);
        assert_eq!(found(&[PATH, UriPart::Literal(".md")], "a.md.md", &["path"]).unwrap(), ["a.md"]);
    }

    #[test]
    fn hostile_uris_take_no_more_time_than_others() {
        let list = UriPart::List { sign: Some('/'), variable: UriVariable::list("path") };
        let pairs = UriPart::Pairs { sign: '?', variables: &[UriVariable::list("q")] };
        let parts = [UriPart::Literal("x:"), PATH, SLASH, PATH, SLASH, PATH, list, pairs];
        for sign in [",", "/", "%2C", "/,", "?", "&", "?q=&q="] {
            let hostile = format!("x:{}#", sign.repeat(50_000 / sign.len()));
            // what tracks back takes hours here; where there are slashes for the template's own, the last path takes the rest
            assert_eq!(matches(&parts[..], &hostile).is_some(), sign.contains('/'), "{sign}");
        }
        assert!(matches(&parts[..2], &format!("x:{}", "a".repeat(LONGEST - 2))).is_some());
        assert_eq!(matches(&parts[..2], &format!("x:{}", "a".repeat(LONGEST - 1))), None);
    }
}

//! JSON Pointers.

/// RFC 6901: empty, or steps that each begin with a slash; `~` stands only in `~0` and `~1`.
pub(super) fn is_pointer(text: &str) -> bool {
    let escapes_are_known = || text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    text.is_empty() || text.starts_with('/') && escapes_are_known()
}

/// A whole number without leading zeros, and `#` or a pointer behind it.
pub(super) fn is_relative_pointer(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let up = &text[..text.len() - rest.len()];
    !up.is_empty() && (up == "0" || !up.starts_with('0')) && (rest == "#" || is_pointer(rest))
}

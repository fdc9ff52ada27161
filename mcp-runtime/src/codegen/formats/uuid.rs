//! UUIDs.

/// The lengths of the groups of hexadecimal digits.
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

/// RFC 9562, in its one spelling with hyphens.
pub(super) fn is_uuid(text: &str) -> bool {
    let is_hex = |group: &str| group.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.len() == 36 && text.split('-').map(str::len).eq(GROUPS) && text.split('-').all(is_hex)
}

//! URI references, as `$ref` and `$id` write them (RFC 3986).

/// Resolves a URI reference against a base, as RFC 3986 has it.
pub(super) fn join(base: &str, reference: &str) -> String {
    let has_scheme = reference.split(['/', '#', '?']).next().is_some_and(|head| head.contains(':'));
    if has_scheme || base.is_empty() {
        return reference.to_owned();
    }
    if reference.is_empty() || reference.starts_with('#') {
        return format!("{base}{reference}");
    }
    let authority =
        base.find("://").map_or(0, |scheme| base[scheme + 3..].find('/').map_or(base.len(), |path| scheme + 3 + path));
    let kept = if reference.starts_with('/') {
        authority
    } else {
        base.rfind('/').map_or(0, |slash| slash + 1).max(authority)
    };
    without_dots(&format!("{}{reference}", &base[..kept]), authority)
}

/// Goes the steps `.` and `..` of the path that begins at `start`.
fn without_dots(uri: &str, start: usize) -> String {
    let (uri, fragment) = uri.find('#').map_or((uri, ""), |at| uri.split_at(at));
    let (authority, path) = uri.split_at(start.min(uri.len()));
    let mut steps: Vec<&str> = Vec::new();
    let count = path.split('/').count();
    for (index, step) in path.split('/').enumerate() {
        match step {
            ".." if steps.len() > 1 => drop(steps.pop()),
            "." | ".." => {}
            step => steps.push(step),
        }
        if matches!(step, "." | "..") && index + 1 == count {
            steps.push("");
        }
    }
    format!("{authority}{}{fragment}", steps.join("/"))
}

//! Faults as the text that a model reads.

use super::Fault;

/// The most bytes of the lines. A model reads every one of them before it tries again.
const LONGEST: usize = 1900;

/// One line for each fault.
pub(super) fn explain(tool: &str, faults: &[Fault], omitted: usize) -> String {
    let mut text = format!("invalid arguments for `{tool}`:");
    let mut shown = 0;
    for fault in faults {
        let line = format!("\n- {}", one_line(&fault.to_string()));
        if text.len() + line.len() > LONGEST {
            break;
        }
        text += &line;
        shown += 1;
    }
    let left = faults.len() - shown + omitted;
    if left == 0 { text } else { format!("{text}\n- and {left} more") }
}

/// A line by itself can be long where the schema is: enumerations, patterns, or a key that a stranger chose.
const LONGEST_LINE: usize = 600;

fn one_line(text: &str) -> String {
    let line = text.replace(['\n', '\r'], " ");
    if line.len() <= LONGEST_LINE {
        return line;
    }
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

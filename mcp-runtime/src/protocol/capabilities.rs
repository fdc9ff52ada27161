//! What the server declares: exactly what it serves.

use crate::protocol::Revision;

/// The kinds of feature that are there, and what can be done with them.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a capability of the protocol")]
pub(crate) struct Capabilities {
    pub(crate) tools: bool,
    pub(crate) resources: bool,
    pub(crate) prompts: bool,
    pub(crate) completions: bool,
}

impl Capabilities {
    /// Appends the object `capabilities`; `logging` is always in it, because any handler may send log messages.
    pub(crate) fn write(self, revision: Revision, out: &mut Vec<u8>) {
        let mut declared = vec![r#""logging":{}"#];
        if self.tools {
            declared.push(r#""tools":{}"#);
        }
        if self.resources {
            declared.push(r#""resources":{}"#);
        }
        if self.prompts {
            declared.push(r#""prompts":{}"#);
        }
        if self.completions && revision.declares_completions() {
            declared.push(r#""completions":{}"#);
        }
        out.push(b'{');
        out.extend_from_slice(declared.join(",").as_bytes());
        out.push(b'}');
    }
}

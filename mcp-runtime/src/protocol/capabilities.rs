//! What the server declares: exactly what it serves.

use crate::protocol::Revision;
use crate::task::EXTENSION;

/// The kinds of feature that are there, and what can be done with them.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a capability of the protocol")]
pub(crate) struct Capabilities {
    pub(crate) tools: bool,
    pub(crate) resources: bool,
    pub(crate) prompts: bool,
    pub(crate) completions: bool,
    /// Whether clients hear of changes to the lists.
    pub(crate) list_changed: bool,
    /// Whether clients hear of changes to a resource that they subscribed to.
    pub(crate) subscribe: bool,
    /// Whether calls can be tasks.
    pub(crate) tasks: bool,
    /// Whether clients can list their tasks.
    pub(crate) task_lists: bool,
}

impl Capabilities {
    /// Appends the object `capabilities`; `logging` is always in it, because any handler may send log messages.
    pub(crate) fn write(self, revision: Revision, out: &mut Vec<u8>) {
        let changing = if self.list_changed { r#"{"listChanged":true}"# } else { "{}" };
        let mut declared = vec![r#""logging":{}"#.to_owned()];
        if self.tools {
            declared.push(format!(r#""tools":{changing}"#));
        }
        if self.resources && self.subscribe {
            declared.push(r#""resources":{"subscribe":true,"listChanged":true}"#.to_owned());
        } else if self.resources {
            declared.push(format!(r#""resources":{changing}"#));
        }
        if self.prompts {
            declared.push(format!(r#""prompts":{changing}"#));
        }
        if self.completions && revision.declares_completions() {
            declared.push(r#""completions":{}"#.to_owned());
        }
        if self.tasks && revision.is_stateless() {
            declared.push(format!(r#""extensions":{{"{EXTENSION}":{{}}}}"#));
        } else if self.tasks && revision.has_session_tasks() {
            let list = if self.task_lists { r#""list":{},"# } else { "" };
            declared.push(format!(r#""tasks":{{{list}"cancel":{{}},"requests":{{"tools":{{"call":{{}}}}}}}}"#));
        }
        out.push(b'{');
        out.extend_from_slice(declared.join(",").as_bytes());
        out.push(b'}');
    }
}

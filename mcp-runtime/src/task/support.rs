//! Which tools run as tasks: `execution.taskSupport` of a definition.

use crate::json::Reader;

/// Whether calls of a tool can be tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskSupport {
    Optional,
    Required,
}

impl TaskSupport {
    /// What a tool's definition says; `None` where it forbids tasks, which is the default.
    pub(crate) fn of(definition: &str) -> Option<Self> {
        let mut support = None;
        let mut reader = Reader::new(definition);
        // a definition that cannot be read declares nothing
        let _ = reader.object(&["execution"], &mut |key, reader| {
            if key != 0 || !reader.next_is_object() {
                return reader.skip_value();
            }
            reader.object(&["taskSupport"], &mut |key, reader| {
                if key != 0 {
                    return reader.skip_value();
                }
                support = match reader.raw_value()? {
                    "\"optional\"" => Some(Self::Optional),
                    "\"required\"" => Some(Self::Required),
                    _ => None,
                };
                Ok(())
            })
        });
        support
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_says_whether_a_tool_runs_as_a_task() {
        let of = |execution: &str| TaskSupport::of(&format!(r#"{{"name":"t","execution":{execution},"_meta":{{}}}}"#));
        assert_eq!(of(r#"{"x":1,"taskSupport":"optional"}"#), Some(TaskSupport::Optional));
        assert_eq!(of(r#"{"taskSupport":"required"}"#), Some(TaskSupport::Required));
        for none in [r#"{"taskSupport":"forbidden"}"#, "{}", "null", r#"{"taskSupport":1}"#] {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(TaskSupport::of(r#"{"name":"t"}"#), None);
    }
}

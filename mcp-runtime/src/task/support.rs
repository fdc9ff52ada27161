//! Which tools run as tasks: `execution.taskSupport` of a definition.

use crate::json::Reader;

/// Whether calls of a tool can be tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskSupport {
    Forbidden,
    Optional,
    Required,
}

impl TaskSupport {
    /// What a tool's definition says. Where it says nothing, tasks are forbidden.
    pub(crate) fn of(definition: &str) -> Self {
        let mut support = Self::Forbidden;
        let mut reader = Reader::new(definition);
        // a definition that cannot be read says nothing
        let _ = reader.object(&["execution"], &mut |key, reader| {
            if key != 0 || !reader.next_is_object() {
                return reader.skip_value();
            }
            reader.object(&["taskSupport"], &mut |key, reader| {
                if key != 0 {
                    return reader.skip_value();
                }
                support = match reader.raw_value()? {
                    "\"optional\"" => Self::Optional,
                    "\"required\"" => Self::Required,
                    _ => Self::Forbidden,
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
        assert_eq!(of(r#"{"x":1,"taskSupport":"optional"}"#), TaskSupport::Optional);
        assert_eq!(of(r#"{"taskSupport":"required"}"#), TaskSupport::Required);
        for none in [r#"{"taskSupport":"forbidden"}"#, "{}", "null", r#"{"taskSupport":1}"#] {
            assert_eq!(of(none), TaskSupport::Forbidden, "{none}");
        }
        assert_eq!(TaskSupport::of(r#"{"name":"t"}"#), TaskSupport::Forbidden);
    }
}

//! What a client must be able to do before it can be asked for something.

use std::fmt;

use crate::protocol::{ClientCapabilities, Revision};

/// A capability that a question or an answer needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capability {
    ElicitationForm,
    ElicitationUrl,
    Roots,
    Sampling,
    SamplingTools,
    /// The extension for tasks.
    Tasks,
}

impl Capability {
    /// Whether a client that declares `declared` has it, as far as its revision knows it at all.
    pub(crate) fn is_in(self, declared: &ClientCapabilities, revision: Revision) -> bool {
        match self {
            Self::ElicitationForm => declared.elicitation_form && revision.has_elicitation(),
            Self::ElicitationUrl => declared.elicitation_url && revision.has_url_elicitation(),
            Self::Roots => declared.roots,
            Self::Sampling => declared.sampling,
            Self::SamplingTools => declared.sampling_tools && revision.has_sampling_tools(),
            Self::Tasks => declared.tasks && revision.is_stateless(),
        }
    }

    /// The capabilities of a client that has it, as JSON.
    pub(crate) const fn json(self) -> &'static str {
        match self {
            Self::ElicitationForm => r#"{"elicitation":{"form":{}}}"#,
            Self::ElicitationUrl => r#"{"elicitation":{"url":{}}}"#,
            Self::Roots => r#"{"roots":{}}"#,
            Self::Sampling => r#"{"sampling":{}}"#,
            Self::SamplingTools => r#"{"sampling":{"tools":{}}}"#,
            Self::Tasks => r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#,
        }
    }
}

/// The capability's name: `elicitation.form`.
impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ElicitationForm => "elicitation.form",
            Self::ElicitationUrl => "elicitation.url",
            Self::Roots => "roots",
            Self::Sampling => "sampling",
            Self::SamplingTools => "sampling.tools",
            Self::Tasks => "extensions.io.modelcontextprotocol/tasks",
        })
    }
}

//! What of a feature can be completed, and by whom.

use crate::context::{Answer, Context};
use crate::response::Partial;
use crate::service::{Call, Settings, Start, running};

/// A prompt's argument or a template's variable whose values can be suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "generated code names the variants, and `ABI` guards them")]
pub enum Completion {
    /// A method of the handler suggests values for the argument of this name.
    Handler(&'static str),
    /// The contract lists the values of the argument of this name.
    Values(&'static str, &'static [&'static str]),
}

impl Completion {
    /// The argument's or variable's name.
    pub(crate) const fn argument(self) -> &'static str {
        match self {
            Self::Handler(argument) | Self::Values(argument, _) => argument,
        }
    }
}

/// The kind of feature whose argument is completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    Prompt,
    Template,
}

/// What is to be completed.
#[derive(Debug)]
pub(crate) struct Completing {
    pub(crate) reference: Reference,
    pub(crate) argument: String,
    pub(crate) partial: Partial,
}

impl Call<'_> {
    /// The argument or variable that is to be completed, by its name; empty in any other call.
    #[must_use]
    pub fn argument(&self) -> &str {
        self.completing.as_ref().map_or("", |completing| &completing.argument)
    }

    /// Readies the method that suggests values.
    pub fn completion<F, Fut>(self, settings: &'static Settings, run: F) -> Start
    where
        F: FnOnce(Partial, Context) -> Fut,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        let partial = self.completing.map(|completing| completing.partial).unwrap_or_default();
        let context = self.context.serving(self.key.to_owned());
        running(Box::pin(run(partial, context)), settings)
    }
}

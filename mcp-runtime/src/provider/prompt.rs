//! Prompts that are known only at run time.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::context::Context;
use crate::provider::definition::{described, to_json};
use crate::response::{PromptMessages, RequestError};

/// What a provider's render returns: a boxed future, because the trait is used behind `dyn`.
pub type PromptFuture<'a> = Pin<Box<dyn Future<Output = Result<PromptMessages, RequestError>> + Send + 'a>>;

/// Offers prompts that no contract knows.
///
/// Arguments reach `render` only if the definition declares them, and only if none is missing that it requires.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use mcp_runtime::Context;
/// use mcp_runtime::provider::{PromptArgument, PromptDefinition, PromptFuture, PromptProvider};
///
/// struct Greetings;
///
/// impl PromptProvider for Greetings {
///     fn prompts(&self) -> Vec<PromptDefinition> {
///         vec![PromptDefinition::new("greet").argument(PromptArgument::new("guest").required())]
///     }
///
///     fn render<'a>(
///         &'a self,
///         _: &'a str,
///         arguments: BTreeMap<String, String>,
///         _: &'a Context,
///     ) -> PromptFuture<'a> {
///         Box::pin(async move { Ok(format!("Greet {}.", arguments["guest"]).into()) })
///     }
/// }
/// ```
pub trait PromptProvider: Send + Sync + 'static {
    /// The prompts that there are now. Asked at start, where a name that somebody else claims stops the server, then
    /// for each list and each render; so keep it cheap.
    fn prompts(&self) -> Vec<PromptDefinition>;

    /// Renders one of them.
    fn render<'a>(
        &'a self,
        name: &'a str,
        arguments: BTreeMap<String, String>,
        context: &'a Context,
    ) -> PromptFuture<'a>;
}

impl<T: PromptProvider + ?Sized> PromptProvider for Arc<T> {
    fn prompts(&self) -> Vec<PromptDefinition> {
        (**self).prompts()
    }

    fn render<'a>(
        &'a self,
        name: &'a str,
        arguments: BTreeMap<String, String>,
        context: &'a Context,
    ) -> PromptFuture<'a> {
        (**self).render(name, arguments, context)
    }
}

/// A prompt that is known only at run time.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptDefinition {
    pub(crate) name: String,
    arguments: Vec<PromptArgument>,
    members: Map<String, Value>,
}

/// An argument of a prompt; its value is always a string.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptArgument {
    name: String,
    required: bool,
    members: Map<String, Value>,
}

impl PromptDefinition {
    /// A prompt with this name, without arguments.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), arguments: Vec::new(), members: Map::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn argument(mut self, argument: PromptArgument) -> Self {
        self.arguments.push(argument);
        self
    }

    /// The names of the arguments, and which are required.
    pub(crate) fn declared(&self) -> Vec<(String, bool)> {
        self.arguments.iter().map(|argument| (argument.name.clone(), argument.required)).collect()
    }

    /// Why the prompt cannot be served, if it cannot.
    pub(crate) fn defect(&self) -> Option<&'static str> {
        let nameless = self.name.is_empty() || self.arguments.iter().any(|argument| argument.name.is_empty());
        nameless.then_some("its name, or an argument's, is empty")
    }

    /// The definition as it stands in a list, at the newest revision.
    pub(crate) fn to_json(&self) -> String {
        let mut members = self.members.clone();
        if !self.arguments.is_empty() {
            members.insert("arguments".to_owned(), self.arguments.iter().map(PromptArgument::to_value).collect());
        }
        to_json(&[("name", &self.name)], &members)
    }
}

described!(PromptDefinition);

impl PromptArgument {
    /// An argument with this name, which may be absent.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), required: false, members: Map::new() }
    }

    /// Says that it must be there.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    fn to_value(&self) -> Value {
        let mut members = self.members.clone();
        members.insert("name".to_owned(), self.name.as_str().into());
        if self.required {
            members.insert("required".to_owned(), true.into());
        }
        Value::Object(members)
    }
}

described!(PromptArgument);

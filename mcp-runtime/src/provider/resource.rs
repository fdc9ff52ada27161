//! Resources and resource templates that are known only at run time.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::context::Context;
use crate::provider::definition::{described, to_json};
use crate::response::{RequestError, ResourceContents};
use crate::service::{UriTemplate, parse_template};

/// What a provider's read returns: a boxed future, because the trait is used behind `dyn`.
pub type ResourceFuture<'a> = Pin<Box<dyn Future<Output = Result<ResourceContents, RequestError>> + Send + 'a>>;

/// Offers resources that no contract knows.
///
/// ```
/// use mcp_runtime::provider::{ResourceDefinition, ResourceFuture, ResourceProvider, TemplateDefinition};
/// use mcp_runtime::{Context, RequestError};
///
/// struct Notes;
///
/// impl ResourceProvider for Notes {
///     fn resources(&self) -> Vec<ResourceDefinition> {
///         vec![ResourceDefinition::new("note://first", "first").mime_type("text/plain")]
///     }
///
///     fn templates(&self) -> Vec<TemplateDefinition> {
///         vec![TemplateDefinition::new("note://{author}/{number}", "by-author")]
///     }
///
///     fn read<'a>(&'a self, uri: &'a str, _: &'a Context) -> ResourceFuture<'a> {
///         Box::pin(async move {
///             match uri {
///                 "note://first" => Ok("Buy milk".into()),
///                 _ => Err(RequestError::not_found(format!("there is no {uri}"))),
///             }
///         })
///     }
/// }
/// ```
pub trait ResourceProvider: Send + Sync + 'static {
    /// The resources that there are now. Asked at start, where a URI that somebody else claims stops the server, then
    /// for each list and each read; so keep it cheap.
    fn resources(&self) -> Vec<ResourceDefinition>;

    /// The templates that there are now; none unless this is written.
    fn templates(&self) -> Vec<TemplateDefinition> {
        Vec::new()
    }

    /// Reads one of them, or what one of the templates matches.
    fn read<'a>(&'a self, uri: &'a str, context: &'a Context) -> ResourceFuture<'a>;
}

impl<T: ResourceProvider + ?Sized> ResourceProvider for Arc<T> {
    fn resources(&self) -> Vec<ResourceDefinition> {
        (**self).resources()
    }

    fn templates(&self) -> Vec<TemplateDefinition> {
        (**self).templates()
    }

    fn read<'a>(&'a self, uri: &'a str, context: &'a Context) -> ResourceFuture<'a> {
        (**self).read(uri, context)
    }
}

/// A resource that is known only at run time.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceDefinition {
    pub(crate) uri: String,
    name: String,
    members: Map<String, Value>,
}

impl ResourceDefinition {
    /// A resource with this URI and name.
    #[must_use]
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: name.into(), members: Map::new() }
    }

    /// States the media type of its content, where the provider states none.
    #[must_use]
    pub fn mime_type(self, mime_type: impl Into<String>) -> Self {
        self.member("mimeType", mime_type.into())
    }

    pub(crate) fn content_type(&self) -> Option<String> {
        content_type(&self.members)
    }

    /// Why the resource cannot be served, if it cannot.
    pub(crate) fn defect(&self) -> Option<&'static str> {
        defect(&self.name, &self.uri)
    }

    /// The definition as it stands in a list, at the newest revision.
    pub(crate) fn to_json(&self) -> String {
        to_json(&[("uri", &self.uri), ("name", &self.name)], &self.members)
    }
}

described!(ResourceDefinition);

/// A resource template that is known only at run time: literals, and variables with text between any two, either simple
/// (`note://{author}`) or of any characters (`file:///{+path}`).
#[derive(Clone, Debug, PartialEq)]
pub struct TemplateDefinition {
    pub(crate) uri_template: String,
    name: String,
    members: Map<String, Value>,
}

impl TemplateDefinition {
    /// A template of this form and name.
    #[must_use]
    pub fn new(uri_template: impl Into<String>, name: impl Into<String>) -> Self {
        Self { uri_template: uri_template.into(), name: name.into(), members: Map::new() }
    }

    /// States the media type of the content, where the provider states none.
    #[must_use]
    pub fn mime_type(self, mime_type: impl Into<String>) -> Self {
        self.member("mimeType", mime_type.into())
    }

    /// The values of the variables, percent-decoded, if the URI fits.
    #[must_use]
    pub fn variables(&self, uri: &str) -> Option<BTreeMap<String, String>> {
        let parts = parse_template(&self.uri_template)?;
        let values = UriTemplate::new(&parts).matches(uri)?;
        Some(values.into_entries().map(|(name, value)| (name.to_owned(), value.into_owned())).collect())
    }

    pub(crate) fn content_type(&self) -> Option<String> {
        content_type(&self.members)
    }

    /// Why the template cannot be served, if it cannot.
    pub(crate) fn defect(&self) -> Option<&'static str> {
        let malformed =
            "its `uriTemplate` is no text with `{name}` or `{+name}` in it, or two variables stand side by side";
        defect(&self.name, &self.uri_template)
            .or_else(|| parse_template(&self.uri_template).is_none().then_some(malformed))
    }

    /// The definition as it stands in a list, at the newest revision.
    pub(crate) fn to_json(&self) -> String {
        to_json(&[("uriTemplate", &self.uri_template), ("name", &self.name)], &self.members)
    }
}

described!(TemplateDefinition);

fn content_type(members: &Map<String, Value>) -> Option<String> {
    members.get("mimeType").and_then(Value::as_str).map(str::to_owned)
}

fn defect(name: &str, uri: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("its name is empty");
    }
    (!uri.contains(':')).then_some("its URI has no scheme")
}

//! Features that are known only at run time: tools, resources, prompts from a plug-in, a database, another server.
//!
//! Providers stand beside generated services, and after them: what a contract names is the contract's. Whoever takes a
//! name that is taken stops the start of the server; a name that comes up later and is taken is skipped, and
//! [`Listener::skipped`](crate::Listener::skipped) hears of it.

mod definition;
mod header;
mod kind;
mod prompt;
mod resource;
mod tool;

pub(crate) use self::kind::Providers;
pub use self::kind::{Prompts, Provides, Resources, Tools};
pub use self::prompt::{PromptArgument, PromptDefinition, PromptFuture, PromptProvider};
pub use self::resource::{ResourceDefinition, ResourceFuture, ResourceProvider, TemplateDefinition};
pub use self::tool::{ToolDefinition, ToolFuture, ToolProvider};

//! Pages: how the client is asked to open one, and what it hears of one later.

use std::fmt;
use std::sync::{Arc, Weak};

use crate::context::Context;
use crate::context::ask::elicitation::{Question, Subject};
use crate::context::ask::{AskError, Reply};
use crate::json::Writer;
use crate::peer::Peer;
use crate::protocol::Capability;
use crate::seal::random_bytes;
use crate::tool_error::ToolError;

/// What the user was asked to open, for whoever learns that everything was done there; see [`Question::page`].
#[derive(Clone)]
pub struct Page {
    peer: Weak<Peer>,
    id: Option<Arc<str>>,
}

impl Page {
    /// Tells the client that what the page was opened for is done, so that it can go on: a notification of 2025-11-25.
    /// Other revisions have none, and nothing is sent; nor is it to a client that is gone.
    pub fn completed(&self) {
        let (Some(peer), Some(id)) = (self.peer.upgrade(), &self.id) else { return };
        peer.outbox.push(|out| {
            let method = r#"{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"#;
            out.extend_from_slice(method.as_bytes());
            Writer::new(out).string(id);
            out.extend_from_slice(b"}}");
        });
    }
}

impl Question<'_, ()> {
    /// The page that the question is about, to be kept until everything was done there.
    ///
    /// ```
    /// # use mcp_runtime::{AskUrl, Context, Page, Reply, ToolError, ToolResponse};
    /// # struct SignIn;
    /// # impl AskUrl for SignIn { const MESSAGE: &'static str = "Sign in, please"; }
    /// # fn once_signed_in(_: impl FnOnce() + Send + 'static) {}
    /// async fn connect(ctx: &Context) -> Result<ToolResponse, ToolError> {
    ///     let question = ctx.ask_url::<SignIn>("https://example.com/sign-in");
    ///     let page = question.page();
    ///     once_signed_in(move || page.completed());
    ///     match question.await? {
    ///         Reply::Accepted(()) => Ok("the page was opened".into()),
    ///         Reply::Declined | Reply::Cancelled => Ok("not connected".into()),
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn page(&self) -> Page {
        let id = match &self.wording.subject {
            Subject::Page { id, .. } => id.clone(),
            Subject::Form(_) => None,
        };
        Page { peer: Arc::downgrade(&self.context.state.peer), id }
    }

    /// Ends the call, because it cannot go on before the user has been on the page: `return Err(question.required().await)`.
    ///
    /// A client of 2025-11-25 hears of it by the protocol's own error, -32042, shows the page and calls again. A stateless
    /// client is asked as by any question, and the handler runs again; if it comes here again, although the user has agreed,
    /// the call fails. Any other client just hears why the call failed.
    pub async fn required(self) -> ToolError {
        let (context, message) = (self.context, self.wording.message.clone());
        if context.state.head.revision.has_elicitation_ids() {
            return match context.page_params(&message, &self.wording.subject) {
                Ok(page) => ToolError::pages_required(&message, format!("[{page}]")),
                Err(error) => error.into(),
            };
        }
        match self.await {
            Ok(Reply::Accepted(())) => ToolError::permission_denied(format!("{message}: that is not done yet")),
            Ok(Reply::Declined | Reply::Cancelled) => {
                ToolError::permission_denied(format!("{message}: the user did not"))
            }
            Err(error) => error.into(),
        }
    }
}

impl Context {
    /// An id for a page, where pages have one; `None` also if the system has no randomness to give.
    pub(super) fn page_id(&self) -> Option<Arc<str>> {
        let has_ids = self.state.head.revision.has_elicitation_ids();
        let random = has_ids.then(random_bytes::<16>)?.ok()?;
        Some(format!("{:032x}", u128::from_be_bytes(random)).into())
    }

    pub(super) fn page_params(&self, message: &str, subject: &Subject) -> Result<String, AskError> {
        self.require(Capability::ElicitationUrl)?;
        let Subject::Page { url, id } = subject else { return Err(AskError::unaskable("a form is no page")) };
        if id.is_none() && self.state.head.revision.has_elicitation_ids() {
            return Err(AskError::unaskable("the system has no randomness for an id"));
        }
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out);
        writer.begin_object();
        writer.member(r#""mode":"#, &"url");
        writer.member(r#""message":"#, &message);
        writer.member(r#""url":"#, url);
        writer.optional(r#""elicitationId":"#, &id.as_deref());
        writer.end_object();
        Ok(String::from_utf8(out).unwrap_or_default())
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").field("id", &self.id).finish_non_exhaustive()
    }
}

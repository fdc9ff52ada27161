//! Asking the user: forms, and pages to open.

mod form;
mod page;

use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{self, Poll};

pub use self::page::Page;
use crate::context::Context;
use crate::context::ask::AskError;
use crate::context::ask::inquiry::Inquiry;
use crate::json::{Decode, Fault, Reader, Writer, required};
use crate::protocol::Capability;

/// A form for the user, and what it holds when it was filled in. Generated for each `[asks.name]` of a contract that has
/// `fields`.
pub trait Ask: Decode + 'static {
    /// What the user reads, unless [`Question::message`] says otherwise.
    const MESSAGE: &'static str;
    /// The form as JSON Schema, in the newest spelling.
    const SCHEMA: &'static str;
}

/// A page for the user to open. Generated for each `[asks.name]` of a contract that has `url = true`.
pub trait AskUrl: 'static {
    /// What the user reads, unless [`Question::message`] says otherwise.
    const MESSAGE: &'static str;
}

/// What the user did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "MCP knows these three, and a handler has to think of each")]
pub enum Reply<T> {
    /// Filled the form in, or agreed to open the page.
    Accepted(T),
    /// Said no.
    Declined,
    /// Closed the question without an answer.
    Cancelled,
}

/// A question to the user; `.await` it.
#[must_use = "nothing is asked before the question is awaited"]
pub struct Question<'c, T> {
    context: &'c Context,
    wording: Wording,
    read: fn(&Context, &'static str, &str) -> Result<T, AskError>,
    under_way: Option<UnderWay<'c, T>>,
}

/// What is asked.
#[derive(Clone, Debug)]
struct Wording {
    /// What the question is called; `None` for a key of ours.
    key: Option<Cow<'static, str>>,
    message: Cow<'static, str>,
    subject: Subject,
}

type UnderWay<'c, T> = Pin<Box<dyn Future<Output = Result<Reply<T>, AskError>> + Send + 'c>>;

/// What the user gets to see beside the message.
#[derive(Clone, Debug)]
enum Subject {
    /// A form, by its schema.
    Form(&'static str),
    /// A page, and its id where pages have one.
    Page { url: String, id: Option<Arc<str>> },
}

impl Context {
    /// Puts a form to the user: `ctx.ask::<asks::Confirm>().await?`.
    ///
    /// A handler may run several times until all its questions are answered: see [`ask`](crate::context::ask).
    ///
    /// # Errors
    ///
    /// The question fails if the client knows no forms or gives no fitting answer. That the user declines is an answer.
    pub fn ask<A: Ask>(&self) -> Question<'_, A> {
        let read = |context: &Self, schema, content: &str| form::read(context, schema, content);
        Question::new(self, (A::MESSAGE, Subject::Form(A::SCHEMA)), read)
    }

    /// Asks the user to open a page: `ctx.ask_url::<asks::SignIn>(url).await?`. This is the way to secrets, which never
    /// go through a form.
    ///
    /// Acceptance means that the page will be opened, not that anything was done there. The URL must hold nothing secret
    /// and grant nothing by itself; use `https`, and find out on the page who opened it.
    ///
    /// # Errors
    ///
    /// The question fails if the client cannot open pages or gives no answer.
    pub fn ask_url<A: AskUrl>(&self, url: impl Into<String>) -> Question<'_, ()> {
        let subject = Subject::Page { url: url.into(), id: self.page_id() };
        Question::new(self, (A::MESSAGE, subject), |_, _, _| Ok(()))
    }

    async fn elicit<T>(
        &self,
        Wording { key, message, subject }: Wording,
        read: fn(&Self, &'static str, &str) -> Result<T, AskError>,
    ) -> Result<Reply<T>, AskError> {
        let (schema, params) = match subject {
            Subject::Form(schema) => (schema, self.form_params(&message, schema)?),
            page @ Subject::Page { .. } => ("", self.page_params(&message, &page)?),
        };
        let inquiry = Inquiry { method: "elicitation/create", key, params: Some(params), read: read_reply };
        match self.inquire(inquiry).await? {
            Reply::Accepted(content) => read(self, schema, &content).map(Reply::Accepted),
            Reply::Declined => Ok(Reply::Declined),
            Reply::Cancelled => Ok(Reply::Cancelled),
        }
    }

    fn form_params(&self, message: &str, schema: &str) -> Result<String, AskError> {
        self.require(Capability::ElicitationForm)?;
        let mut out = br#"{"message":"#.to_vec();
        Writer::new(&mut out).string(message);
        out.extend_from_slice(br#","requestedSchema":"#);
        form::write(schema, self.state.head.revision, &mut out)?;
        out.push(b'}');
        Ok(String::from_utf8(out).unwrap_or_default())
    }
}

impl<'c, T> Question<'c, T> {
    fn new(
        context: &'c Context,
        (message, subject): (&'static str, Subject),
        read: fn(&Context, &'static str, &str) -> Result<T, AskError>,
    ) -> Self {
        let wording = Wording { key: None, message: message.into(), subject };
        Self { context, wording, read, under_way: None }
    }

    /// Says what the user reads, where the contract cannot know it: how many files, which account.
    pub fn message(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        self.wording.message = text.into();
        self
    }

    /// Gives the question a key that stateless clients can know: its name in `inputRequests` and `inputResponses`, once
    /// in a call. Default: a key that belongs to this very question.
    ///
    /// A client may then answer in its first request already, before it was asked. An answer to a question that was
    /// asked in other words still counts for nothing. With a session the key says nothing.
    pub fn key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.wording.key = Some(key.into());
        self
    }
}

impl<T: 'static> Future for Question<'_, T> {
    type Output = Result<Reply<T>, AskError>;

    fn poll(self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Self::Output> {
        let Self { context: asked, wording, read, under_way } = self.get_mut();
        let begin = || -> UnderWay<'_, T> { Box::pin(asked.elicit(wording.clone(), *read)) };
        under_way.get_or_insert_with(begin).as_mut().poll(context)
    }
}

impl<T> fmt::Debug for Question<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question").field("message", &self.wording.message).finish_non_exhaustive()
    }
}

impl<T> Reply<T> {
    /// What the user sent, if they accepted.
    #[must_use]
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled => None,
        }
    }
}

/// What a form was filled in with stays JSON here: only the form knows how to read it.
fn read_reply(result: &str) -> Result<Reply<String>, Fault> {
    let (mut action, mut content) = (None, "{}");
    Reader::new(result).object(&["action", "content"], &mut |key, r| {
        match key {
            0 => action = Some(r.variant(&["accept", "decline", "cancel"])?),
            1 if r.take_null() => {}
            1 => content = r.raw_value()?,
            _ => return r.skip_value(),
        }
        Ok(())
    })?;
    Ok(match required(action)? {
        0 => Reply::Accepted(content.to_owned()),
        1 => Reply::Declined,
        _ => Reply::Cancelled,
    })
}

//! What a client says beside its request: the request's `_meta`.

mod trace;

use serde::de::DeserializeOwned;

pub use self::trace::TraceContext;
use crate::context::Context;
use crate::json::{Reader, string_of};

/// The `_meta` of a request; see [`Context::request_meta`].
#[derive(Clone, Copy, Debug)]
pub struct RequestMeta<'c> {
    json: &'c str,
}

impl Context {
    /// What the client says beside the request, in its own words: show it, pass it on, but do not trust it.
    ///
    /// ```
    /// use mcp_runtime::{Context, ToolError};
    ///
    /// fn tenant(ctx: &Context) -> Result<Option<String>, ToolError> {
    ///     Ok(ctx.request_meta().get("com.example/tenant")?)
    /// }
    /// ```
    #[must_use]
    pub fn request_meta(&self) -> RequestMeta<'_> {
        RequestMeta { json: self.state.meta.as_ref().map_or("{}", |meta| &meta.text) }
    }

    /// The trace that the request is a part of, if its `_meta` states one: W3C Trace Context, as the specification's page
    /// on `_meta` says.
    ///
    /// Pass it on with what the handler asks of others, so that one trace shows it all.
    #[must_use]
    pub fn trace(&self) -> Option<TraceContext<'_>> {
        TraceContext::read(self.request_meta())
    }
}

impl<'c> RequestMeta<'c> {
    /// All of it, as JSON text; `{}` where the client sent none.
    #[must_use]
    pub fn json(&self) -> &'c str {
        self.json
    }

    /// A member as JSON text, if it is there.
    #[must_use]
    pub fn raw(&self, key: &str) -> Option<&'c str> {
        let mut found = None;
        // it was read as an object before anybody saw it
        let _ = Reader::new(self.json).object(&[key], &mut |at, reader| {
            if at != 0 {
                return reader.skip_value();
            }
            found = Some(reader.raw_value()?);
            Ok(())
        });
        found
    }

    /// A member, if it is there.
    ///
    /// # Errors
    ///
    /// Fails if it is of another type.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, serde_json::Error> {
        self.raw(key).map(serde_json::from_str).transpose()
    }

    /// A member that is a string.
    pub(super) fn text(&self, key: &str) -> Option<std::borrow::Cow<'c, str>> {
        string_of(self.raw(key)?)
    }
}

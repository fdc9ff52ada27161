//! What happens once in a call, however often its handler runs.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::Context;
use crate::tool_error::ToolError;

/// A body of `once` under way.
struct Running<'c>(&'c AtomicUsize);

impl<'c> Running<'c> {
    fn begin(count: &'c AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Context {
    /// Runs `body` once in this call and gives its result, also when the handler runs again because of a question that
    /// follows. Each place needs a `key` of its own.
    ///
    /// The result travels by way of the client, encrypted, so keep it small. A body that fails is not remembered. Beside
    /// a question (`join!`) the body runs to its end before the client is asked.
    ///
    /// ```
    /// # use mcp_runtime::{Context, ToolError};
    /// # async fn place(_: &str) -> Result<u64, std::io::Error> { Ok(7) }
    /// async fn order(ctx: &Context) -> Result<u64, ToolError> {
    ///     let id = ctx.once("order", || async { Ok(place("a book").await?) }).await?;
    ///     // questions may follow: the book is ordered already, and once
    ///     Ok(id)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the body does, or if its result cannot be written as JSON and read again.
    pub async fn once<T, F, Fut>(&self, key: &str, body: F) -> Result<T, ToolError>
    where
        T: Serialize + DeserializeOwned,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T, ToolError>>,
    {
        let asking = self.asking();
        let known = asking.round().result(key);
        if let Some(json) = known {
            return serde_json::from_str(&json).map_err(|error| unkept(key, &error));
        }
        let running = Running::begin(&asking.once);
        let result = body().await?;
        let json = serde_json::to_string(&result).map_err(|error| unkept(key, &error))?;
        asking.round().remember(key, json);
        drop(running);
        if asking.is_suspended() {
            // a question beside this body waited for its end
            tokio::task::yield_now().await;
        }
        Ok(result)
    }
}

#[cold]
fn unkept(key: &str, error: &serde_json::Error) -> ToolError {
    ToolError::internal(format!("the result of `{key}` cannot be kept: {error}"))
}

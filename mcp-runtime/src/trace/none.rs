//! The feature `tracing` is off: nothing is there, and nothing is done.

use crate::protocol::Revision;
use crate::service::Running;
use crate::trace::Opening;

/// How spans are made: not at all.
#[derive(Debug, Default)]
pub(crate) struct Spans(());

/// The span of one request.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestSpan(());

impl Spans {
    #[inline]
    #[expect(clippy::unused_self, reason = "the same signature as with the feature")]
    pub(crate) fn open(&self, _: Opening<'_>) -> RequestSpan {
        RequestSpan(())
    }
}

#[expect(clippy::unused_self, reason = "the same signatures as with the feature")]
impl RequestSpan {
    #[inline]
    pub(crate) fn speaks(&self, _: Revision) {}

    #[inline]
    pub(crate) fn tool(&self, _: &str) {}

    #[inline]
    pub(crate) fn prompt(&self, _: &str) {}

    #[inline]
    pub(crate) fn resource(&self, _: &str) {}

    #[inline]
    pub(crate) fn failed_tool(&self) {}

    #[inline]
    pub(crate) fn failed(&self, _: i32) {}

    #[inline]
    pub(crate) fn within<T>(&self, run: impl FnOnce() -> T) -> T {
        run()
    }

    #[inline]
    pub(crate) fn around(&self, future: Running) -> Running {
        future
    }
}

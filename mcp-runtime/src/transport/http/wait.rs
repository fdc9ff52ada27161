//! What a connection waits for beside its client: the end of its time to send a request, and the end of the server.
//!
//! hyper can bound the time that a head takes, too, and sets a timer anew for each. Here a connection has one timer, which is
//! set when it is due and the wait has become another. Both waits register once, and are looked at again only when they are
//! over, as long as the same task asks.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep};

use crate::transport::http::{Body, turned};

/// How many requests a connection has brought, and how many of them are answered.
#[derive(Debug, Default)]
pub(super) struct Count {
    begun: AtomicUsize,
    answered: AtomicUsize,
}

/// A body that counts as an answer when it is done.
#[derive(Debug)]
pub(super) struct Counted {
    body: Body,
    count: Arc<Count>,
}

/// The time that a connection has for the head of its next request.
#[derive(Debug)]
pub(super) struct HeadLimit {
    limit: Duration,
    count: Arc<Count>,
    /// Of the answers that were counted, when the last one was.
    since: (usize, Instant),
    timer: Pin<Box<Sleep>>,
    asker: Asker,
}

/// The end of the server.
pub(super) struct Closing {
    news: watch::Receiver<bool>,
    turned: Pin<Box<dyn Future<Output = ()> + Send>>,
    asker: Asker,
    told: bool,
}

/// Who asked last, and is woken.
#[derive(Debug, Default)]
struct Asker(Option<Waker>);

impl Count {
    /// A request has come.
    pub(super) fn begin(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }
}

impl Counted {
    pub(super) fn new(body: Body, count: Arc<Count>) -> Self {
        Self { body, count }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.count.answered.fetch_add(1, Ordering::Relaxed);
    }
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = <Body as HttpBody>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl HeadLimit {
    /// The time begins now, and again with each answer.
    pub(super) fn new(limit: Duration, count: Arc<Count>) -> Self {
        Self { limit, count, since: (0, Instant::now()), timer: Box::pin(sleep(limit)), asker: Asker::default() }
    }

    /// Whether the time is over. To be asked whenever the connection has done something.
    pub(super) fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        let answered = self.count.answered.load(Ordering::Relaxed);
        if self.since.0 != answered {
            self.since = (answered, Instant::now());
        }
        if self.asker.is_the_same(cx) && !self.timer.is_elapsed() {
            return false;
        }
        while self.timer.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            let is_waiting = self.count.begun.load(Ordering::Relaxed) == answered;
            let since = if is_waiting { self.since.1 } else { now };
            match since.checked_add(self.limit) {
                Some(end) if end > now => self.timer.as_mut().reset(end),
                Some(_) => return true,
                None => return false,
            }
        }
        false
    }
}

impl Closing {
    pub(super) fn new(news: watch::Receiver<bool>) -> Self {
        let mut turning = news.clone();
        let turned = Box::pin(async move { turned(&mut turning).await });
        Self { news, turned, asker: Asker::default(), told: false }
    }

    /// Whether the server ends. That is told once.
    pub(super) fn begins(&mut self, cx: &mut Context<'_>) -> bool {
        // whoever could send news is there as long as we are
        if self.told || (self.asker.is_the_same(cx) && !self.news.has_changed().unwrap_or(true)) {
            return false;
        }
        self.told = self.turned.as_mut().poll(cx).is_ready();
        self.told
    }
}

impl Asker {
    /// Whether the same task asked last; if not, it is from now on this one.
    fn is_the_same(&mut self, cx: &Context<'_>) -> bool {
        let is_same = self.0.as_ref().is_some_and(|waker| waker.will_wake(cx.waker()));
        if !is_same {
            self.0 = Some(cx.waker().clone());
        }
        is_same
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    /// Asks until the time is over.
    async fn over(limit: &mut HeadLimit) {
        poll_fn(|cx| if limit.is_over(cx) { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_begins_anew_with_each_answer() {
        let (count, begun) = (Arc::new(Count::default()), Instant::now());
        let mut limit = HeadLimit::new(Duration::from_secs(10), Arc::clone(&count));
        for second in [3, 8, 30] {
            count.begin();
            let mut body = Some(Counted::new(Body::empty(), Arc::clone(&count)));
            let answered = async {
                tokio::time::sleep_until(begun + Duration::from_secs(second)).await;
                body.take();
            };
            tokio::select! {
                () = over(&mut limit) => panic!("a request is under way"),
                () = answered => {}
            }
            // as after each step of the connection
            assert!(!poll_fn(|cx| Poll::Ready(limit.is_over(cx))).await);
        }
        over(&mut limit).await;
        assert_eq!(begun.elapsed().as_secs(), 40);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_sends_nothing_has_one_limit() {
        let begun = Instant::now();
        over(&mut HeadLimit::new(Duration::from_secs(10), Arc::default())).await;
        assert_eq!(begun.elapsed().as_secs(), 10);
    }

    #[tokio::test]
    async fn the_end_is_told_once() {
        let closing = watch::Sender::new(false);
        let mut end = Closing::new(closing.subscribe());
        let mut begins = |cx: &mut Context<'_>| Poll::Ready(end.begins(cx));
        assert!(!poll_fn(&mut begins).await && !poll_fn(&mut begins).await);
        closing.send_replace(true);
        assert!(poll_fn(&mut begins).await);
        assert!(!poll_fn(&mut begins).await);
    }
}

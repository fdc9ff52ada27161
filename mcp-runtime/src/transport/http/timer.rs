//! The limit on the time that a head takes, without a timer of the runtime for each request.
//!
//! hyper waits anew with each request, and gives up nearly every wait. Here the waits of a connection share one timer. It is
//! set for the first of them; when it is due and the wait has become another, it is set anew.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

use crate::lock::lock;

/// The timer of one connection.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedTimer(Arc<Mutex<Option<Pin<Box<tokio::time::Sleep>>>>>);

/// One wait.
#[derive(Debug)]
struct Wait {
    timer: SharedTimer,
    deadline: tokio::time::Instant,
}

impl Timer for SharedTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Wait { timer: self.clone(), deadline: deadline.into() })
    }

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }
}

impl Sleep for Wait {}

impl Future for Wait {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut timer = lock(&self.timer.0);
        let timer = timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(self.deadline)));
        if timer.deadline() > self.deadline {
            timer.as_mut().reset(self.deadline);
        }
        loop {
            ready!(timer.as_mut().poll(cx));
            if timer.deadline() == self.deadline {
                return Poll::Ready(());
            }
            timer.as_mut().reset(self.deadline);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waits_end_at_their_own_time() {
        let (timer, begun) = (SharedTimer::default(), tokio::time::Instant::now());
        let after = |seconds| (begun + Duration::from_secs(seconds)).into_std();
        let polled =
            |wait: &mut Pin<Box<dyn Sleep>>| wait.as_mut().poll(&mut Context::from_waker(std::task::Waker::noop()));
        // given up, it leaves the timer set
        let mut first = timer.sleep_until(after(10));
        assert_eq!(polled(&mut first), Poll::Pending);
        drop(first);
        let mut second = timer.sleep_until(after(15));
        assert_eq!(polled(&mut second), Poll::Pending);
        second.await;
        assert_eq!(begun.elapsed().as_secs(), 15);
        let mut late = timer.sleep_until(after(40));
        assert_eq!(polled(&mut late), Poll::Pending);
        timer.sleep_until(after(30)).await;
        assert_eq!(begun.elapsed().as_secs(), 30);
        late.await;
        assert_eq!(begun.elapsed().as_secs(), 40);
    }
}

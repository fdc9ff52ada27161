//! Keys that come from elsewhere: fetched, remembered, changed, and out of reach.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::auth::{Auth, JwtVerifier};

use crate::issuer::{ISSUER, claims, keys, signed};
use crate::{guarded, whoami};

/// What an issuer serves: `None` for nothing.
#[derive(Clone, Default)]
struct Source {
    fetched: Arc<AtomicUsize>,
    serves: Arc<std::sync::Mutex<Option<usize>>>,
}

impl Source {
    fn serving(index: usize) -> Self {
        let source = Self::default();
        source.serve(Some(index));
        source
    }

    fn serve(&self, index: Option<usize>) {
        *self.serves.lock().expect("nobody panicked") = index;
    }

    fn count(&self) -> usize {
        self.fetched.load(Ordering::SeqCst)
    }

    fn verifier(&self) -> JwtVerifier {
        let source = self.clone();
        JwtVerifier::new(ISSUER, move || {
            let source = source.clone();
            async move {
                source.fetched.fetch_add(1, Ordering::SeqCst);
                let index = *source.serves.lock().expect("nobody panicked");
                tokio::task::yield_now().await;
                index.map(keys).ok_or_else(|| std::io::Error::other("the issuer is down"))
            }
        })
    }
}

#[tokio::test]
async fn keys_are_fetched_once() {
    let source = Source::serving(0);
    let service = guarded(Auth::new(source.verifier()));
    assert_eq!(source.count(), 0);
    let (a, b) = (signed(0, &claims("")), signed(0, &claims("a")));
    let (a, b) = tokio::join!(whoami(&service, &a), whoami(&service, &b));
    assert_eq!((a.status().as_u16(), b.status().as_u16(), source.count()), (200, 200, 1));
}

#[tokio::test]
async fn a_key_that_is_not_known_is_looked_for() {
    let source = Source::serving(0);
    let service = guarded(Auth::new(source.verifier().refresh_pause(Duration::ZERO)));
    assert_eq!(whoami(&service, &signed(0, &claims(""))).await.status(), 200);
    source.serve(Some(1));
    assert_eq!(whoami(&service, &signed(1, &claims(""))).await.status(), 200);
    // the old key is gone
    assert_eq!(whoami(&service, &signed(0, &claims(""))).await.status(), 401);
}

#[tokio::test(start_paused = true)]
async fn made_up_keys_do_not_make_us_fetch() {
    let source = Source::serving(0);
    let service = guarded(Auth::new(source.verifier()));
    for _ in 0..20 {
        assert_eq!(whoami(&service, &signed(1, &claims(""))).await.status(), 401);
    }
    assert_eq!(source.count(), 1);
    // after a pause a new key is found
    source.serve(Some(1));
    tokio::time::advance(Duration::from_secs(31)).await;
    assert_eq!(whoami(&service, &signed(1, &claims(""))).await.status(), 200);
    assert_eq!(source.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_source_that_fails_is_asked_again() {
    let source = Source::default();
    let service = guarded(Auth::new(source.verifier()));
    let token = signed(0, &claims(""));
    for _ in 0..3 {
        assert_eq!(whoami(&service, &token).await.status(), 503);
    }
    assert_eq!(source.count(), 1);
    source.serve(Some(0));
    tokio::time::advance(Duration::from_secs(6)).await;
    assert_eq!(whoami(&service, &token).await.status(), 200);
}

#[tokio::test(start_paused = true)]
async fn old_keys_serve_while_new_ones_are_out_of_reach() {
    let source = Source::serving(0);
    let service = guarded(Auth::new(source.verifier()));
    let token = signed(0, &claims(""));
    assert_eq!(whoami(&service, &token).await.status(), 200);
    source.serve(None);
    tokio::time::advance(Duration::from_secs(2 * 60 * 60)).await;
    assert_eq!(whoami(&service, &token).await.status(), 200);
    // but not for ever: a key that was taken back must stop to count
    tokio::time::advance(Duration::from_secs(24 * 60 * 60)).await;
    assert_eq!(whoami(&service, &token).await.status(), 503);
}

#[tokio::test(start_paused = true)]
async fn a_source_that_never_answers_has_failed() {
    let verifier = JwtVerifier::new(ISSUER, std::future::pending::<Result<String, std::io::Error>>);
    assert_eq!(whoami(&guarded(Auth::new(verifier)), &signed(0, &claims(""))).await.status(), 503);
}

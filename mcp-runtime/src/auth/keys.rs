//! The keys of an issuer: fetched when they are needed, remembered, and fetched again when they change.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::auth::jwks::Jwks;
use crate::lock::lock;

/// How long a fetch may take.
const FETCH: Duration = Duration::from_secs(10);
/// How long to wait after a fetch that failed.
const RETRY: Duration = Duration::from_secs(5);
/// How long keys are used that cannot be fetched again.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// What a source returns: the set as JSON text (RFC 7517).
pub type KeyFuture<'a> = Pin<Box<dyn Future<Output = Result<String, Box<dyn Error + Send + Sync>>> + Send + 'a>>;

/// Fetches the public keys of an issuer, from its `jwks_uri` say. This crate itself never touches the network.
///
/// Every closure that returns a future of a `Result<String, _>` is one: `|| async { reqwest::get(URL).await?.text().await }`.
/// It is asked when the first token comes, when a token names a key that is not known (but not more often than
/// [`refresh_pause`](crate::auth::JwtVerifier::refresh_pause) allows), and when the keys have become old. One that takes
/// longer than 10 seconds has failed.
pub trait KeySource: Send + Sync + 'static {
    /// Fetches the set.
    fn fetch(&self) -> KeyFuture<'_>;
}

impl<F, Fut, E> KeySource for F
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<String, E>> + Send + 'static,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    fn fetch(&self) -> KeyFuture<'_> {
        let fetched = self();
        Box::pin(async move { fetched.await.map_err(Into::into) })
    }
}

/// What a verifier knows of its issuer's keys.
pub(super) struct Keys {
    /// `None` where the keys never change.
    source: Option<Box<dyn KeySource>>,
    known: Mutex<Known>,
    /// One fetch at a time.
    fetching: tokio::sync::Mutex<()>,
    pub(super) max_age: Duration,
    pub(super) pause: Duration,
}

#[derive(Default)]
struct Known {
    /// The keys, and when they were fetched.
    keys: Option<(Arc<Jwks>, Instant)>,
    /// When the next fetch may begin.
    next: Option<Instant>,
    /// Why the last fetch failed, if it did.
    failed: Option<String>,
}

impl Keys {
    pub(super) fn new(source: Option<Box<dyn KeySource>>, fixed: Option<Jwks>) -> Self {
        let keys = fixed.map(|keys| (Arc::new(keys), Instant::now()));
        Self {
            source,
            known: Mutex::new(Known { keys, ..Known::default() }),
            fetching: tokio::sync::Mutex::default(),
            max_age: Duration::from_secs(60 * 60),
            pause: Duration::from_secs(30),
        }
    }

    /// The keys; fetched anew first, if these do not satisfy.
    ///
    /// # Errors
    ///
    /// Says why there are none.
    pub(super) async fn satisfying(self: &Arc<Self>, does: impl Fn(&Jwks) -> bool) -> Result<Arc<Jwks>, String> {
        let known = self.lock().keys.clone();
        if let Some((keys, fetched)) = known.filter(|(_, fetched)| self.is_fixed() || fetched.elapsed() < STALE)
            && (self.is_fixed() || does(&keys))
        {
            if !self.is_fixed() && fetched.elapsed() > self.max_age && self.is_due() {
                // who has a key that satisfies need not wait for it
                self.refresh();
            }
            return Ok(keys);
        }
        // it goes on if the client goes away: or clients that come and go could keep new keys from ever arriving
        let _ = self.refresh().await;
        let known = self.lock();
        match &known.keys {
            Some((keys, fetched)) if fetched.elapsed() < STALE => Ok(Arc::clone(keys)),
            Some(_) | None => Err(known.failed.clone().unwrap_or_else(|| "there are no keys".to_owned())),
        }
    }

    fn is_fixed(&self) -> bool {
        self.source.is_none()
    }

    fn is_due(&self) -> bool {
        self.lock().next.is_none_or(|next| next <= Instant::now())
    }

    /// Fetches, unless that was done a moment ago. Who comes while a fetch is under way waits for that one.
    fn refresh(self: &Arc<Self>) -> tokio::task::JoinHandle<()> {
        let keys = Arc::clone(self);
        tokio::spawn(async move {
            let _one = keys.fetching.lock().await;
            if keys.is_due() {
                keys.fetch().await;
            }
        })
    }

    async fn fetch(&self) {
        let Some(source) = &self.source else { return };
        // a source that panics has failed, too
        self.lock().next = Some(Instant::now() + RETRY);
        let fetched = match timeout(FETCH, source.fetch()).await {
            Ok(Ok(text)) => Jwks::parse(&text),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err(format!("the source did not answer within {FETCH:?}")),
        };
        let now = Instant::now();
        let mut known = self.lock();
        match fetched {
            Ok(keys) => {
                *known = Known { keys: Some((Arc::new(keys), now)), next: Some(now + self.pause), failed: None }
            }
            Err(why) => (known.next, known.failed) = (Some(now + RETRY.min(self.pause)), Some(why)),
        }
    }

    /// A panic elsewhere leaves it as good as it was.
    fn lock(&self) -> MutexGuard<'_, Known> {
        lock(&self.known)
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").field("max_age", &self.max_age).finish_non_exhaustive()
    }
}

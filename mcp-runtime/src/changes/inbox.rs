//! What one client is to be told of.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::changes::{Change, Topics};
use crate::json::Writer;
use crate::jsonrpc::RequestId;
use crate::lock::lock;

/// Streams of one client that can be open at the same time.
const MAX_STREAMS: usize = 64;
/// Resources and tasks that one client can subscribe to, on all its streams.
const MAX_TOPICS: usize = 1024;
/// What the names of all these may take, in bytes.
const MAX_BYTES: usize = 128 << 10;

/// The changes that a client has not been told of yet. It never holds more than what was subscribed to, each once.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    subscriptions: Mutex<Vec<Subscription>>,
    /// Whether anything is due: the one look that a client without news costs.
    filled: AtomicBool,
}

#[derive(Debug)]
struct Subscription {
    /// The `subscriptions/listen` behind it; `None` for the session.
    id: Option<RequestId>,
    wanted: Topics,
    due: Topics,
}

/// The client has subscribed to too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Inbox {
    /// Notes a change, for whoever wants to hear of it; `false` if nobody does.
    pub(crate) fn post(&self, change: Change<'_>) -> bool {
        let mut posted = false;
        for subscription in self.lock().iter_mut().filter(|subscription| subscription.wanted.has(change)) {
            subscription.due.add(change);
            posted = true;
        }
        if posted {
            self.filled.store(true, Ordering::Release);
        }
        posted
    }

    /// Appends what is due, each a line.
    pub(crate) fn drain_into(&self, out: &mut Vec<u8>) {
        if !self.filled.swap(false, Ordering::Acquire) {
            return;
        }
        for Subscription { id, due, .. } in self.lock().iter_mut() {
            let Topics { tools, prompts, resources, uris, tasks } = std::mem::take(due);
            let lists = [(tools, "tools"), (prompts, "prompts"), (resources, "resources")];
            for (_, list) in lists.into_iter().filter(|(due, _)| *due) {
                notice(&format!("notifications/{list}/list_changed"), (id.as_ref(), None), out);
            }
            for uri in uris {
                notice("notifications/resources/updated", (id.as_ref(), Some(&uri)), out);
            }
            for (known, id) in tasks.values().filter_map(|known| Some((known, id.as_ref()?))) {
                out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/tasks","params":{"#);
                write_meta(id, out);
                out.push(b',');
                out.extend_from_slice(known.as_bytes());
                out.extend_from_slice(b"}}\n");
            }
        }
    }

    /// Opens a stream, and appends that it is open: the first message that it carries.
    pub(crate) fn listen(&self, id: RequestId, wanted: Topics, out: &mut Vec<u8>) -> Result<(), TooMany> {
        let mut subscriptions = self.lock();
        if subscriptions.len() >= MAX_STREAMS || !Size::of(&subscriptions).plus(Size::new(Some(&id), &wanted)).fits() {
            return Err(TooMany);
        }
        out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"#);
        write_meta(&id, out);
        out.extend_from_slice(br#","notifications":"#);
        wanted.write(out);
        out.extend_from_slice(b"}}");
        subscriptions.push(Subscription { id: Some(id), wanted, due: Topics::default() });
        Ok(())
    }

    /// Whether a stream of this id is open.
    pub(crate) fn is_listening(&self, id: &RequestId) -> bool {
        self.lock().iter().any(|subscription| subscription.id.as_ref() == Some(id))
    }

    /// Closes a stream without a word: its client gave it up.
    pub(crate) fn close(&self, id: &RequestId) -> bool {
        let mut subscriptions = self.lock();
        let before = subscriptions.len();
        subscriptions.retain(|subscription| subscription.id.as_ref() != Some(id));
        subscriptions.len() < before
    }

    /// Closes all streams: the ids of those that were open.
    pub(crate) fn close_all(&self) -> Vec<RequestId> {
        self.lock().drain(..).filter_map(|subscription| subscription.id).collect()
    }

    /// The session hears of these lists from now on.
    pub(crate) fn open_session(&self, lists: &Topics) {
        let mut subscriptions = self.lock();
        let session = session(&mut subscriptions);
        let Topics { tools, prompts, resources, .. } = *lists;
        let uris = std::mem::take(&mut session.wanted.uris);
        session.wanted = Topics { tools, prompts, resources, uris, ..Topics::default() };
    }

    /// The session hears of this resource from now on.
    pub(crate) fn subscribe(&self, uri: &str) -> Result<(), TooMany> {
        let mut subscriptions = self.lock();
        if !Size::of(&subscriptions).plus(Size { topics: 1, bytes: uri.len() }).fits() {
            return Err(TooMany);
        }
        session(&mut subscriptions).wanted.uris.insert(uri.to_owned());
        Ok(())
    }

    /// The session hears of this resource no more.
    pub(crate) fn unsubscribe(&self, uri: &str) {
        let mut subscriptions = self.lock();
        let session = session(&mut subscriptions);
        session.wanted.uris.remove(uri);
        session.due.uris.remove(uri);
    }

    /// The resources that the session hears of.
    #[cfg(feature = "http")]
    pub(crate) fn subscribed(&self) -> Vec<String> {
        let subscriptions = self.lock();
        let session = subscriptions.first().filter(|first| first.id.is_none());
        session.map_or_else(Vec::new, |session| session.wanted.uris.iter().cloned().collect())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Subscription>> {
        lock(&self.subscriptions)
    }
}

/// The session's subscription; it is the first one, once there is one.
fn session(subscriptions: &mut Vec<Subscription>) -> &mut Subscription {
    if subscriptions.first().is_none_or(|first| first.id.is_some()) {
        let (wanted, due) = (Topics::default(), Topics::default());
        subscriptions.insert(0, Subscription { id: None, wanted, due });
    }
    &mut subscriptions[0]
}

/// How much is subscribed to.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    topics: usize,
    bytes: usize,
}

impl Size {
    fn of(subscriptions: &[Subscription]) -> Self {
        let sizes = subscriptions.iter().map(|subscription| Self::new(subscription.id.as_ref(), &subscription.wanted));
        sizes.fold(Self::default(), Self::plus)
    }

    fn new(id: Option<&RequestId>, Topics { uris, tasks, .. }: &Topics) -> Self {
        let names = uris.iter().chain(tasks.keys()).map(String::len);
        let id = id.and_then(RequestId::as_str).map_or(0, str::len);
        Self { topics: uris.len() + tasks.len(), bytes: names.sum::<usize>() + id }
    }

    fn plus(self, other: Self) -> Self {
        Self { topics: self.topics + other.topics, bytes: self.bytes + other.bytes }
    }

    fn fits(self) -> bool {
        self.topics <= MAX_TOPICS && self.bytes <= MAX_BYTES
    }
}

/// Appends a notification of a subscription, and its line end.
fn notice(method: &str, (id, uri): (Option<&RequestId>, Option<&str>), out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":""#);
    out.extend_from_slice(method.as_bytes());
    out.push(b'"');
    if id.is_some() || uri.is_some() {
        out.extend_from_slice(br#","params":{"#);
        if let Some(id) = id {
            write_meta(id, out);
        }
        if let Some(uri) = uri {
            out.extend_from_slice(if id.is_some() { br#","uri":"# } else { br#""uri":"#.as_slice() });
            Writer::new(out).string(uri);
        }
        out.push(b'}');
    }
    out.extend_from_slice(b"}\n");
}

/// Appends that the stream is cancelled, and a line end.
pub(crate) fn write_cancelled(id: &RequestId, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"#);
    write_meta(id, out);
    out.extend_from_slice(br#","requestId":"#);
    id.write(out);
    out.extend_from_slice(b"}}\n");
}

/// Appends the `_meta` that every message of a stream has.
fn write_meta(id: &RequestId, out: &mut Vec<u8>) {
    out.extend_from_slice(br#""_meta":{"io.modelcontextprotocol/subscriptionId":"#);
    id.write(out);
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(inbox: &Inbox) -> String {
        let mut out = Vec::new();
        inbox.drain_into(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_not_read_yet_is_told_once() {
        let inbox = Inbox::default();
        assert!(!inbox.post(Change::Tools), "nobody asked");
        inbox.open_session(&Topics { tools: true, ..Topics::default() });
        inbox.subscribe("a://b").unwrap();
        for _ in 0..1000 {
            assert!(inbox.post(Change::Tools) && inbox.post(Change::Updated("a://b")));
        }
        assert!(!inbox.post(Change::Updated("a://c")) && !inbox.post(Change::Prompts));
        let expected = concat!(
            r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
            "\n",
            r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a://b"}}"#,
            "\n",
        );
        assert_eq!((drained(&inbox).as_str(), drained(&inbox).as_str()), (expected, ""));
    }

    #[test]
    fn a_client_cannot_subscribe_without_end() {
        let inbox = Inbox::default();
        for number in 0..MAX_TOPICS {
            inbox.subscribe(&format!("a://{number}")).unwrap();
        }
        assert_eq!(inbox.subscribe("a://b"), Err(TooMany));
        let streams = (0..).take_while(|id| inbox.listen((*id).into(), Topics::default(), &mut Vec::new()).is_ok());
        assert_eq!(streams.count(), MAX_STREAMS - 1);
    }

    #[test]
    fn a_client_cannot_make_us_keep_long_names() {
        let inbox = Inbox::default();
        inbox.subscribe("a://b").unwrap();
        let long = "x".repeat(MAX_BYTES);
        assert_eq!(inbox.subscribe(&long), Err(TooMany));
        let id = RequestId::parse(&format!("\"{long}\"")).unwrap();
        assert_eq!(inbox.listen(id, Topics::default(), &mut Vec::new()), Err(TooMany));
        inbox.subscribe(&long[5..]).unwrap();
        assert_eq!(inbox.subscribe("c"), Err(TooMany));
    }
}

//! Clients that vanish, stay half open or never read, and signals in the middle of it: nothing lives on, nobody else notices.

use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;
use support::web::{Request, Site};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::service::{World, call, server, stateless, text, until};
use crate::site;

fn echo(id: u64) -> Request {
    Request::stateless(&stateless(call(id, "echo", json!({ "text": "hi" }))))
}

/// Others are served as if nothing had been.
async fn is_well(site: &Site) {
    assert_eq!(text(&site.send(&echo(1)).await.message().await), "hi");
}

#[tokio::test]
async fn a_client_that_vanishes_in_the_middle_of_a_body_starts_nothing() {
    let (site, world) = site().await;
    let nap = Request::stateless(&stateless(call(1, "nap", json!({ "millis": 0 })))).to_bytes();
    for length in [10, nap.len() / 2, nap.len() - 1] {
        for _ in 0..20 {
            let mut stream = TcpStream::connect(site.address()).await.unwrap();
            stream.write_all(&nap[..length]).await.unwrap();
            drop(stream);
        }
    }
    is_well(&site).await;
    assert_eq!(world.ended.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn clients_that_vanish_in_the_middle_of_calls_and_streams_leave_nothing_running() {
    let (site, world) = site().await;
    let nap = Request::stateless(&stateless(call(1, "nap", json!({ "millis": 60_000 }))));
    let hold = Request::stateless(&stateless(call(1, "babble", json!({}))));
    for round in 0..40 {
        let mut stream = TcpStream::connect(site.address()).await.unwrap();
        stream.write_all(&if round % 2 == 0 { &nap } else { &hold }.to_bytes()).await.unwrap();
        if round % 3 == 0 {
            // with data that was never read, the connection is reset instead of closed
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(stream);
    }
    is_well(&site).await;
    // whoever was dropped before the request was read never began
    for _ in 0..400 {
        tokio::time::sleep(Duration::from_millis(5)).await;
        if Arc::strong_count(&world.dropped) <= 3 {
            break;
        }
    }
    assert!(Arc::strong_count(&world.dropped) <= 3, "no handler lives on: {}", Arc::strong_count(&world.dropped));
}

/// A socket whose other side is gone without a word, or says nothing: it goes when its time is over, at every stage.
#[tokio::test]
async fn half_open_sockets_are_closed_when_their_time_is_over() {
    let world = World::default();
    let short = Duration::from_millis(80);
    let http = server(&world).head_timeout(short).body_timeout(short).write_timeout(short).max_connections(8);
    let site = Site::start(http).await;
    let whole = echo(1).to_bytes();
    // before the first byte, in the headers, in the body, and after an answer
    for sent in [&whole[..0], &whole[..20], &whole[..whole.len() - 1], &whole[..]] {
        let mut silent = Vec::new();
        for _ in 0..8 {
            let mut stream = TcpStream::connect(site.address()).await.unwrap();
            stream.write_all(sent).await.unwrap();
            silent.push(stream);
        }
        // they took all the places that there are
        is_well(&site).await;
        drop(silent);
    }
}

/// A client that says that it sends nothing more counts as gone, as HTTP/1.1 allows: its call is dropped.
#[tokio::test]
async fn a_client_that_closes_its_side_gives_its_call_up() {
    let (site, world) = site().await;
    let mut stream = TcpStream::connect(site.address()).await.unwrap();
    let nap = Request::stateless(&stateless(call(1, "nap", json!({ "millis": 60_000 }))));
    stream.write_all(&nap.to_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(30)).await;
    stream.shutdown().await.unwrap();
    until(&world.dropped, 1).await;
    is_well(&site).await;
}

/// Calls and their cancellations race in a session: each is answered once or not at all, and its id is free again.
#[tokio::test]
async fn a_cancellation_and_an_answer_that_meet_leave_one_of_them() {
    let (site, world) = site().await;
    let session = site.session("2025-11-25", json!({})).await;
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    for round in 0..60 {
        let request = Request::session(&session, &call(1, "nap", json!({ "millis": round % 6 })));
        let mut reply = site.send(&request).await;
        assert_eq!(site.send(&Request::session(&session, &cancel)).await.status, 202);
        let heard = reply.messages().await;
        assert!(heard.len() <= 1 && heard.iter().all(|answer| text(answer).starts_with("slept")), "{heard:?}");
    }
    let (ended, dropped) = (&world.ended, &world.dropped);
    let all = || ended.load(Ordering::SeqCst) + dropped.load(Ordering::SeqCst);
    assert_eq!(all(), 60);
}

/// SIGTERM and SIGINT in the middle of load: what was taken is answered, and the process ends as one that is well.
#[cfg(unix)]
#[tokio::test]
async fn a_signal_in_the_middle_of_load_loses_no_answer() {
    for signal in ["-TERM", "-INT"] {
        let server = crate::nginx::Everything::start();
        let site = Arc::new(Site::elsewhere(server.address));
        let answered = Arc::new(AtomicUsize::new(0));
        let mut clients = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let (site, answered) = (Arc::clone(&site), Arc::clone(&answered));
            clients.spawn(async move {
                let quick = stateless(call(1, "test_simple_text", json!({})));
                // a connection that is refused, or closed before a byte of an answer, was not taken
                while let Ok(mut stream) = TcpStream::connect(site.address()).await {
                    if stream
                        .write_all(&Request::stateless(&quick).with("Connection", "close").to_bytes())
                        .await
                        .is_err()
                    {
                        return;
                    }
                    let mut answer = Vec::new();
                    let read = tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut answer).await;
                    let answer = String::from_utf8_lossy(&answer);
                    if answer.is_empty() {
                        return;
                    }
                    let is_whole = answer.contains("simple text") && answer.ends_with("}}");
                    assert!(read.is_ok() && (is_whole || answer.starts_with("HTTP/1.1 503")), "{answer}");
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        while answered.load(Ordering::SeqCst) < 100 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        assert_eq!(server.end(signal).await, Some(0), "{signal}");
        while let Some(client) = clients.join_next().await {
            client.expect("a client that lost nothing");
        }
    }
}

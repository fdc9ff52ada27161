//! The same behind hyper, which is what our transport stands on, too.

use std::io;
use std::sync::Arc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::answer::Floor;

/// How an answer looks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answers {
    /// As the body.
    Json,
    /// As an event after one of progress, both in one body.
    Events,
}

/// What goes before an answer where answers are events.
const PROGRESS: &[u8] =
    br#"data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"load","progress":1}}

data: "#;

/// Answers whatever is posted, in one thread.
pub(crate) fn serve(floor: Floor, port: u16, answers: Answers) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let floor = Arc::new(floor);
    // spawned, so that the loop runs where its connections do
    let accepting = runtime.spawn(async move {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let floor = Arc::clone(&floor);
            let service = service_fn(move |request| answer(Arc::clone(&floor), answers, request));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    runtime.block_on(accepting).map_err(io::Error::other)?
}

async fn answer(
    floor: Arc<Floor>,
    answers: Answers,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let body = request.into_body().collect().await?.to_bytes();
    let mut out = Vec::new();
    let media_type = match answers {
        Answers::Json => {
            floor.answer(&body, &mut out);
            "application/json"
        }
        Answers::Events => {
            out.extend_from_slice(PROGRESS);
            floor.answer(&body, &mut out);
            out.extend_from_slice(b"\n\n");
            "text/event-stream"
        }
    };
    let mut response = Response::new(Full::new(Bytes::from(out)));
    response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static(media_type));
    Ok(response)
}

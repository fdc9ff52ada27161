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

/// Answers whatever is posted, in one thread.
pub(crate) fn serve(floor: Floor, port: u16) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let floor = Arc::new(floor);
    // spawned, so that the loop runs where its connections do
    let accepting = runtime.spawn(async move {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let floor = Arc::clone(&floor);
            let service = service_fn(move |request| answer(Arc::clone(&floor), request));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    runtime.block_on(accepting).map_err(io::Error::other)?
}

async fn answer(floor: Arc<Floor>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let body = request.into_body().collect().await?.to_bytes();
    let mut out = Vec::new();
    floor.answer(&body, &mut out);
    let mut response = Response::new(Full::new(Bytes::from(out)));
    response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static("application/json"));
    Ok(response)
}

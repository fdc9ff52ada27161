//! The server as a part of another one.

use std::convert::Infallible;
use std::fmt;
use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use hyper::body::Body as HttpBody;

use crate::transport::http::{Body, Endpoint, Memory};

/// A server as a `tower::Service`: mount it in axum beside your own routes, put your own layers before it. Clones are the
/// same server. See [`Http::service`](crate::http::Http::service).
///
/// A layer that authenticates puts a [`Principal`](crate::Principal) into the request's extensions.
#[derive(Clone)]
pub struct HttpService {
    endpoint: Arc<Endpoint>,
    memory: Arc<Memory>,
}

impl HttpService {
    pub(super) fn new(endpoint: Arc<Endpoint>) -> Self {
        Self { endpoint, memory: Arc::default() }
    }

    /// Stops serving: new requests are refused, streams end, and what is under way has
    /// [`Server::drain`](crate::Server::drain) to end. Await it in the signal of the outer server's graceful shutdown,
    /// or that one waits for streams that have no end.
    pub async fn shut_down(&self) {
        self.endpoint.shut_down(ready(())).await;
    }
}

impl<B> tower_service::Service<Request<B>> for HttpService
where
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let Self { endpoint, memory } = self.clone();
        let (mut head, body) = request.into_parts();
        Box::pin(async move {
            endpoint.sweep().await;
            Ok(endpoint.respond(&memory, &mut head, body).await)
        })
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

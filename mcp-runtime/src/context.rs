//! What a handler knows about the request that it answers.

/// One request: who asks, under which id, and the way to talk back.
#[derive(Debug)]
pub struct Context {}

//! The handler behind the contract of these tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::{
    Content, Context, LogLevel, PromptMessages, RequestError, ResourceContents, ToolError, ToolResponse,
};
use serde_json::Value;

use crate::api::{
    Act, Contents, Echo, Greet, Grind, Leave, Names, Path, Room, Rooms, Safe, Talk, act, contents, echo, greet, grind,
    names, path, room, safe, talk,
};

/// What is secret about the house.
pub(crate) const SECRET: &str = "/etc/house/keys";

/// Counts what handlers have begun and ended.
#[derive(Clone, Default)]
pub(crate) struct House {
    pub(crate) begun: Arc<AtomicUsize>,
    pub(crate) ended: Arc<AtomicUsize>,
}

impl Echo for House {
    async fn call(&self, args: echo::Args, ctx: &Context) -> Result<echo::Output, ToolError> {
        ctx.meta("example.com/traced", ctx.request_meta().get::<Value>("traceparent")?.unwrap_or_default());
        let weight = args.text.parse().ok();
        Ok(echo::Output { text: args.text, weight })
    }
}

impl Contents for House {
    async fn call(&self, _: contents::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        let text = Content::text("a").priority(0.5).meta("example.com/a", 1);
        let image = Content::image(b"\x89PNG", "image/png");
        let link = Content::resource_link("house://plan", "plan").mime_type("text/plain");
        let blob = Content::embedded_blob("house://pixel", b"\x89PNG").mime_type("image/png");
        let all = ToolResponse::empty().with(text).with(image).with(Content::audio(b"RIFF", "audio/wav")).with(link);
        Ok(all.with(Content::embedded_text("house://plan", "Two floors.")).with(blob))
    }
}

impl Names for House {
    async fn call(&self, _: names::Args, _: &Context) -> Result<names::Output, ToolError> {
        Ok(vec!["hall".to_owned(), "attic".to_owned()])
    }
}

impl Talk for House {
    async fn call(&self, _: talk::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        for step in [1.0, 1.0, 2.5, 2.0, 3.0] {
            ctx.progress(step).total(3.0).message("talking").send();
        }
        for level in [LogLevel::Debug, LogLevel::Info, LogLevel::Warning, LogLevel::Emergency] {
            ctx.log(level, level.as_str());
        }
        Ok("said".into())
    }
}

impl Act for House {
    async fn call(&self, args: act::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        match args.how {
            act::How::Fail => return Err(ToolError::invalid_params("the door is locked")),
            act::How::Break => return Err(std::io::Error::other(SECRET).into()),
            act::How::Panic => panic!("{SECRET}"),
            act::How::Wait => tokio::time::sleep(Duration::from_millis(300)).await,
            act::How::Watch => {
                ctx.cancelled().await;
                self.ended.fetch_add(1, Ordering::SeqCst);
                return Ok("nobody hears this".into());
            }
            act::How::PanicLate => {
                tokio::time::sleep(Duration::from_millis(5)).await;
                panic!("{SECRET}");
            }
            act::How::Tell => return Err(ToolError::internal(format!("{args:?}"))),
        }
        self.ended.fetch_add(1, Ordering::SeqCst);
        Ok("done".into())
    }
}

impl Grind for House {
    fn call(&self, _: grind::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        panic!("{SECRET}")
    }
}

impl Rooms for House {
    async fn read(&self, _: &Context) -> Result<ResourceContents, RequestError> {
        let hall = ResourceContents::text("hall").uri("house://0/hall");
        Ok(hall.with(ResourceContents::blob(b"\0").uri("house://0/dark").mime_type("image/raw")))
    }
}

impl Room for House {
    async fn read(&self, vars: room::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        match vars.room.as_str() {
            "none" => Err(RequestError::not_found("there is no such room")),
            "broken" => Err(std::io::Error::other(SECRET).into()),
            "cursed" => panic!("{SECRET}"),
            room => Ok(format!("{room} on floor {}", vars.floor).into()),
        }
    }
}

impl Safe for House {
    async fn read(&self, vars: safe::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        match vars.how.as_str() {
            "open" => Ok(ResourceContents::text("diamonds")),
            "jam" => Err(RequestError::internal("the door is jammed")),
            "alarm" => panic!("the alarm"),
            _ => std::future::pending().await,
        }
    }
}

impl Path for House {
    async fn read(&self, vars: path::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok(format!("{} {:?} {:?} {}", vars.path, vars.depth, vars.tag, vars.uri()).into())
    }
}

impl Greet for House {
    async fn render(&self, args: greet::Args, _: &Context) -> Result<PromptMessages, RequestError> {
        let how = args.how.unwrap_or_default();
        Ok(PromptMessages::user(format!("Greet {}{how}.", args.who)).description("A greeting"))
    }
}

impl Leave for House {
    async fn render(&self, _: crate::api::leave::Args, _: &Context) -> Result<PromptMessages, RequestError> {
        panic!("{SECRET}")
    }
}

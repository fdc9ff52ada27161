//! The handler behind the contract: it tells what it got.

use mcp_runtime::{Context, RequestError, ResourceContents, ToolError, ToolResponse};

use crate::api::{
    Add, AddStrictly, Annotate, Count, Dump, FindOrder, Impact, Log, Login, Measure, Names, Paint, Pay, add,
    add_strictly, annotate, count, dump, find_order, impact, login, measure, names, paint, pay,
};

pub(crate) struct Echo;

impl Add for Echo {
    async fn call(&self, args: add::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("{args:?}").into())
    }
}

impl AddStrictly for Echo {
    async fn call(&self, args: add_strictly::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("{args:?}").into())
    }
}

impl Impact for Echo {
    async fn call(&self, args: impact::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("{args:?}").into())
    }
}

impl Annotate for Echo {
    async fn call(&self, args: annotate::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("{args:?}").into())
    }
}

impl FindOrder for Echo {
    async fn call(&self, args: find_order::Args, _: &Context) -> Result<find_order::Output, ToolError> {
        Ok(find_order::Output { id: args.id })
    }
}

impl Paint for Echo {
    async fn call(&self, args: paint::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("{args:?}").into())
    }
}

impl Pay for Echo {
    async fn call(&self, args: pay::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("{args:?}").into())
    }
}

impl Dump for Echo {
    async fn call(&self, args: dump::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("x".repeat(usize::try_from(args.times).unwrap_or_default()).into())
    }
}

impl Log for Echo {
    async fn read(&self, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok(ResourceContents::text("x".repeat(2_000)))
    }
}

impl Login for Echo {
    async fn call(&self, args: login::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("{args:?}").into())
    }
}

impl Measure for Echo {
    async fn call(&self, args: measure::Args, _: &Context) -> Result<measure::Output, ToolError> {
        Ok(measure::Output { value: args.value, unit: args.unit, rest: args.rest })
    }
}

impl Names for Echo {
    async fn call(&self, args: names::Args, _: &Context) -> Result<names::Output, ToolError> {
        match args.fail {
            Some(true) => Err(ToolError::internal("no names today")),
            Some(false) => Ok(vec![String::new()]),
            None => Ok(vec!["Ada".to_owned()]),
        }
    }
}

impl Count for Echo {
    async fn call(&self, _: count::Args, _: &Context) -> Result<count::Output, ToolError> {
        Ok(3)
    }
}

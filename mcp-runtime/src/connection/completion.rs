//! `completion/complete`: which value of which prompt or template is to be completed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::connection::launch::Launch;
use crate::connection::refusal::{Outcome, refuse};
use crate::connection::{Connection, Load, Request};
use crate::json::{self, Fault, Reader};
use crate::jsonrpc::{ErrorCode, Param, Params};
use crate::response::Partial;
use crate::service::{Completing, Reference};

impl Connection {
    pub(super) fn complete(&mut self, request: Request<'_>, load: &impl Load) -> Outcome {
        let (key, completing) = match read(request.params) {
            Ok(read) => read,
            Err(why) => return refuse(&request, ErrorCode::InvalidParams, why),
        };
        let launch = Launch { request, key, method: "completion/complete" };
        self.launch(launch, |engine, call| engine.complete(call, completing), load)
    }
}

/// The prompt's name or the URI template, and what is to be completed of it.
fn read<'a>(params: &Params<'a>) -> Result<(Cow<'a, str>, Completing), &'static str> {
    let reference = params.get(Param::Reference).and_then(|text| reference(text).ok().flatten());
    let (reference, key) = reference.ok_or("`params.ref` must name a prompt or a resource template")?;
    let argument = params.get(Param::Argument).and_then(|text| argument(text).ok().flatten());
    let (argument, value) = argument.ok_or("`params.argument` must have a `name` and a `value`, both strings")?;
    let arguments = params.get(Param::Context).map_or_else(|| Ok(BTreeMap::new()), context);
    let arguments = arguments.map_err(|_| "`params.context.arguments` must be an object of strings")?;
    Ok((key, Completing { reference, argument, partial: Partial { value, arguments } }))
}

/// `{"type": "ref/prompt", "name": "…"}` or `{"type": "ref/resource", "uri": "…"}`
fn reference(text: &str) -> Result<Option<(Reference, Cow<'_, str>)>, Fault> {
    let (mut kind, mut name, mut uri) = (None, None, None);
    Reader::new(text).object(&["type", "name", "uri"], &mut |key, reader| {
        match key {
            0 => kind = Some(reader.string()?),
            1 => name = Some(reader.string()?),
            2 => uri = Some(reader.string()?),
            _ => reader.skip_value()?,
        }
        Ok(())
    })?;
    Ok(match kind.as_deref() {
        Some("ref/prompt") => name.map(|name| (Reference::Prompt, name)),
        Some("ref/resource") => uri.map(|uri| (Reference::Template, uri)),
        _ => None,
    })
}

fn argument(text: &str) -> Result<Option<(String, String)>, Fault> {
    let (mut name, mut value) = (None, None);
    Reader::new(text).object(&["name", "value"], &mut |key, reader| {
        match key {
            0 => name = Some(reader.string()?.into_owned()),
            1 => value = Some(reader.string()?.into_owned()),
            _ => reader.skip_value()?,
        }
        Ok(())
    })?;
    Ok(name.zip(value))
}

fn context(text: &str) -> Result<BTreeMap<String, String>, Fault> {
    let mut arguments = BTreeMap::new();
    Reader::new(text).object(&["arguments"], &mut |key, reader| {
        match key {
            0 => arguments = json::decode(reader.raw_value()?)?,
            _ => reader.skip_value()?,
        }
        Ok(())
    })?;
    Ok(arguments)
}

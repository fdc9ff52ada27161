//! `call`: one call of a tool, for people to see and for scripts to read.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Read as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use mcp_codegen::client::ToolResult;
use mcp_codegen::import::readable;
use serde_json::{Map, Value};

use super::{CallArgs, CallFormat, Outcome, console};

/// What may be read from standard input.
const MAX_INPUT: u64 = 16 << 20;

pub(super) fn run(args: &CallArgs) -> Result<Outcome, Box<dyn Error>> {
    let given = Given::read(&args.arguments)?;
    let mut client = args.server.connect_to_call()?;
    let definition = client.tool(&args.tool)?;
    let result = client.call(&args.tool, &definition, &given.json(&definition)?)?;
    match args.format {
        CallFormat::Human => console::data(&shown(&result))?,
        CallFormat::Json => console::data(&format!("{}\n", result.json))?,
    }
    if result.is_error {
        console::talk("the tool says that it failed")?;
        return Ok(Outcome::Findings);
    }
    Ok(Outcome::Fine)
}

/// Arguments as they were typed.
enum Given<'a> {
    Json(String),
    Pairs(Vec<(&'a str, &'a str)>),
}

impl<'a> Given<'a> {
    fn read(words: &'a [String]) -> Result<Self, Box<dyn Error>> {
        let text = match words {
            [] => "{}".to_owned(),
            [dash] if dash == "-" => from_stdin()?,
            [text] if text.trim_start().starts_with('{') => text.clone(),
            pairs => {
                let pair = |word: &'a String| {
                    word.split_once('=').ok_or_else(|| format!("`{word}` is neither a JSON object nor `NAME=VALUE`"))
                };
                return Ok(Self::Pairs(pairs.iter().map(pair).collect::<Result<_, _>>()?));
            }
        };
        let object: Result<Map<String, Value>, _> = serde_json::from_str(&text);
        match object {
            Ok(_) => Ok(Self::Json(text)),
            Err(error) => Err(format!("the arguments are no JSON object: {error}").into()),
        }
    }

    /// The text of a JSON object. The schema says which values of pairs are text.
    fn json(self, definition: &str) -> Result<String, Box<dyn Error>> {
        let pairs = match self {
            Self::Json(text) => return Ok(text),
            Self::Pairs(pairs) => pairs,
        };
        let definition: Value = serde_json::from_str(definition)?;
        let mut object = Map::new();
        for (name, text) in pairs {
            let is_text = definition["inputSchema"]["properties"][name]["type"] == "string";
            let value = if is_text { None } else { serde_json::from_str(text).ok() };
            if object.insert(name.to_owned(), value.unwrap_or_else(|| text.into())).is_some() {
                return Err(format!("the argument `{name}` is given twice").into());
            }
        }
        Ok(Value::Object(object).to_string())
    }
}

fn from_stdin() -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let read = io::stdin().lock().take(MAX_INPUT + 1).read_to_string(&mut text)?;
    if read as u64 > MAX_INPUT {
        return Err(format!("standard input has more than {} MiB", MAX_INPUT >> 20).into());
    }
    Ok(text)
}

/// The answer for a person. On a terminal nothing of it can steer the terminal.
fn shown(result: &ToolResult) -> String {
    let structured = result.structured_content.as_ref();
    let value: Option<Value> = structured.and_then(|json| serde_json::from_str(json.get()).ok());
    // Servers send structured data as text, too, for clients that know no better.
    let says_the_same = |block: &&Value| {
        let text = block["text"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        value.is_some() && text == value
    };
    let mut out = String::new();
    for block in result.content.iter().filter(|block| !says_the_same(block)) {
        writeln!(out, "{}", self::block(block)).unwrap_or_default();
    }
    if let Some(json) = structured {
        writeln!(out, "{}", readable(json.get())).unwrap_or_default();
    }
    if io::stdout().is_terminal() {
        out.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "\u{fffd}")
    } else {
        out
    }
}

fn block(block: &Value) -> String {
    let text = |key: &str| block[key].as_str().unwrap_or_default();
    match text("type") {
        "text" => text("text").trim_end_matches('\n').to_owned(),
        kind @ ("image" | "audio") => format!("[{kind}: {}, {}]", text("mimeType"), size(text("data"))),
        "resource_link" => format!("[link: {} {}]", text("uri"), text("name")),
        "resource" => resource(&block["resource"]),
        _ => readable(&block.to_string()),
    }
}

fn resource(resource: &Value) -> String {
    let text = |key: &str| resource[key].as_str();
    let uri = text("uri").unwrap_or_default();
    let kind = text("mimeType").map(|kind| format!(", {kind}")).unwrap_or_default();
    match (text("text"), text("blob")) {
        (Some(content), _) => format!("[resource: {uri}{kind}]\n{}", content.trim_end_matches('\n')),
        (None, blob) => format!("[resource: {uri}{kind}, {}]", size(blob.unwrap_or_default())),
    }
}

fn size(base64: &str) -> String {
    BASE64.decode(base64).map_or_else(|_| "which is no Base64".to_owned(), |bytes| console::count(bytes.len(), "byte"))
}

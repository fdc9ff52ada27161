//! A service as a contract with `asks` would generate it, and the handlers of its features.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::codegen::{
    ArrayRules, Call, Catalog, Decode, Fault, Prompt, Reader, Resource, ServerInfo, Service, Settings, Start, Tool,
    required,
};
use mcp_runtime::{
    Ask, AskError, AskUrl, Context, PromptMessages, Reply, RequestError, ResourceContents, SamplingRequest,
    SamplingTool, ToolChoice, ToolError, ToolResponse, ToolResult,
};

/// `[asks.confirm]`.
pub(crate) struct Confirm {
    pub(crate) sure: bool,
}

impl Decode for Confirm {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut sure = None;
        r.object(&["sure"], &mut |key, r| {
            match key {
                0 => sure = Some(r.boolean()?),
                _ => return r.refuse_key(),
            }
            Ok(())
        })?;
        Ok(Self { sure: required(sure)? })
    }
}

impl Ask for Confirm {
    const MESSAGE: &'static str = "Are you sure?";
    const SCHEMA: &'static str =
        r#"{"type":"object","properties":{"sure":{"type":"boolean","title":"Sure"}},"required":["sure"]}"#;
}

/// `[asks.toppings]`: a choice of several.
pub(crate) struct Toppings {
    pub(crate) chosen: Vec<String>,
}

impl Decode for Toppings {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut chosen = Vec::new();
        r.object(&["chosen"], &mut |_, r| {
            r.array(&ArrayRules::ANY, &mut |r| {
                chosen.push(String::decode(r)?);
                Ok(())
            })
        })?;
        Ok(Self { chosen })
    }
}

impl Ask for Toppings {
    const MESSAGE: &'static str = "Which toppings?";
    const SCHEMA: &'static str = r#"{"type":"object","properties":{"chosen":{"type":"array","items":{"type":"string","enum":["olives","onions"]}}}}"#;
}

/// `[asks.sign_in] url = true`.
pub(crate) struct SignIn;

impl AskUrl for SignIn {
    const MESSAGE: &'static str = "Sign in, please";
}

/// What happens outside of the calls.
#[derive(Debug, Default)]
pub(crate) struct World {
    /// What `once` guards.
    pub(crate) charges: AtomicUsize,
    /// What a question names.
    pub(crate) files: AtomicUsize,
    /// How often a handler began.
    pub(crate) runs: AtomicUsize,
    /// Handlers that were dropped before they ended.
    pub(crate) dropped: AtomicUsize,
}

/// The service.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shop {
    pub(crate) world: Arc<World>,
}

/// What a handler's own error may look like.
#[derive(Debug)]
struct Wrapped(AskError);

impl fmt::Display for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no way to know")
    }
}

impl Error for Wrapped {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

struct Nothing;

impl Decode for Nothing {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        r.skip_value()?;
        Ok(Self)
    }
}

#[expect(clippy::cognitive_complexity, clippy::too_many_lines, reason = "one arm for each tool, all of them short")]
async fn run(world: &World, tool: &str, ctx: &Context) -> Result<ToolResponse, ToolError> {
    world.runs.fetch_add(1, Ordering::Relaxed);
    match tool {
        "confirm" => Ok(said(ctx.ask::<Confirm>().await?)),
        "both" => {
            let (first, second) = tokio::join!(ctx.ask::<Confirm>(), ctx.ask::<Confirm>().message("Really?"));
            Ok(format!("{:?} {:?}", sure(first?), sure(second?)).into())
        }
        "one_of_two" => {
            tokio::select! {
                biased;
                reply = ctx.ask::<Confirm>() => Ok(said(reply?)),
                () = std::future::ready(()) => Ok("did not wait".into()),
            }
        }
        "delete" => {
            let files = world.files.load(Ordering::Relaxed);
            Ok(said(ctx.ask::<Confirm>().message(format!("Delete {files} files?")).await?))
        }
        "swallow" => {
            let sure = ctx.ask::<Confirm>().await.ok().and_then(Reply::accepted).is_some_and(|confirm| confirm.sure);
            Ok(format!("sure: {sure}").into())
        }
        "wrap" => {
            let reply = ctx.ask::<Confirm>().await.map_err(Wrapped)?;
            Ok(said(reply))
        }
        "charge" => {
            let charge = ctx
                .once("charge", || async {
                    tokio::task::yield_now().await;
                    Ok(world.charges.fetch_add(1, Ordering::Relaxed) + 1)
                })
                .await?;
            let reply = ctx.ask::<Confirm>().await?;
            Ok(format!("charge {charge}, {:?}", sure(reply)).into())
        }
        "charge_beside" => {
            let charge = ctx.once("charge", || async {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok(world.charges.fetch_add(1, Ordering::Relaxed) + 1)
            });
            let (reply, charge) = tokio::join!(ctx.ask::<Confirm>(), charge);
            Ok(format!("charge {}, {:?}", charge?, sure(reply?)).into())
        }
        "long" => {
            let long: String = ctx.once("long", || async { Ok("x".repeat(70_000)) }).await?;
            let reply = ctx.ask::<Confirm>().await?;
            Ok(format!("{} {:?}", long.len(), sure(reply)).into())
        }
        "toppings" => match ctx.ask::<Toppings>().await {
            Ok(reply) => Ok(format!("{:?}", reply.accepted().map(|toppings| toppings.chosen)).into()),
            Err(error) if error.is_unsupported() => Ok("all of them".into()),
            Err(error) => Err(error.into()),
        },
        "sign_in" => Ok(format!("{:?}", ctx.ask_url::<SignIn>("https://example.com/in").await?).into()),
        "sample" => {
            let sampled = ctx.sample(SamplingRequest::new(100).system("Be brief.").user("Who?")).await?;
            Ok(format!("{}: {}", sampled.model, sampled.text()).into())
        }
        "agent" => {
            let schema = serde_json::json!({ "type": "object", "properties": { "city": { "type": "string" } } });
            let tool = SamplingTool::new("weather", schema).description("Tells the weather");
            let request = SamplingRequest::new(100).user("Rain?").tool(tool).tool_choice(ToolChoice::Required);
            let said = ctx.sample(request.clone()).await?;
            let results =
                said.tool_uses().map(|call| ToolResult::new(&call.id, format!("dry in {}", call.input["city"])));
            let said = ctx.sample(request.tool_choice(ToolChoice::None).said(&said).results(results)).await?;
            Ok(said.text().into())
        }
        "connect" => {
            let question = ctx.ask_url::<SignIn>("https://example.com/in");
            let page = question.page();
            let reply = question.await?;
            page.completed();
            Ok(format!("{reply:?}").into())
        }
        "locked" if world.files.load(Ordering::Relaxed) > 0 => Ok("open".into()),
        "locked" => Err(ctx.ask_url::<SignIn>("https://example.com/in").required().await),
        "roots" => {
            let roots = ctx.roots().await?;
            Ok(roots.into_iter().map(|root| root.uri.into()).collect())
        }
        "slow" | "watched" => {
            struct Counted<'w>(&'w AtomicUsize);
            impl Drop for Counted<'_> {
                fn drop(&mut self) {
                    self.0.fetch_add(1, Ordering::Relaxed);
                }
            }
            let counted = Counted(&world.dropped);
            let reply = ctx.ask::<Confirm>().await?;
            std::mem::forget(counted);
            tokio::time::sleep(Duration::from_secs(u64::from(tool == "slow"))).await;
            Ok(said(reply))
        }
        _ => run_with_keys(world, tool, ctx).await,
    }
}

/// Questions with keys of their own.
async fn run_with_keys(world: &World, tool: &str, ctx: &Context) -> Result<ToolResponse, ToolError> {
    match tool {
        "delete_by_key" => {
            let files = world.files.load(Ordering::Relaxed);
            let first = ctx.ask::<Confirm>().key("sure").message(format!("Delete {files} files?")).await?;
            let again = ctx.ask::<Confirm>().key("certain").message("Really?").await?;
            Ok(format!("{:?} {:?}", sure(first), sure(again)).into())
        }
        "same_key" => {
            let first = ctx.ask::<Confirm>().key("sure").await?;
            let second = ctx.ask::<Confirm>().key("sure").await?;
            Ok(format!("{:?} {:?}", sure(first), sure(second)).into())
        }
        _ => Err(ToolError::tool_not_found(tool)),
    }
}

fn sure(reply: Reply<Confirm>) -> Reply<bool> {
    match reply {
        Reply::Accepted(confirm) => Reply::Accepted(confirm.sure),
        Reply::Declined => Reply::Declined,
        Reply::Cancelled => Reply::Cancelled,
    }
}

fn said(reply: Reply<Confirm>) -> ToolResponse {
    format!("{:?}", sure(reply)).into()
}

/// A handler that waits with an executor of its own.
fn run_blocking(ctx: &Context) -> Result<ToolResponse, ToolError> {
    Ok(said(tokio::runtime::Handle::current().block_on(ctx.ask::<Confirm>())?))
}

async fn read(ctx: &Context) -> Result<ResourceContents, RequestError> {
    let reply = ctx.ask::<Confirm>().await?;
    Ok(ResourceContents::text(format!("{:?}", sure(reply))))
}

async fn render(ctx: &Context) -> Result<PromptMessages, RequestError> {
    let draft: String = ctx.once("draft", || async { Ok("a draft".to_owned()) }).await?;
    let reply = ctx.ask::<Confirm>().await?;
    Ok(PromptMessages::user(format!("{draft}: {:?}", sure(reply))))
}

const fn tool(name: &'static str, timeout: Option<Duration>) -> Tool {
    let definition = r#"{"name":"any","inputSchema":{"type":"object"}}"#;
    Tool {
        name,
        definition,
        schema: None,
        output_schema: None,
        secrets: &[],
        patterns: &[],
        headers: &[],
        examples: "[]",
        settings: Settings { timeout, ..Settings::DEFAULT },
    }
}

/// It is over before a client of these tests has answered.
const SHORT: Option<Duration> = Some(Duration::from_millis(150));

static TOOLS: [Tool; 20] = [
    tool("confirm", None),
    tool("both", None),
    tool("one_of_two", None),
    tool("delete", None),
    tool("delete_by_key", None),
    tool("same_key", None),
    tool("swallow", None),
    tool("wrap", None),
    tool("charge", None),
    tool("charge_beside", None),
    tool("long", None),
    tool("toppings", None),
    tool("sign_in", None),
    tool("sample", None),
    tool("agent", None),
    tool("connect", None),
    tool("locked", None),
    tool("roots", None),
    tool("slow", SHORT),
    tool("watched", SHORT),
];
static BLOCKING: Tool = tool("blocking", None);
static RESOURCE: Resource = Resource {
    uri: "shop://stock",
    mime_type: None,
    definition: r#"{"uri":"shop://stock","name":"stock"}"#,
    updates: false,
    settings: Settings::DEFAULT,
};
static PROMPT: Prompt = Prompt {
    name: "offer",
    definition: r#"{"name":"offer"}"#,
    completions: &[],
    examples: "[]",
    settings: Settings::DEFAULT,
};
static CATALOG: Catalog = Catalog {
    server: ServerInfo {
        info: r#"{"name":"shop","version":"1.0.0"}"#,
        instructions: None,
        ttl_ms: 0,
        public: false,
        page_size: None,
        resource: None,
        authorization_servers: &[],
        contract_hash: "",
    },
    tools: &[&BLOCKING],
    resources: &[&RESOURCE],
    templates: &[],
    prompts: &[&PROMPT],
};

impl Service for Shop {
    fn catalogs(&self) -> Vec<&'static Catalog> {
        Vec::from([&CATALOG])
    }

    fn call_tool<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        if call.key() == BLOCKING.name {
            let run = |Nothing, ctx: &Context| run_blocking(ctx);
            return ControlFlow::Break(call.blocking_tool(&BLOCKING, run, Context::respond));
        }
        let world = Arc::clone(&self.world);
        let known = TOOLS.iter().find(|tool| tool.name == call.key());
        let Some(tool) = known else { return ControlFlow::Continue(call) };
        ControlFlow::Break(call.tool(tool, |Nothing, ctx| async move {
            let outcome = ctx.drive(run(&world, tool.name, &ctx)).await;
            ctx.respond(outcome)
        }))
    }

    fn read_resource<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        ControlFlow::Break(call.resource(&RESOURCE, |ctx| async move {
            let outcome = ctx.drive(read(&ctx)).await;
            ctx.contents(outcome)
        }))
    }

    fn read_template<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        ControlFlow::Continue(call)
    }

    fn render_prompt<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        ControlFlow::Break(call.prompt(&PROMPT, |Nothing, ctx| async move {
            let outcome = ctx.drive(render(&ctx)).await;
            ctx.messages(outcome)
        }))
    }
}

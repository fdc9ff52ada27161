//! Servers as users name them: a command, or a URL.

use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use mcp_codegen::client::{Client, Endpoint, Limits, Program, Purpose, Target};
use mcp_codegen::import::Offer;
use mcp_codegen::source::{Role, SourceFile, Sources};

use super::console::{self, View};

/// What every command takes that talks to a server.
#[derive(Debug, Args)]
pub(super) struct ServerArgs {
    #[command(flatten)]
    target: TargetArgs,

    #[command(flatten)]
    pub(super) conversation: ConversationArgs,
}

/// The same, where there may be none.
#[derive(Debug, Args)]
pub(super) struct Optional {
    #[command(flatten)]
    target: OptionalTargetArgs,

    #[command(flatten)]
    pub(super) context: ContextArgs,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct TargetArgs {
    /// Start this program, and talk over its standard input and output: a command in quotes, or its words; then all that
    /// follows is its own, up to `--`; with
    /// `--stdio='COMMAND ARGS'` nothing is
    #[arg(long, value_name = "COMMAND", num_args = 1.., allow_hyphen_values = true, value_terminator = "--")]
    stdio: Option<Vec<OsString>>,

    /// Talk to the server at this URL, by Streamable HTTP
    #[arg(long, value_name = "URL")]
    http: Option<String>,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
struct OptionalTargetArgs {
    /// The program to start. All that follows is its own, up to `--`; with `--stdio='COMMAND ARGS'` nothing is
    #[arg(long, value_name = "COMMAND", num_args = 1.., allow_hyphen_values = true, value_terminator = "--")]
    stdio: Option<Vec<OsString>>,

    /// The URL of a server on the network
    #[arg(long, value_name = "URL")]
    http: Option<String>,
}

/// How to talk to a server.
#[derive(Debug, Args)]
pub(super) struct ConversationArgs {
    /// Seconds that a server may take for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,

    #[command(flatten)]
    context: ContextArgs,
}

/// What a server wants to know.
#[derive(Debug, Args)]
pub(super) struct ContextArgs {
    /// Send this header with each request to a URL, such as `'Authorization: Bearer TOKEN'`
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    pub(super) header: Vec<(String, String)>,

    /// Start the program with this variable
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub(super) env: Vec<(String, String)>,

    /// Start the program in this folder
    #[arg(long, value_name = "DIR")]
    pub(super) cwd: Option<PathBuf>,
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("expected `NAME: VALUE`")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or("expected `NAME=VALUE`")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl ServerArgs {
    /// Whether the program gets one of these words.
    pub(super) fn has_words(&self, words: &[&str]) -> bool {
        self.target.stdio.iter().flatten().any(|given| words.iter().any(|word| given == word))
    }

    /// Where the server is.
    pub(super) fn target(&self) -> Result<Target, Box<dyn Error>> {
        let target = target(self.target.stdio.as_deref(), self.target.http.as_deref(), &self.conversation.context)?;
        target.ok_or_else(|| "there is no server: give `--stdio` or `--http`".into())
    }

    /// Finds the server, and asks what it offers.
    pub(super) fn offer(&self, target: &Target, view: View) -> Result<(Client, Offer), Box<dyn Error>> {
        offer(target, &self.conversation, view)
    }

    /// Finds the server and greets it, to call a tool.
    pub(super) fn connect_to_call(&self) -> Result<Client, Box<dyn Error>> {
        let target = self.target()?;
        note_open_headers(&target)?;
        connect(&target, Purpose::Call, &self.conversation)
    }
}

impl Optional {
    /// Where the server is, if anything was said.
    pub(super) fn target(&self) -> Result<Option<Target>, Box<dyn Error>> {
        target(self.target.stdio.as_deref(), self.target.http.as_deref(), &self.context)
    }
}

impl ConversationArgs {
    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.timeout = Duration::from_secs(self.timeout);
        limits
    }
}

/// The server that a text names: `https://…`, `http://…` or `stdio:COMMAND ARGS`.
pub(super) fn named(text: &str, conversation: &ConversationArgs) -> Result<Option<Target>, Box<dyn Error>> {
    if let Some(command) = text.strip_prefix("stdio:") {
        return target(Some(&words(command)?), None, &conversation.context);
    }
    let is_url = text.starts_with("https://") || text.starts_with("http://");
    if is_url { target(None, Some(text), &conversation.context) } else { Ok(None) }
}

/// What a server lists, as a contract of the name that people call it by.
pub(super) fn lists(target: &Target, conversation: &ConversationArgs, view: View) -> Result<Sources, Box<dyn Error>> {
    let name = called(target);
    let (_, offer) = offer(target, conversation, view)?;
    for note in &offer.notes {
        console::talk(&format!("note: {note}"))?;
    }
    let mut sources = Sources::default();
    sources.add(SourceFile { name, path: PathBuf::new(), text: offer.to_json(), role: Role::Json });
    Ok(sources)
}

/// All that a server offers, and the conversation with it.
fn offer(target: &Target, conversation: &ConversationArgs, view: View) -> Result<(Client, Offer), Box<dyn Error>> {
    note_open_headers(target)?;
    let status = view.work(&format!("waiting for `{}`", called(target)));
    let mut client = connect(target, Purpose::List, conversation)?;
    let offer = client.offer_with(&mut |list, count| status.say(|| format!("{list}: {count} so far")))?;
    Ok((client, offer))
}

/// Finds a server. A program that was started ends with us, also where the user interrupts us.
fn connect(target: &Target, purpose: Purpose, conversation: &ConversationArgs) -> Result<Client, Box<dyn Error>> {
    if let Target::Stdio(program) = target {
        let stop = Arc::clone(&program.stop);
        ctrlc::set_handler(move || {
            // The second time nothing is waited for.
            if stop.swap(true, Ordering::SeqCst) {
                process::exit(130);
            }
        })?;
    }
    Ok(Client::connect(target, purpose, conversation.limits())?)
}

/// Says where headers, which may hold secrets, are not closed.
fn note_open_headers(target: &Target) -> io::Result<()> {
    match target {
        Target::Http(endpoint)
            if endpoint.url.starts_with("http://")
                && !endpoint.headers.is_empty()
                && !matches!(called(target).as_str(), "localhost" | "127.0.0.1") =>
        {
            console::talk("note: over `http://` headers can be read by everybody on the way; use `https://`")
        }
        Target::Http(_) | Target::Stdio(_) => Ok(()),
    }
}

fn target(
    stdio: Option<&[OsString]>,
    http: Option<&str>,
    context: &ContextArgs,
) -> Result<Option<Target>, Box<dyn Error>> {
    if let Some(url) = http {
        if !context.env.is_empty() || context.cwd.is_some() {
            return Err("`--env` and `--cwd` are for programs, and this server is on the network".into());
        }
        let mut endpoint = Endpoint::new(url);
        endpoint.headers.clone_from(&context.header);
        return Ok(Some(Target::Http(endpoint)));
    }
    let Some(given) = stdio else { return Ok(None) };
    if !context.header.is_empty() {
        return Err("`--header` is for servers on the network, and this one is a program".into());
    }
    let given = match given {
        [line] if is_command_line(line) => words(&line.to_string_lossy())?,
        words => words.to_vec(),
    };
    let (command, arguments) = given.split_first().ok_or("the command is empty")?;
    let mut program = Program::new(command);
    program.arguments = arguments.to_vec();
    program.env.clone_from(&context.env);
    program.folder.clone_from(&context.cwd);
    Ok(Some(Target::Stdio(program)))
}

/// Whether one word holds several: `'npx -y server'`. The path of a program may have spaces, too.
pub(super) fn is_command_line(word: &OsString) -> bool {
    word.to_string_lossy().contains(char::is_whitespace) && !Path::new(word).exists()
}

/// The words of a command, by the quotes of a shell. Nothing else of a shell counts, and on Windows a backslash stands
/// between folders.
fn words(command: &str) -> Result<Vec<OsString>, String> {
    let kept = cfg!(windows).then(|| with_backslashes_kept(command));
    let words = shlex::split(kept.as_deref().unwrap_or(command));
    let words = words.ok_or_else(|| format!("a quote in `{command}` does not end"))?;
    Ok(words.into_iter().map(OsString::from).collect())
}

/// Doubles each backslash that a shell would take for the quote of what follows.
fn with_backslashes_kept(command: &str) -> String {
    let (mut kept, mut quote) = (String::with_capacity(command.len()), None);
    for character in command.chars() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None | Some('"'), '\\') => kept.push('\\'),
            _ => {}
        }
        kept.push(character);
    }
    kept
}

/// What people would call the server: the program, or the host.
pub(super) fn called(target: &Target) -> String {
    match target {
        Target::Http(endpoint) => {
            let (_, rest) = endpoint.url.split_once("://").unwrap_or_default();
            let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let host = authority.rsplit('@').next().unwrap_or_default();
            host.split(':').next().unwrap_or_default().to_owned()
        }
        Target::Stdio(program) => of_program(program),
    }
}

/// Programs that run others are not what people mean.
fn of_program(program: &Program) -> String {
    let stem = |word: &OsString| {
        Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let command = stem(&program.command);
    let runs_others = ["bun", "bunx", "cargo", "deno", "docker", "node", "npx", "python", "python3", "uv", "uvx"];
    let argument = program.arguments.iter().find(|argument| !argument.to_string_lossy().starts_with('-'));
    match argument.filter(|_| runs_others.contains(&command.as_str())) {
        Some(argument) => stem(argument),
        None => command,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_windows_go_through_a_shells_quotes_unharmed() {
        for (command, expected) in [
            (r"C:\bin\server.exe --at C:\data\", &[r"C:\bin\server.exe", "--at", r"C:\data\"][..]),
            (r#""C:\my bin\s.exe" 'D:\a b\' "it's" "\""#, &[r"C:\my bin\s.exe", r"D:\a b\", "it's", r"\"]),
            ("npx -y some-server", &["npx", "-y", "some-server"]),
            (r#"'"\' x\"y z\""#, &[r#""\"#, r"x\y z\"]),
        ] {
            assert_eq!(shlex::split(&with_backslashes_kept(command)).unwrap(), expected, "{command}");
        }
    }
}

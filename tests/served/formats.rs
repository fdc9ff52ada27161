//! Formats that the contract or the configuration asserts, or gives a type.

use std::fs;
use std::io::Read as _;
use std::net::{Ipv4Addr, Ipv6Addr};

use mcp_runtime::codegen::{Decode, Encode, Writer, decode};
use mcp_runtime::testing::Client;
use mcp_runtime::{
    CommandArg, Context, Field, HttpUrl, RelativePath, ResourceContents, RootDir, Server, ToolError, ToolResponse,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// What the contract in `served/formats.toml` becomes.
pub(crate) mod api {
    mcp_runtime::include_service!("formats");
}

use api::resource_templates::file;
use api::tools::connect::Args;
use api::tools::{connect, elsewhere, judge, open};

/// A folder, of which nothing but what lies in it is read.
pub(crate) struct App {
    root: RootDir,
    folder: TempDir,
}

impl App {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let served = folder.path().join("served");
        fs::create_dir_all(served.join("notes")).expect("a folder");
        fs::write(served.join("notes/today.md"), "milk").expect("a file");
        fs::write(folder.path().join("secret"), "hunter2").expect("a file");
        Self { root: RootDir::open_folder(&served).expect("the folder"), folder }
    }

    fn text(&self, path: &RelativePath) -> Option<String> {
        let mut text = String::new();
        self.root.open(path).ok()?.read_to_string(&mut text).ok()?;
        Some(text)
    }
}

fn app() -> Client {
    Client::new(Server::new(api::service(App::new())))
}

impl api::Open for App {
    async fn call(&self, args: open::Args, _: &Context) -> Result<open::Output, ToolError> {
        let text = self.text(&args.path).ok_or_else(|| ToolError::invalid_params("there is no such file"))?;
        Ok(open::Output { path: Some(format!("/not/relative/{text}")), rest: mcp_runtime::Rest::default() })
    }
}

impl api::Elsewhere for App {
    async fn call(&self, _: elsewhere::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("fine".into())
    }
}

impl api::File for App {
    async fn read(&self, vars: file::Vars, _: &Context) -> Result<ResourceContents, mcp_runtime::RequestError> {
        Ok(ResourceContents::text(self.text(&vars.path).unwrap_or_default()))
    }
}

impl api::Connect for App {
    async fn call(&self, args: Args, _: &Context) -> Result<connect::Output, ToolError> {
        Ok(connect::Output { at: args.at.unwrap_or_else(|| "yesterday".to_owned()) })
    }
}

impl api::Judge for App {
    async fn call(&self, _: judge::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("fine".into())
    }
}

fn accepts<T: Decode>(arguments: &Value) -> bool {
    decode::<T>(&arguments.to_string()).is_ok()
}

#[test]
fn strings_of_an_asserted_format_alone_are_accepted() {
    for (good, bad) in [
        (json!({ "id": "67e55044-10b1-426f-9247-bb680e5fe0c8" }), json!({ "id": "67e55044" })),
        (json!({ "at": "1990-12-31T23:59:60.5Z" }), json!({ "at": "1990-12-31T22:59:60.5Z" })),
        (json!({ "mail": "ada@example.org" }), json!({ "mail": "ada" })),
    ] {
        assert!(accepts::<Args>(&good) && !accepts::<Args>(&bad), "{good} {bad}");
    }
    assert!(!accepts::<Args>(&json!({ "at": "2026-01-01T00:00:00Z" })), "a length beside a format");
    assert!(!accepts::<Args>(&json!({ "mail": "bob@example.org" })), "a pattern beside a format");
    assert!(accepts::<Args>(&json!({ "day": "never" })), "a format that nobody asserts");
}

#[test]
fn the_validator_asserts_the_same_formats() {
    assert!(accepts::<judge::Args>(&json!({ "id": "67e55044-10b1-426f-9247-bb680e5fe0c8", "day": "never" })));
    assert!(accepts::<judge::Args>(&json!({ "id": 7 })), "a format is about strings");
    assert!(!accepts::<judge::Args>(&json!({ "id": "7" })));
}

#[test]
fn a_format_has_its_type_wherever_it_stands() {
    let text = r#"{"hosts":["192.0.2.7"],"names":{"a":"192.0.2.8"},"next":"::1","either":"192.0.2.9","fallback":["192.0.2.1"]}"#;
    let args: Args = decode(text).expect("valid arguments");
    assert_eq!(args.hosts.as_deref(), Some(&[Ipv4Addr::new(192, 0, 2, 7)][..]));
    assert_eq!(args.names.as_ref().and_then(|names| names.get("a")), Some(&Ipv4Addr::new(192, 0, 2, 8)));
    assert_eq!(args.next, Field::Value(Ipv6Addr::LOCALHOST));
    assert_eq!(args.either, Some(connect::Either::String(Ipv4Addr::new(192, 0, 2, 9))));
    let mut written = Vec::new();
    args.encode(&mut Writer::new(&mut written));
    assert_eq!(String::from_utf8_lossy(&written), text);
    for refused in [json!({ "hosts": ["192.0.2"] }), json!({ "next": "192.0.2.1" }), json!({ "names": { "a": "b" } })] {
        assert!(!accepts::<Args>(&refused), "{refused}");
    }
}

#[test]
fn a_key_of_a_map_that_comes_twice_is_refused_whatever_the_values_are() {
    let twice = decode::<Args>(r#"{"names":{"a":"192.0.2.8","a":"192.0.2.9"}}"#);
    assert!(twice.is_err(), "two readers would see two values");
}

#[tokio::test]
async fn the_report_says_what_a_format_looks_like() {
    let mut client = app();
    let refused = client.call("connect", json!({ "id": "7", "mail": "b", "at": "now, or nearly at once" })).await;
    let refused = refused.expect("a result");
    assert!(refused.is_error());
    assert_eq!(
        refused.text(),
        "invalid arguments for `connect`:\n\
         - /id: expected a string of the format uuid, such as 67e55044-10b1-426f-9247-bb680e5fe0c8, got \"7\"\n\
         - /mail: expected a string that matches the pattern ^a, got \"b\"\n\
         - /mail: expected a string of the format email, such as ada@example.org, got \"b\"\n\
         - /at: expected a string of the format date-time, such as 2026-12-01T08:30:00Z, got \"now, or nearly at once\""
    );
}

#[tokio::test]
async fn results_are_held_to_asserted_formats() {
    let mut client = app();
    let good = client.call("connect", json!({ "at": "2026-01-01T00:00:00.5Z" })).await;
    assert!(good.is_ok_and(|result| !result.is_error()));
    assert!(client.call("connect", json!({})).await.is_err(), "`yesterday` is no date-time");
}

/// Each leads out of a folder, or would on some system.
const WAYS_OUT: [&str; 16] = [
    "../secret",
    "notes/../../secret",
    "..",
    "/etc/passwd",
    "//host/share",
    "",
    "..\\secret",
    "notes\\..\\..\\secret",
    "\\\\host\\share",
    "C:\\secret",
    "C:secret",
    "c:/secret",
    ".. /secret",
    "... /secret",
    "notes/today.md\0.png",
    "notes\n",
];

#[tokio::test]
async fn a_path_that_leads_elsewhere_never_reaches_a_handler() {
    let mut client = app();
    for path in WAYS_OUT {
        let refused = client.call("open", json!({ "path": path })).await.expect("a result");
        assert!(refused.is_error(), "{path}");
        let why =
            "/path: expected a relative path with / between its parts and without .., such as notes/today.md, got";
        assert!(refused.text().contains(why), "{}", refused.text());
        assert!(decode::<open::Args>(&json!({ "path": path }).to_string()).is_err(), "{path}");
        assert!(decode::<open::Args>(&json!({ "path": "a", "others": [path] }).to_string()).is_err(), "{path}");
    }
    assert_eq!(
        client.call("open", json!({ "path": "./notes//today.md" })).await.unwrap().structured().unwrap()["path"],
        "/not/relative/milk"
    );
}

/// What is encoded is decoded once, in a URI, and never in arguments.
#[tokio::test]
async fn encoded_ways_out_are_names_or_refused() {
    let mut client = app();
    for path in
        ["%2e%2e/secret", "..%2fsecret", "%2e%2e%2fsecret", "..%c0%afsecret", "%252e%252e/secret", "．．/secret"]
    {
        let missing = client.call("open", json!({ "path": path })).await.expect("a result");
        assert_eq!(missing.text(), "there is no such file", "{path}");
    }
    assert_eq!(client.read("files:///notes/today.md").await.expect("a file")[0]["text"], "milk");
    for uri in [
        "files:///../secret",
        "files:///%2e%2e/secret",
        "files:///notes/..%2f..%2fsecret",
        "files:////etc/passwd",
        "files:///..%5Csecret",
        "files:///a%00b",
    ] {
        assert!(client.read(uri).await.is_err(), "{uri}");
    }
    assert_eq!(client.read("files:///%252e%252e/secret").await.expect("a name that is nobody's")[0]["text"], "");
}

/// A link that leads out is as good as none, wherever it stands in the path and whatever it is called.
#[cfg(unix)]
#[tokio::test]
async fn a_link_that_leads_out_of_the_root_is_not_followed() {
    use std::os::unix::fs::symlink;

    let app = App::new();
    let served = app.folder.path().join("served");
    symlink("../secret", served.join("relative")).unwrap();
    symlink(app.folder.path().join("secret"), served.join("absolute")).unwrap();
    symlink("..", served.join("up")).unwrap();
    symlink("up", served.join("twice")).unwrap();
    symlink("/proc/self/root", served.join("root")).unwrap();
    symlink("notes", served.join("inside")).unwrap();
    symlink("../notes/today.md", served.join("notes/back")).unwrap();
    for path in ["relative", "absolute", "up/secret", "twice/secret", "root/etc/passwd"] {
        let path: RelativePath = path.parse().expect("a relative path");
        assert!(served.join(&path).exists(), "{path} leads somewhere");
        assert_eq!(app.root.open(&path).unwrap_err().kind(), std::io::ErrorKind::PermissionDenied, "{path}");
        assert!(app.root.create(&path).is_err(), "{path}");
    }
    assert_eq!(fs::read_to_string(app.folder.path().join("secret")).unwrap(), "hunter2");
    for path in ["inside/today.md", "notes/back"] {
        assert_eq!(app.text(&path.parse().unwrap()).as_deref(), Some("milk"), "{path}");
    }
}

/// A folder that becomes a link while it is being opened is either of the two, and never leads out.
#[cfg(unix)]
#[test]
fn a_link_that_comes_in_between_is_not_followed() {
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    let app = App::new();
    let served = app.folder.path().join("served");
    fs::create_dir(app.folder.path().join("outside")).unwrap();
    fs::write(app.folder.path().join("outside/today.md"), "hunter2").unwrap();
    let path: RelativePath = "turn/today.md".parse().unwrap();
    let ends = AtomicBool::new(false);
    let (mut read, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let turn = served.join("turn");
            while !ends.load(Ordering::Relaxed) {
                fs::create_dir(&turn).unwrap();
                fs::write(turn.join("today.md"), "milk").unwrap();
                fs::remove_dir_all(&turn).unwrap();
                symlink("../outside", &turn).unwrap();
                fs::remove_file(&turn).unwrap();
            }
        });
        for _ in 0..20_000 {
            match app.text(&path) {
                Some(text) => assert_ne!(text, "hunter2"),
                None => refused += 1,
            }
            read += 1;
        }
        ends.store(true, Ordering::Relaxed);
    });
    assert!(read == 20_000 && refused > 0, "{refused} of {read}");
}

#[tokio::test]
async fn an_argument_of_a_command_is_no_option_and_a_url_has_one_reading() {
    let mut client = app();
    let arguments = json!({ "path": "notes/today.md", "branch": "--upload-pack=id", "source": "http://a@192.0.2.1/", "others": ["a", ".."] });
    assert_eq!(
        client.call("open", arguments).await.expect("a result").text(),
        "invalid arguments for `open`:\n\
         - /branch: expected an argument that is not empty, does not begin with - and has no control characters, such as report.txt, got \"--upload-pack=id\"\n\
         - /source: expected an absolute http or https URL without user name and password, such as https://example.org/a, got \"http://a@192.0.2.1/\"\n\
         - /others/1: expected a relative path with / between its parts and without .., such as notes/today.md, got \"..\""
    );
}

#[test]
fn checked_texts_arrive_as_types_and_go_out_as_they_came() {
    let text = r#"{"path":"./a//b","branch":"a b; $(id)","source":"HTTPS://example.org:443","others":["."]}"#;
    let args: open::Args = decode(text).expect("valid arguments");
    let (path, branch, source): (&RelativePath, Option<&CommandArg>, &Field<HttpUrl>) =
        (&args.path, args.branch.as_ref(), &args.source);
    assert_eq!(path.as_str(), "./a//b");
    assert_eq!(branch.map(CommandArg::as_str), Some("a b; $(id)"));
    assert!(matches!(source, Field::Value(url) if url.host() == "example.org"));
    let mut written = Vec::new();
    args.encode(&mut Writer::new(&mut written));
    assert_eq!(String::from_utf8_lossy(&written), text);
    let args: open::Args = decode(r#"{"path":"a","source":null}"#).expect("a default");
    assert_eq!((args.source, args.others), (Field::Null, vec![".".parse().unwrap()]));
}

/// Where a schema was written out, its author means something else by the names: also beside a short form in one tool.
#[tokio::test]
async fn formats_of_ours_describe_where_a_schema_is_written_out() {
    let mut client = app();
    let elsewhere = client.call("elsewhere", json!({ "path": "/etc/passwd" })).await.expect("a result");
    assert_eq!(elsewhere.text(), "fine");
    let opened = client.call("open", json!({ "path": "notes/today.md" })).await;
    assert_eq!(opened.expect("a result that its schema takes").structured().unwrap()["path"], "/not/relative/milk");
}

/// No keyword says these rules, and so the description does.
#[tokio::test]
async fn clients_are_told_what_a_format_of_ours_asks() {
    let tools = app().tools().await.expect("a list");
    let tool =
        |name: &str| tools.iter().find(|tool| tool["name"] == name).expect(name)["inputSchema"]["properties"].clone();
    assert_eq!(
        tool("open")["path"],
        json!({ "type": "string", "format": "path", "description": "The file. A relative path with `/` between its parts and without `..`." })
    );
    assert_eq!(tool("open")["source"]["description"], "An absolute http or https URL without user name and password.");
    assert_eq!(tool("elsewhere")["path"], json!({ "type": "string", "format": "path" }));
}

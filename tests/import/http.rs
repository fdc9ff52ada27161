//! Servers on the network that misbehave, as raw answers over a socket; and those that behave.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use support::{Run, Sandbox};

/// A server that answers each request with what a function makes of it: its head and its body.
fn serve(mut answer: impl FnMut(&str, &mut TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            while let Some(request) = read(&mut stream) {
                answer(&request, &mut stream);
            }
        }
    });
    address
}

/// One request, head and body.
fn read(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(text);
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&buffer[..read]),
        }
    }
}

/// A whole response.
fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    // Whoever does not want to hear it has closed.
    let _ = write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
}

const JSON: &str = "content-type: application/json\r\n";

/// Answers as a server of sessions would, up to the lists.
fn handshake(request: &str, stream: &mut TcpStream) -> bool {
    if request.contains("server/discover") {
        respond(stream, "400 Bad Request", "", "");
    } else if request.contains("\"initialize\"") {
        let result = r#"{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#;
        respond(stream, "200 OK", &format!("{JSON}mcp-session-id: abc\r\n"), result);
    } else if request.contains("notifications/") || request.starts_with("DELETE") {
        respond(stream, "202 Accepted", "", "");
    } else {
        return false;
    }
    true
}

fn import(address: SocketAddr, more: &[&str]) -> Run {
    let url = format!("http://{address}/mcp");
    Sandbox::new().run(&[&["import", "--http", &url], more].concat())
}

fn import_in_haste(address: SocketAddr) -> Run {
    import(address, &["--timeout", "3"])
}

fn says(run: &Run, words: &str) {
    assert!(run.code == Some(2) && run.stderr.contains(words), "{words}: {:?} {}", run.code, run.stderr);
}

#[test]
fn a_server_that_never_answers_is_not_waited_for() {
    let address = serve(|_, _| {});
    says(&import_in_haste(address), "did not answer `server/discover` within 3 seconds");
}

/// R42
#[test]
fn an_endless_answer_is_cut() {
    let address = serve(|request, stream| {
        if !handshake(request, stream) {
            let head = format!("HTTP/1.1 200 OK\r\n{JSON}\r\n");
            let _ = stream.write_all(head.as_bytes());
            while stream.write_all(&[b' '; 1 << 14]).is_ok() {}
        }
    });
    says(&import(address, &[]), "the server answers `tools/list` with more than 16 MiB");
}

/// R42
#[test]
fn an_endless_stream_is_cut() {
    for line in
        [": still there\n\n", "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n", "data: never ends"]
    {
        let address = serve(move |request, stream| {
            if !handshake(request, stream) {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
                let lines = line.repeat(1000);
                while stream.write_all(lines.as_bytes()).is_ok() {}
            }
        });
        says(&import(address, &[]), "the server answers `tools/list` with more than 16 MiB");
    }
}

#[test]
fn a_slow_stream_is_not_waited_for() {
    let address = serve(|request, stream| {
        if !handshake(request, stream) {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
            while stream.write_all(b":\n\n").is_ok() {
                thread::sleep(std::time::Duration::from_millis(100));
            }
        }
    });
    says(&import_in_haste(address), "did not answer `tools/list` within 3 seconds");
}

#[test]
fn what_is_no_mcp_is_said_so() {
    let page = serve(|_, stream| respond(stream, "200 OK", "content-type: text/html\r\n", "<h1>\u{1b}[2JHello</h1>"));
    says(&import(page, &[]), "answers `server/discover` with what is no MCP: <h1> [2JHello</h1>");
    let nothing = serve(|_, stream| respond(stream, "404 Not Found", "", ""));
    says(&import(nothing, &[]), "the HTTP status 404: is that the address of its MCP endpoint?");
    let closed = serve(|_, stream| respond(stream, "401 Unauthorized", "", ""));
    says(&import(closed, &[]), "the HTTP status 401: it wants to know who asks");
    let events = serve(|request, stream| {
        if !handshake(request, stream) {
            respond(stream, "200 OK", "content-type: text/event-stream\r\n", "data: Hello\n\n");
        }
    });
    says(&import(events, &[]), "an event that is no MCP message");
}

#[test]
fn bytes_that_are_no_text_are_told_at_once() {
    for kind in ["application/json", "text/event-stream"] {
        let address = serve(move |request, stream| {
            if !handshake(request, stream) {
                let body = b"data: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[\"\xff\"]}}\n\n";
                let body = if kind == "application/json" { &body[6..] } else { &body[..] };
                let length = body.len();
                let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\ncontent-type: {kind}\r\n\r\n");
                let _ = stream.write_all(body);
            }
        });
        says(&import(address, &[]), "answers `tools/list` with bytes that are not UTF-8");
    }
}

/// The stream stays open, and nothing follows the return that ends the event.
#[test]
fn lines_may_end_with_a_return_alone() {
    let address = serve(|request, stream| {
        if !handshake(request, stream) {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
            let answer = r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[]}}"#;
            let _ = write!(stream, "{head}: hello\rid: 1\rdata: {answer}\r\r");
            thread::sleep(std::time::Duration::from_secs(1));
        }
    });
    let run = import(address, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

/// A header may hold a secret: it goes nowhere but where the user said.
#[test]
fn redirects_are_followed_within_one_origin_only() {
    let elsewhere = serve(|request, _| panic!("asked: {request}"));
    let address = serve(move |_, stream| {
        respond(stream, "307 Temporary Redirect", &format!("location: http://{elsewhere}/mcp\r\n"), "");
    });
    says(
        &import(address, &["--header", "Authorization: Bearer s3cret"]),
        &format!("redirects to `http://{elsewhere}/mcp`"),
    );
    let schemes = serve(|_, stream| respond(stream, "307 Temporary Redirect", "location: file:///etc/passwd\r\n", ""));
    says(&import(schemes, &[]), "redirects to `file:///etc/passwd`");
    let around = serve(|_, stream| respond(stream, "308 Permanent Redirect", "location: /mcp\r\n", ""));
    says(&import(around, &[]), "redirects more than 3 times");
    let home = serve(|request, stream| {
        if request.starts_with("POST /mcp ") {
            respond(stream, "307 Temporary Redirect", "location: /mcp/\r\n", "");
        } else if !handshake(request, stream) {
            assert!(request.contains("authorization: Bearer s3cret"), "{request}");
            respond(stream, "200 OK", JSON, r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[]}}"#);
        }
    });
    let run = import(home, &["--header", "Authorization: Bearer s3cret"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stdout.contains("s3cret") && !run.stderr.contains("s3cret"));
}

#[test]
fn headers_that_the_protocol_needs_are_not_the_users() {
    let address = serve(|request, _| panic!("asked: {request}"));
    for header in ["Host: other", "Mcp-Session-Id: 1", "Content-Length: 0"] {
        says(&import(address, &["--header", header]), "is set by the protocol");
    }
    says(&import(address, &["--header", "a b: c"]), "is no header that can be sent");
    says(&import(address, &["--env", "A=b"]), "`--env` and `--cwd` are for programs");
}

/// The session ends with the command; a stream that the server closes early is taken up where it was left.
#[test]
fn a_session_is_kept_and_ended() {
    let (heard, ends) = std::sync::mpsc::channel();
    let address = serve(move |request, stream| {
        let in_session =
            request.contains("mcp-session-id: abc") && request.contains("mcp-protocol-version: 2025-11-25");
        if request.starts_with("DELETE") {
            heard.send(in_session).expect("a test that listens");
        }
        if request.starts_with("GET") {
            assert!(in_session && request.contains("last-event-id: 7"), "{request}");
            let answer =
                r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"late","inputSchema":{"type":"object"}}]}}"#;
            respond(stream, "200 OK", "content-type: text/event-stream\r\n", &format!("id: 8\ndata: {answer}\n\n"));
        } else if !handshake(request, stream) {
            assert!(in_session, "{request}");
            respond(stream, "200 OK", "content-type: text/event-stream\r\n", "id: 7\nretry: 10\ndata:\n\n");
        }
    });
    let run = import(address, &[]);
    assert!(run.code == Some(0) && run.stdout.contains("name = \"late\""), "{} {}", run.stdout, run.stderr);
    assert_eq!(ends.try_recv(), Ok(true));
}

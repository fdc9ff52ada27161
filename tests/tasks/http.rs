//! Tasks over HTTP, where each request has a stream of its own.

use http_body_util::{BodyExt as _, Full};
use mcp_runtime::http::HttpService;
use mcp_runtime::{Principal, Server};
use serde_json::{Value, json};
use support::web::{Request, Site};
use tower_service::Service as _;

use crate::jobs::Jobs;
use crate::{api, code, pause, text};

async fn site() -> Site {
    Site::start(Server::new(api::service(Jobs::default())).http()).await
}

fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn stateless(id: u64, method: &str, mut params: Value) -> Value {
    let capabilities = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    request(id, method, &params)
}

/// TL4, HL5: the answer to the call has ended its stream, so the question leaves on that of `tasks/result`. It waits for
/// one, and is answered by a POST of its own.
#[tokio::test]
async fn a_question_leaves_with_the_request_for_the_result() {
    let site = site().await;
    let session = site.session("2025-11-25", json!({ "elicitation": {} })).await;
    let call = json!({ "name": "delete", "arguments": { "file": "a" }, "task": {} });
    let mut reply = site.send(&Request::session(&session, &request(1, "tools/call", &call))).await;
    let task = json!({ "taskId": reply.message().await["result"]["task"]["taskId"] });
    let mut number = 2;
    loop {
        let get = Request::session(&session, &request(number, "tasks/get", &task));
        if site.send(&get).await.message().await["result"]["status"] == "input_required" {
            break;
        }
        number += 1;
        pause().await;
    }
    let mut result = site.send(&Request::session(&session, &request(number + 1, "tasks/result", &task))).await;
    let question = result.next_message().await;
    assert_eq!(question["params"]["message"], "Delete a?");
    assert_eq!(question["params"]["_meta"]["io.modelcontextprotocol/related-task"], task);
    let answer = json!({ "action": "accept", "content": { "yes": true } });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer });
    assert_eq!(site.send(&Request::session(&session, &answer)).await.status, 202);
    assert_eq!(text(&result.message().await["result"]), "deleted: true");
}

/// TL5: nobody lists tasks where requestors cannot be told apart.
#[tokio::test]
async fn tasks_are_not_listed_where_anybody_may_ask() {
    let site = site().await;
    let session = site.session("2025-11-25", json!({})).await;
    let mut refused = site.send(&Request::session(&session, &request(1, "tasks/list", &json!({})))).await;
    assert_eq!(code(&refused.message().await), Some(-32_601));
}

/// TX6, HM7: the three methods name their task in a header, too.
#[tokio::test]
async fn the_header_names_the_task() {
    let site = site().await;
    let call = json!({ "name": "compute", "arguments": { "millis": 60_000 } });
    let created = site.ask(&stateless(1, "tools/call", call)).await;
    let task = created["result"]["taskId"].as_str().expect("a task").to_owned();
    let update = json!({ "taskId": task, "inputResponses": {} });
    for (id, method, params) in [
        (2, "tasks/get", json!({ "taskId": task })),
        (3, "tasks/update", update),
        (4, "tasks/cancel", json!({ "taskId": task })),
    ] {
        let message = stateless(id, method, params);
        let named = |name: &str| Request::stateless(&message).with("Mcp-Name", name);
        let mut wrong = site.send(&named("another")).await;
        assert_eq!((wrong.status, code(&wrong.message().await)), (400, Some(-32_020)), "{method}");
        let mut missing = site.send(&Request::stateless(&message).without("Mcp-Name")).await;
        assert_eq!((missing.status, code(&missing.message().await)), (400, Some(-32_020)), "{method}");
        assert_eq!(site.send(&named(&task)).await.status, 200, "{method}");
    }
}

/// MD5, TX4: refusals have their status.
#[tokio::test]
async fn refusals_have_their_status() {
    let site = site().await;
    let unknown = stateless(1, "tasks/get", json!({ "taskId": "x" }));
    let mut refused = site.send(&Request::stateless(&unknown).with("Mcp-Name", "x")).await;
    assert_eq!((refused.status, code(&refused.message().await)), (400, Some(-32_602)));
    let mut undeclared = stateless(2, "tools/call", json!({ "name": "fail", "arguments": {} }));
    undeclared["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let mut refused = site.send(&Request::stateless(&undeclared)).await;
    assert_eq!((refused.status, code(&refused.message().await)), (400, Some(-32_021)));
}

/// Sends a message that a layer in front has made certain is of this principal.
async fn ask(service: &mut HttpService, principal: Option<&str>, message: &Value) -> Value {
    let body = Full::new(std::io::Cursor::new(message.to_string().into_bytes()));
    let name = ["name", "taskId"].into_iter().find_map(|key| message["params"][key].as_str()).expect("a name");
    let request = http::Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", message["method"].as_str().expect("a method"))
        .header("mcp-name", name);
    let mut request = request.body(body).expect("a request");
    if let Some(principal) = principal {
        request.extensions_mut().insert(Principal::new(principal));
    }
    let body = service.call(request).await.expect("an answer").into_body().collect().await.expect("a body");
    serde_json::from_slice(&body.to_bytes()).expect("JSON")
}

/// TL5, AU6, R69: a task is its principal's own, whoever knows its id.
#[tokio::test]
async fn a_task_is_its_principal_s_own() {
    let mut service = Server::new(api::service(Jobs::default())).http().service().expect("a service");
    let call = json!({ "name": "compute", "arguments": { "millis": 60_000 } });
    let created = ask(&mut service, Some("ann"), &stateless(1, "tools/call", call)).await;
    let task = json!({ "taskId": created["result"]["taskId"] });
    let update = json!({ "taskId": task["taskId"], "inputResponses": {} });
    for principal in [Some("bob"), None] {
        for (method, params) in [("tasks/get", &task), ("tasks/cancel", &task), ("tasks/update", &update)] {
            let refused = ask(&mut service, principal, &stateless(2, method, params.clone())).await;
            assert_eq!(code(&refused), Some(-32_602), "{principal:?} {method}");
        }
    }
    let state = ask(&mut service, Some("ann"), &stateless(3, "tasks/get", task)).await;
    assert_eq!(state["result"]["status"], "working");
}

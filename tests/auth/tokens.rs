//! Tokens that hold, those that do not, and requests without any.

use std::time::{Duration, SystemTime};

use http::Request;
use http_body_util::Full;
use jsonwebtoken::Algorithm as Signed;
use mcp_runtime::auth::{Algorithm, Auth, JwtVerifier, TokenError, TokenVerifier, VerifiedToken, VerifyFuture};
use mcp_runtime::testing::Client;
use mcp_runtime::{Principal, Server};
use serde_json::{Value, json};
use support::posted::{answer, stateless};
use support::web::{Request as Ask, Site};

use crate::issuer::{
    ISSUER, RESOURCE, claims, ec_key, key, rsa_key, seconds, signed, signed_by_ec, signed_by_rsa, token,
};
use crate::{Heard, Vault, api, call, guarded, issuer, service, verifier, whoami, with_token};

const METADATA: &str = "https://vault.example/.well-known/oauth-protected-resource/mcp";

fn with(change: impl FnOnce(&mut Value)) -> Value {
    let mut claims = claims("");
    change(&mut claims);
    claims
}

#[tokio::test]
async fn a_token_that_holds_names_the_caller() {
    let answered = whoami(&service(), &token(&claims("vault:see vault:open"))).await;
    assert_eq!(answered.text(), "https://login.example ada [vault:open vault:see] 3");
    // some issuers spell it otherwise
    let claims = with(|claims| claims["scp"] = json!(["a", "b"]));
    assert_eq!(whoami(&service(), &token(&claims)).await.text(), "https://login.example ada [a b] 3");
}

#[tokio::test]
async fn without_a_token_the_challenge_says_where_to_get_one() {
    let service = service();
    let refused = answer(&service, stateless("tools/call", json!({ "name": "whoami" }))).await;
    assert_eq!(refused.status(), 401);
    assert_eq!(refused.header("www-authenticate"), format!(r#"Bearer resource_metadata="{METADATA}""#));
    // another way to authenticate is none here
    let mut request = stateless("tools/list", json!({}));
    request.headers_mut().insert("authorization", "Basic YTpi".parse().expect("a header"));
    assert_eq!(answer(&service, request).await.status(), 401);
    // GET and DELETE are requests as well
    for method in ["GET", "DELETE"] {
        let request = Request::builder().method(method).uri("/mcp").header("host", "vault.example");
        let request = request.header("accept", "text/event-stream").body(Full::default()).expect("a request");
        assert_eq!(answer(&service, request).await.status(), 401, "{method}");
    }
}

#[tokio::test]
async fn tokens_that_do_not_hold_are_refused() {
    let now = seconds();
    // the claims of one token under the signature of another
    let (weak, strong) = (token(&claims("")), token(&claims("vault:open")));
    let parts = |token: &str| token.split('.').map(str::to_owned).collect::<Vec<_>>();
    let forged = format!("{}.{}.{}", parts(&weak)[0], parts(&strong)[1], parts(&weak)[2]);
    let wrong: &[(&str, String)] = &[
        ("issued for another server", token(&with(|claims| claims["aud"] = json!("https://other.example/mcp")))),
        ("issued for another server", token(&with(|claims| claims["aud"] = json!(["https://other.example"])))),
        ("has expired", token(&with(|claims| claims["exp"] = json!(now - 120)))),
        ("does not hold yet", token(&with(|claims| claims["nbf"] = json!(now + 120)))),
        ("issued by somebody else", token(&with(|claims| claims["iss"] = json!("https://other.example")))),
        ("names nobody", token(&with(|claims| claims["iss"] = json!([ISSUER])))),
        ("names nobody", token(&with(|claims| claims["sub"] = json!("")))),
        ("is no signed JWT", issuer::unsigned(&claims(""))),
        ("signed in a way that is not accepted", issuer::confused(&claims(""))),
        ("signed by nobody who is known", signed(1, &claims(""))),
        ("signed by nobody who is known", signed_by_ec(&claims(""))),
        ("signed by nobody who is known", forged),
        ("is no signed JWT", "abc".to_owned()),
    ];
    let service = service();
    for (why, token) in wrong {
        let refused = whoami(&service, token).await;
        assert_eq!(refused.status(), 401, "{why}");
        let challenge = refused.header("www-authenticate");
        assert!(
            challenge.starts_with(r#"Bearer error="invalid_token", "#) && challenge.contains(why),
            "{why}: {challenge}"
        );
        assert!(challenge.contains(&format!(r#"resource_metadata="{METADATA}""#)), "{challenge}");
    }
    for missing in ["aud", "exp", "iss", "sub"] {
        let claims = with(|claims| drop(claims.as_object_mut().expect("an object").remove(missing)));
        let refused = whoami(&service, &token(&claims)).await;
        assert_eq!(refused.status(), 401, "{missing}");
        assert!(refused.header("www-authenticate").contains("lacks a claim that it needs"), "{missing}");
    }
    // a clock may be a little off
    assert_eq!(whoami(&service, &token(&with(|claims| claims["exp"] = json!(now - 5)))).await.status(), 200);
    // one of several audiences, with or without a slash
    let several = with(|claims| claims["aud"] = json!(["https://other.example", format!("{RESOURCE}/")]));
    assert_eq!(whoami(&service, &token(&several)).await.status(), 200);
}

#[tokio::test]
async fn a_token_is_in_its_header_and_nowhere_else() {
    let service = service();
    let good = token(&claims(""));
    let at = |uri: String| {
        let mut request = stateless("tools/list", json!({}));
        *request.uri_mut() = uri.parse().expect("a URI");
        request
    };
    for request in [
        at(format!("/mcp?access_token={good}")),
        with_token(at(format!("/mcp?a=b&access_token={good}")), &good),
        {
            let mut request = with_token(stateless("tools/list", json!({})), &good);
            request.headers_mut().append("authorization", format!("Bearer {good}").parse().expect("a header"));
            request
        },
        with_token(stateless("tools/list", json!({})), ""),
        with_token(stateless("tools/list", json!({})), "two words"),
    ] {
        let refused = answer(&service, request).await;
        assert_eq!(refused.status(), 400);
        assert!(refused.header("www-authenticate").starts_with(r#"Bearer error="invalid_request", "#));
    }
    let mut request = stateless("tools/list", json!({}));
    request.headers_mut().insert("authorization", format!("bearer  {good}").parse().expect("a header"));
    assert_eq!(answer(&service, request).await.status(), 200);
}

#[tokio::test]
async fn keys_decide_how_a_token_may_be_signed() {
    let set = json!({ "keys": [
        { "kty": "unheard of", "kid": "new" },
        { "kty": "oct", "kid": "secret", "k": "c2VjcmV0" },
        ec_key(),
        rsa_key(),
    ] });
    let service = guarded(Auth::new(JwtVerifier::with_keys(ISSUER, &set.to_string()).expect("keys")));
    assert_eq!(whoami(&service, &signed_by_ec(&claims(""))).await.status(), 200);
    assert_eq!(whoami(&service, &signed_by_rsa(Signed::RS256, &claims(""))).await.status(), 200);
    // the key says what it is for
    assert_eq!(whoami(&service, &signed_by_rsa(Signed::PS256, &claims(""))).await.status(), 401);
    // and so may the server
    let pinned = JwtVerifier::with_keys(ISSUER, &set.to_string()).expect("keys").algorithms([Algorithm::Es256]);
    let service = guarded(Auth::new(pinned));
    assert_eq!(whoami(&service, &signed_by_ec(&claims(""))).await.status(), 200);
    assert_eq!(whoami(&service, &signed_by_rsa(Signed::RS256, &claims(""))).await.status(), 401);
}

#[tokio::test]
async fn sets_that_verify_nothing_stop_the_start() {
    let mut encrypts = key(0);
    encrypts["use"] = json!("enc");
    let mut weak = rsa_key();
    weak["n"] = json!("m".repeat(170)); // 1020 bits
    for set in [
        "no JSON".to_owned(),
        "{}".to_owned(),
        json!({ "keys": [] }).to_string(),
        json!({ "keys": [encrypts] }).to_string(),
        json!({ "keys": [weak] }).to_string(),
        json!({ "keys": [{ "kty": "oct", "k": "c2VjcmV0" }] }).to_string(),
    ] {
        assert!(JwtVerifier::with_keys(ISSUER, &set).is_err(), "{set}");
    }
}

#[tokio::test]
async fn an_issuer_may_have_another_name_for_the_server() {
    let service = guarded(Auth::new(verifier().audience("vault").audience("safe").leeway(Duration::ZERO)));
    assert_eq!(whoami(&service, &token(&with(|claims| claims["aud"] = json!("safe")))).await.status(), 200);
    assert_eq!(whoami(&service, &token(&claims(""))).await.status(), 401);
}

#[tokio::test]
async fn metadata_is_published_without_a_token() {
    let service = guarded(Auth::new(verifier()).scopes(["vault:enter", "offline_access"]));
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        let request = Request::get(path).header("host", "vault.example").body(Full::default()).expect("a request");
        let published = answer(&service, request).await;
        assert_eq!((published.status().as_u16(), published.header("content-type")), (200, "application/json"));
        let expected = json!({
            "resource": RESOURCE,
            "authorization_servers": [ISSUER],
            "scopes_supported": ["vault:enter", "vault:open", "vault:see"],
            "bearer_methods_supported": ["header"],
        });
        assert_eq!(published.body, expected, "{path}");
    }
    let request = Request::post("/.well-known/oauth-protected-resource").header("host", "vault.example");
    assert_eq!(answer(&service, request.body(Full::default()).expect("a request")).await.status(), 405);
}

#[tokio::test]
async fn a_listener_of_ours_serves_metadata_beside_the_endpoint() {
    let server = Server::new(api::service(Vault)).http().path("/inside/mcp").auth(Auth::new(verifier()));
    let site = Site::start(server).await;
    let status = |path: &'static str| {
        let mut request = Ask::bare("GET", "").without("Mcp-Session-Id");
        request.path = path.to_owned();
        let site = &site;
        async move { site.send(&request).await.status }
    };
    for path in ["", "/mcp", "/inside/mcp"] {
        let path: &'static str = format!("/.well-known/oauth-protected-resource{path}").leak();
        assert_eq!(status(path).await, 200, "{path}");
    }
    assert_eq!(status("/inside/mcp").await, 401);
    for path in ["/.well-known/oauth-protected-resource/other", "/.well-known/openid-configuration", "/mcp"] {
        assert_eq!(status(path).await, 404, "{path}");
    }
}

#[tokio::test]
async fn what_is_said_in_code_goes_before_the_contract() {
    let auth =
        Auth::new(verifier()).resource("HTTPS://Other.Example/Mcp/").authorization_servers(["https://b.example"]);
    let service = guarded(auth);
    let request = Request::get("/.well-known/oauth-protected-resource").header("host", "a").body(Full::default());
    let published = answer(&service, request.expect("a request")).await.body;
    assert_eq!(published["resource"], "https://other.example/Mcp");
    assert_eq!(published["authorization_servers"], json!(["https://b.example"]));
    // a token for the one is none for the other
    assert_eq!(whoami(&service, &token(&claims(""))).await.status(), 401);
    let broken = Auth::new(verifier()).resource("https://other.example/#here");
    assert!(Server::new(api::service(Vault)).http().auth(broken).service().is_err());
}

/// Remembers what it should not.
struct Forgetful;

impl TokenVerifier for Forgetful {
    fn verify<'a>(&'a self, token: &'a str, resource: &'a str) -> VerifyFuture<'a> {
        Box::pin(async move {
            assert_eq!(resource, RESOURCE);
            let verified = VerifiedToken::new(Principal::new("ada").with_scopes(["vault:see"]));
            match token {
                "now" => Ok(verified.expires(SystemTime::now() + Duration::from_secs(60))),
                "then" => Ok(verified.expires(SystemTime::UNIX_EPOCH)),
                "down" => Err(TokenError::unavailable("the database is down")),
                _ => Err(TokenError::invalid("\"unknown\"\u{fc}")),
            }
        })
    }
}

#[tokio::test]
async fn any_verifier_will_do() {
    let heard = Heard::default();
    let server = Server::new(api::service(Vault)).listener(heard.clone());
    let service = server.http().auth(Auth::new(Forgetful)).service().expect("a server");
    assert_eq!(whoami(&service, "now").await.text(), "ada [vault:see] null");
    assert_eq!(whoami(&service, "then").await.status(), 401);
    // nobody's fault: the same token may hold later
    let unavailable = whoami(&service, "down").await;
    assert_eq!((unavailable.status().as_u16(), unavailable.header("retry-after")), (503, "1"));
    assert!(!unavailable.body.to_string().contains("database"), "{}", unavailable.body);
    let refused = whoami(&service, "x").await;
    assert!(refused.header("www-authenticate").ends_with(r#"error_description="'unknown'?""#));
    service.shut_down().await;
    assert_eq!(heard.all()[1], "unauthorized: the database is down");
}

#[tokio::test]
async fn a_server_with_an_authenticator_may_be_public() {
    let start = |auth: Option<Auth>| async move {
        let listener = tokio::net::TcpListener::bind("0.0.0.0:0").await.expect("an address");
        let http = Server::new(api::service(Vault)).http().shutdown(std::future::ready(()));
        match auth {
            Some(auth) => http.auth(auth).serve_on(listener).await,
            None => http.serve_on(listener).await,
        }
    };
    assert!(start(None).await.is_err());
    assert!(start(Some(Auth::new(verifier()))).await.is_ok());
    // and is known by any name
    let mut request = with_token(stateless("tools/list", json!({})), &token(&claims("")));
    request.headers_mut().insert("host", "vault.example".parse().expect("a header"));
    assert_eq!(answer(&service(), request).await.status(), 200);
}

#[tokio::test]
async fn a_layer_in_front_speaks_for_nobody_here() {
    let mut request = stateless("tools/call", json!({ "name": "whoami" }));
    request.extensions_mut().insert(Principal::new("mallory"));
    assert_eq!(answer(&service(), request).await.status(), 401);
}

#[tokio::test]
async fn byte_streams_need_no_token() {
    let mut client = Client::new(api::service(Vault));
    assert_eq!(client.call("open", json!({})).await.expect("as the protocol says").text(), "open");
    assert_eq!(client.call("whoami", json!({})).await.expect("as the protocol says").text(), "nobody");
    assert_eq!(client.tools().await.expect("as the protocol says").len(), 3);
    // over HTTP, who cannot be told has no scope
    let open = Server::new(api::service(Vault)).http().service().expect("a server");
    let refused = answer(&open, stateless("tools/call", json!({ "name": "open" }))).await;
    assert_eq!(refused.status(), 403);
    assert!(
        refused
            .header("www-authenticate")
            .starts_with(r#"Bearer error="insufficient_scope", scope="vault:open vault:see""#)
    );
    assert_eq!(call(&open, "vault:open vault:see", "whoami").await.text(), "nobody");
}

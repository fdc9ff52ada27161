//! A mistake in a user's own code gives a readable compiler error.

#[test]
fn a_missing_handler_is_named() {
    let sandbox = support::Sandbox::new();
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "src/api"]).code, Some(0));
    sandbox.write(
        "src/lib.rs",
        "#[path = \"api/mod.rs\"]\npub mod api;\n\npub struct App;\n\npub fn serve() {\n    let _ = api::service(App);\n}\n",
    );
    let words = support::generated_crate::compile(&sandbox.path(""));
    let first = words.split("\n\n").find(|part| part.starts_with("error")).expect("an error");
    insta::assert_snapshot!(first.lines().take(6).collect::<Vec<_>>().join("\n"));
}

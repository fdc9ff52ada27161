//! URI templates of generated code: the examples of RFC 6570 in both directions, and all that can stand in a value.

/// What the contract in `templates` becomes.
#[expect(clippy::exhaustive_enums, reason = "an enumeration of the contract is complete")]
pub mod api {
    mcp_runtime::include_service!("templates");
}

use std::fmt::Debug;

use api::resource_templates as templates;
use templates::{file, page, tree};

/// The variables make the URI, and the URI gives the variables back.
macro_rules! both_ways {
    ($($module:ident { $($field:ident: $value:expr),* } = $uri:literal;)*) => {$(
        let vars = templates::$module::Vars { $($field: $value.into()),* };
        let uri = format!("{}:{}", stringify!($module).replace('_', "-"), $uri);
        equal(&vars.uri(), &uri);
        equal(&templates::$module::Vars::from_uri(&uri), &Some(vars));
    )*};
}

fn equal<T: Debug + PartialEq>(left: &T, right: &T) {
    assert_eq!(left, right);
}

#[expect(clippy::unnecessary_wraps, reason = "what a variable of a query is")]
fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn list() -> Vec<String> {
    ["red", "green", "blue"].map(str::to_owned).to_vec()
}

#[test]
fn the_examples_of_rfc_6570_expand_and_match() {
    both_ways! {
        var { var: "value" } = "value";
        hello { hello: "Hello World!" } = "Hello%20World%21";
        reserved_var { var: "value" } = "value";
        reserved_hello { hello: "Hello World!" } = "Hello%20World!";
        path_here { path: "/foo/bar" } = "/foo/bar/here";
        here_path { path: "/foo/bar" } = "here?ref=/foo/bar";
        fragment_var { var: "value" } = "X#value";
        fragment_hello { hello: "Hello World!" } = "X#Hello%20World!";
        x_y { x: "1024", y: "768" } = "map?1024,768";
        x_hello_y { x: "1024", hello: "Hello World!", y: "768" } = "1024,Hello%20World%21,768";
        reserved_x_hello_y { x: "1024", hello: "Hello World!", y: "768" } = "1024,Hello%20World!,768";
        path_x_here { path: "/foo/bar", x: "1024" } = "/foo/bar,1024/here";
        fragment_x_hello_y { x: "1024", hello: "Hello World!", y: "768" } = "#1024,Hello%20World!,768";
        fragment_path_x_here { path: "/foo/bar", x: "1024" } = "#/foo/bar,1024/here";
        label_var { var: "value" } = "X.value";
        label_x_y { x: "1024", y: "768" } = "X.1024.768";
        slash_var { var: "value" } = "/value";
        slash_var_x_here { var: "value", x: "1024" } = "/value/1024/here";
        params_x_y { x: some("1024"), y: some("768") } = ";x=1024;y=768";
        params_x_y_empty { x: some("1024"), y: some("768"), empty: some("") } = ";x=1024;y=768;empty";
        query_x_y { x: some("1024"), y: some("768") } = "?x=1024&y=768";
        query_x_y_empty { x: some("1024"), y: some("768"), empty: some("") } = "?x=1024&y=768&empty=";
        more_x { x: some("1024") } = "?fixed=yes&x=1024";
        more_x_y_empty { x: some("1024"), y: some("768"), empty: some("") } = "?fixed=no&x=1024&y=768&empty=";
        long_prefix_var { var: "value" } = "value";
        list { list: list() } = "red,green,blue";
        slash_list { list: list() } = "/red/green/blue";
        slash_var_list { var: "value", list: list() } = "/value/red/green/blue";
        params_list { list: list() } = ";list=red;list=green;list=blue";
        query_list { list: list() } = "?list=red&list=green&list=blue";
        more_list { list: list() } = "?a=b&list=red&list=green&list=blue";
    }
}

#[test]
fn what_is_undefined_leaves_nothing_behind() {
    both_ways! {
        list { list: Vec::new() } = "";
        slash_list { list: Vec::new() } = "";
        slash_var_list { var: "value", list: Vec::new() } = "/value";
        params_x_y { x: None, y: some("768") } = ";y=768";
        query_x_y { x: None, y: None } = "";
        query_list { list: Vec::new() } = "";
        more_x { x: None } = "?fixed=yes";
    }
}

#[test]
fn a_prefix_keeps_the_first_characters() {
    use templates::{label_prefix_var, params_prefix_hello, prefix_path_here, prefix_var, query_prefix_var};
    let var = "välue".to_owned();
    assert_eq!(prefix_var::Vars { var: var.clone() }.uri(), "prefix-var:v%C3%A4l");
    assert_eq!(prefix_var::Vars::from_uri("prefix-var:v%C3%A4l").unwrap().var, "väl");
    assert_eq!(prefix_var::Vars::from_uri("prefix-var:value"), None);
    assert_eq!(label_prefix_var::Vars { var: var.clone() }.uri(), "label-prefix-var:X.v%C3%A4l");
    assert_eq!(query_prefix_var::Vars { var: Some(var) }.uri(), "query-prefix-var:?var=v%C3%A4l");
    assert_eq!(params_prefix_hello::Vars { hello: some("Hello World!") }.uri(), "params-prefix-hello:;hello=Hello");
    assert_eq!(prefix_path_here::Vars { path: "/foo/bar".to_owned() }.uri(), "prefix-path-here:/foo/bhere");
    assert_eq!(prefix_path_here::Vars::from_uri("prefix-path-here:/foo/bhere").unwrap().path, "/foo/b");
}

#[test]
fn values_under_names_come_in_any_order_and_unknown_ones_not_at_all() {
    let found = file::Vars::from_uri("file://h/a/b?words=x&line=7&words=#m").unwrap();
    assert_eq!((found.path.as_str(), found.line, found.words), ("a/b", Some(7), vec!["x".to_owned(), String::new()]));
    for refused in ["?lime=7", "?line=7&line=8", "?line=0", "?line=x", "?line=", "?line=7&"] {
        assert_eq!(file::Vars::from_uri(&format!("file://h/a{refused}#m")), None, "{refused}");
    }
}

#[test]
fn defaults_are_filled_in_and_what_is_required_is_missed() {
    let found = tree::Vars::from_uri("tree:/a?kind=dirs").unwrap();
    let expected = tree::Vars { steps: vec!["a".into()], depth: 3, kind: tree::Kind::Dirs, rate: None };
    assert_eq!(found, expected);
    assert_eq!(found.uri(), "tree:/a?depth=3&kind=dirs");
    for refused in ["tree:/a", "tree:/a?", "tree:/a?kind=some", "tree:/a//b?kind=all", "tree:a?kind=all"] {
        assert_eq!(tree::Vars::from_uri(refused), None, "{refused}");
    }
    assert_eq!(tree::Vars::from_uri(&format!("tree:{}?kind=all", "/a".repeat(21))), None, "too many steps");
}

#[test]
fn a_value_cannot_pass_for_several() {
    assert_eq!(page::Vars::from_uri("page:a,b/c.d;levels=1;levels=2").unwrap().levels, [1, 2]);
    for forged in ["1%2C2", "1%5D%2C%5B2", "%201", "1%0A", "%22", "true"] {
        assert_eq!(page::Vars::from_uri(&format!("page:a,b/c.d;levels={forged}")), None, "{forged}");
    }
    assert_eq!(page::Vars::from_uri("page:a,b/c.d;on=true").unwrap().on, Some(true));
    assert_eq!(page::Vars::from_uri("page:a,b/c.d;on=%22true%22"), None);
}

/// Texts of hostile characters, the same in each run.
struct Texts(u64);

impl Texts {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    /// A text of so many characters at least, none of them one of `but`.
    fn text(&mut self, least: usize, but: &str) -> String {
        const SIGNS: &str = "ab/?#&=;,.%+ :@!$'()*[]{}\"\\\u{e4}\u{1f980}\u{0}-_~";
        let signs: Vec<char> = SIGNS.chars().filter(|c| !but.contains(*c)).collect();
        let length = least + self.below(6);
        (0..length).map(|_| signs[self.below(signs.len())]).collect()
    }

    fn texts(&mut self, least: usize) -> Vec<String> {
        (0..self.below(4)).map(|_| self.text(least, "")).collect()
    }
}

#[test]
fn what_was_expanded_is_matched_again() {
    let mut any = Texts(1);
    for _ in 0..5_000 {
        let vars = file::Vars {
            host: any.text(1, ""),
            // what begins the query or the fragment ends it, as RFC 6570 leaves them as they are
            path: any.text(1, "?#"),
            line: (any.below(2) == 0).then(|| i64::try_from(any.below(1_000)).expect("small") + 1),
            words: any.texts(0),
            mark: any.text(1, ""),
        };
        assert_eq!(file::Vars::from_uri(&vars.uri()).as_ref(), Some(&vars), "{}", vars.uri());
        let rate = (any.below(2) == 0).then(|| f64::from(u32::try_from(any.below(1_000)).expect("small")) / 8.0);
        let kind = tree::Kind::ALL[any.below(2)];
        let vars = tree::Vars { steps: any.texts(1), depth: -7, kind, rate };
        assert_eq!(tree::Vars::from_uri(&vars.uri()).as_ref(), Some(&vars), "{}", vars.uri());
        let vars = page::Vars {
            a: any.text(1, ""),
            b: any.text(1, ""),
            // a dot is never encoded, and the first one ends it
            c: any.text(1, "."),
            format: any.text(1, ""),
            on: [None, Some(true), Some(false)][any.below(3)],
            levels: vec![1, -2],
        };
        assert_eq!(page::Vars::from_uri(&vars.uri()).as_ref(), Some(&vars), "{}", vars.uri());
    }
}

/// R50
#[test]
fn uris_of_any_length_are_refused_in_no_time() {
    // whatever tracks back takes years here
    for sign in [",", "/", "/,", "?", "&words=", "%2C", ";", ".", "#"] {
        let hostile = sign.repeat(50_000 / sign.len());
        for uri in [format!("file://{hostile}"), format!("tree:{hostile}"), format!("page:{hostile}/")] {
            let found = (file::Vars::from_uri(&uri), tree::Vars::from_uri(&uri), page::Vars::from_uri(&uri));
            assert_eq!((found.1, found.2), (None, None), "{sign}");
        }
    }
    assert_eq!(
        templates::slash_list::Vars::from_uri(&format!("slash-list:/{}", ",".repeat(50_000))).unwrap().list.len(),
        1
    );
    assert_eq!(templates::slash_list::Vars::from_uri(&format!("slash-list:/{}", ",".repeat(70_000))), None);
}

//! `generate --watch`: what is written follows the contract, whatever becomes of it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use support::{Sandbox, WEATHER};

/// Long enough for any machine: a test that waits so long has failed.
const LONG: Duration = Duration::from_secs(60);

struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn begin(sandbox: &Sandbox, specs: &str) -> Self {
        let mut command = sandbox.command(&["generate", specs, "-o", "gen", "--watch"]);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("run mcp-codegen");
        let told = BufReader::new(child.stderr.take().expect("its talk"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || told.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let watch = Self { child, lines };
        watch.round();
        watch
    }

    /// All that is said up to the end of a round.
    fn round(&self) -> String {
        let mut told = String::new();
        loop {
            let line = self.lines.recv_timeout(LONG).unwrap_or_else(|error| panic!("{error}; so far: {told}"));
            if line.starts_with("watching ") {
                return told;
            }
            told += &line;
            told.push('\n');
        }
    }

    #[cfg(unix)]
    fn interrupt(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
        self.child.wait().expect("its end").code()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_change_is_written() {
    let sandbox = Sandbox::new();
    let watch = Watch::begin(&sandbox, "specs");
    assert!(sandbox.read("gen/tools/get_weather.rs").contains("Get current weather"));
    sandbox.write("specs/weather.toml", &WEATHER.replace("current weather", "the weather"));
    assert_eq!(watch.round(), "wrote 2 files, removed 0, 0 unchanged\n");
    assert!(sandbox.read("gen/tools/get_weather.rs").contains("Get the weather"));
}

#[test]
fn a_fault_is_told_and_recovered_from() {
    let sandbox = Sandbox::new();
    let watch = Watch::begin(&sandbox, "specs");
    let before = sandbox.read("gen/tools/get_weather.rs");
    sandbox.write("specs/weather.toml", &WEATHER.replace("description", "descripton"));
    assert!(watch.round().contains("did you mean `description`?"));
    assert_eq!(sandbox.read("gen/tools/get_weather.rs"), before);
    fs::remove_dir_all(sandbox.path("specs")).unwrap();
    assert!(watch.round().contains("error: `specs` cannot be read"));
    sandbox.write("specs/weather.toml", &WEATHER.replace("current weather", "the weather"));
    // The folder may be seen before there is a file in it.
    while !watch.round().contains("wrote 2 files") {}
}

#[test]
fn new_files_and_folders_are_seen() {
    let sandbox = Sandbox::new();
    let watch = Watch::begin(&sandbox, "specs");
    sandbox.write("specs/more/deep/echo.toml", "format = 1\n[[tools]]\nname = \"echo\"\n");
    while !sandbox.path("gen/tools/echo.rs").exists() {
        watch.round();
    }
    sandbox.write("specs/more/deep/echo.toml", "format = 1\n[[tools]]\nname = \"repeat\"\n");
    while !sandbox.path("gen/tools/repeat.rs").exists() {
        watch.round();
    }
    assert!(!sandbox.path("gen/tools/echo.rs").exists());
}

/// Editors write a new file and give it the name of the old one.
#[test]
fn a_file_that_is_replaced_is_seen_each_time() {
    let sandbox = Sandbox::new();
    let watch = Watch::begin(&sandbox, "specs/weather.toml");
    for text in ["first", "second", "third"] {
        sandbox.write("specs/.weather.toml.swp", &WEATHER.replace("current weather", text));
        fs::rename(sandbox.path("specs/.weather.toml.swp"), sandbox.path("specs/weather.toml")).unwrap();
        watch.round();
        assert!(sandbox.read("gen/tools/get_weather.rs").contains(&format!("Get {text} for a city")));
    }
}

#[test]
fn a_named_file_is_watched_too() {
    let sandbox = Sandbox::new();
    let resource = "[[resources]]\nname = \"r\"\nuri = \"x:r\"\nfile = \"../texts/r.txt\"\n";
    sandbox.write("texts/r.txt", "before");
    sandbox.write("specs/weather.toml", &format!("{WEATHER}\n{resource}"));
    let watch = Watch::begin(&sandbox, "specs");
    sandbox.write("texts/r.txt", "after");
    while !sandbox.read("gen/resources/r.rs").contains("after") {
        watch.round();
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_a_clean_end() {
    let sandbox = Sandbox::new();
    assert_eq!(Watch::begin(&sandbox, "specs").interrupt(), Some(0));
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "gen", "--check"]).code, Some(0));
}

#[test]
fn nothing_is_both_watched_and_checked() {
    assert_eq!(Sandbox::new().run(&["generate", "specs", "-o", "gen", "--watch", "--check"]).code, Some(2));
}

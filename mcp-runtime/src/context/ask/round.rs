//! One run of a handler for a stateless client: the answers that came along, the questions that go out, and the text
//! that carries both from one request to the next.

mod names;

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use sha2::{Digest, Sha256};

use self::names::{Claim, Names};
use crate::engine::Engine;
use crate::json::{Encode, Fault, ObjectRules, Reader, Tree, Writer};

/// The longest `requestState`, in bytes.
const MAX_STATE: usize = 64 << 10;
/// Bytes of a question's digest in its key.
const DIGEST: usize = 12;

/// Texts by name; each is one JSON value.
type Texts = BTreeMap<String, String>;

/// What is known and asked in one run.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// Answers that came with the request, by the key of their question.
    given: Texts,
    /// Those that were used: they go on to the next run.
    used: Texts,
    /// Results of `once`, by their own keys.
    results: Texts,
    /// Keys of the handler's own.
    names: Names,
    /// Questions so far, answered or not.
    count: usize,
    /// What the client has to answer, by key.
    questions: Vec<(String, String)>,
    /// Why the request is refused instead.
    refusal: Option<String>,
}

/// The call that a `requestState` belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) method: &'a str,
    /// The tool, the prompt or the URI.
    pub(crate) key: &'a str,
    /// JSON.
    pub(crate) arguments: &'a str,
    /// Whom the transport says that it serves, if it knows.
    pub(crate) principal: Option<&'a str>,
}

/// What the client is told.
#[derive(Debug)]
pub(super) enum Told {
    /// Its request is at fault.
    Refusal(String),
    /// Questions, as the members `inputRequests` and `requestState` of a result.
    Questions(Vec<u8>),
    /// The server's own fault.
    Failure(String),
}

impl Round {
    /// Reads what a request brought along: the JSON texts of `requestState` and `inputResponses`.
    ///
    /// # Errors
    ///
    /// Says what the client did wrong.
    pub(crate) fn resume(
        engine: &Engine,
        binding: Binding<'_>,
        (state, responses): (Option<&str>, Option<&str>),
    ) -> Result<Self, &'static str> {
        let mut round = match state {
            Some(state) => Self::open(engine, binding, state)?,
            None => Self::default(),
        };
        if let Some(responses) = responses {
            read_texts(&mut Reader::new(responses), &mut round.given)
                .map_err(|_| "`inputResponses` must be an object")?;
        }
        Ok(round)
    }

    fn open(engine: &Engine, binding: Binding<'_>, state: &str) -> Result<Self, &'static str> {
        const FOREIGN: &str = "`requestState` does not belong to this request";
        let state = Reader::new(state).string().map_err(|_| "`requestState` must be a string")?;
        if state.len() > MAX_STATE {
            return Err(FOREIGN);
        }
        let text = engine.seal.open(&state, &binding.to_bytes()).ok_or(FOREIGN)?;
        let (mut round, mut until) = (Self::default(), 0);
        let read = Reader::new(&text).object(&["until", "answers", "results", "names"], &mut |key, reader| {
            match key {
                0 => until = reader.integer()?,
                1 => read_texts(reader, &mut round.given)?,
                2 => read_texts(reader, &mut round.results)?,
                3 => round.names.read(reader)?,
                _ => reader.skip_value()?,
            }
            Ok(())
        });
        // sealed by us, or by a version of us that wrote it otherwise
        read.map_err(|_| FOREIGN)?;
        if until <= milliseconds(SystemTime::now()) {
            return Err("`requestState` has expired: call again without it");
        }
        Ok(round)
    }

    /// The key of the next question: its place and its digest, so that no answer is taken for that of another. The
    /// same is true of a key that the handler chose, for what was asked before under that key is known. `None` if it
    /// has two questions of that key.
    pub(super) fn key(&mut self, own: Option<&str>, method: &str, params: Option<&str>) -> Option<String> {
        self.count += 1;
        let digest = digest(method, params);
        let Some(own) = own else { return Some(format!("{}-{digest}", self.count)) };
        match self.names.claim(own, &digest) {
            Claim::Own => {}
            Claim::Other => drop(self.given.remove(own)),
            Claim::Taken => return None,
        }
        Some(own.to_owned())
    }

    /// The answer to a question, if it came.
    pub(super) fn answer(&mut self, key: &str) -> Option<&str> {
        let (key, answer) = self.given.remove_entry(key)?;
        Some(self.used.entry(key).or_insert(answer))
    }

    /// Records a question.
    pub(super) fn ask(&mut self, key: String, method: &str, params: Option<&str>) {
        self.questions.push((key, question(method, params)));
    }

    /// Records that the client's answers are at fault; the first reason is told.
    pub(super) fn refuse(&mut self, why: String) {
        self.refusal.get_or_insert(why);
    }

    /// What `once` gave under this key.
    pub(super) fn result(&self, key: &str) -> Option<String> {
        self.results.get(key).cloned()
    }

    /// Keeps what `once` gave.
    pub(super) fn remember(&mut self, key: &str, json: String) {
        self.results.insert(key.to_owned(), json);
    }

    /// Ends the run with what the client is told.
    pub(super) fn tell(self, engine: &Engine, binding: Binding<'_>) -> Told {
        if let Some(refusal) = self.refusal {
            return Told::Refusal(refusal);
        }
        let until = SystemTime::now() + engine.limits.answer;
        let state = match engine.seal.close(&self.state(until), &binding.to_bytes()) {
            Ok(state) => state,
            Err(error) => return Told::Failure(format!("answers cannot be kept: {error}")),
        };
        if state.len() > MAX_STATE {
            let size = MAX_STATE >> 10;
            return Told::Failure(format!("the answers and results of this call are too long to be kept: {size} KiB"));
        }
        let mut out = br#""inputRequests":"#.to_vec();
        let mut writer = Writer::new(&mut out);
        writer.begin_object();
        for (key, request) in &self.questions {
            writer.entry(key, &Json(request));
        }
        writer.end_object();
        out.extend_from_slice(br#","requestState":"#);
        Writer::new(&mut out).string(&state);
        Told::Questions(out)
    }

    fn state(&self, until: SystemTime) -> String {
        let mut text = Vec::new();
        let mut writer = Writer::new(&mut text);
        writer.begin_object();
        writer.member(r#""until":"#, &milliseconds(until));
        writer.member(r#""answers":"#, &Members(&self.used));
        writer.member(r#""results":"#, &Members(&self.results));
        writer.member(r#""names":"#, &self.names);
        writer.end_object();
        String::from_utf8(text).unwrap_or_default()
    }
}

impl Binding<'_> {
    /// The same bytes for the same call, and for no other. A client may write the arguments of its retry in another
    /// order.
    fn to_bytes(self) -> Vec<u8> {
        let arguments = Tree::parse(self.arguments).map(|tree| tree.to_sorted_text()).unwrap_or_default();
        let mut bytes = Vec::new();
        for part in [Some(self.method), Some(self.key), Some(arguments.as_str()), self.principal] {
            // a length that no part has stands for none
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(part.unwrap_or_default().as_bytes());
        }
        bytes
    }
}

/// A question as an entry of `inputRequests`.
pub(super) fn question(method: &str, params: Option<&str>) -> String {
    let mut request = Vec::new();
    let mut writer = Writer::new(&mut request);
    writer.begin_object();
    writer.member(r#""method":"#, &method);
    writer.optional(r#""params":"#, &params.map(Json));
    writer.end_object();
    String::from_utf8(request).unwrap_or_default()
}

/// A text that is one JSON value already.
struct Json<'a>(&'a str);

impl Encode for Json<'_> {
    fn encode(&self, w: &mut Writer<'_>) {
        w.raw(self.0);
    }
}

struct Members<'a>(&'a Texts);

impl Encode for Members<'_> {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_object();
        for (key, json) in self.0 {
            w.entry(key, &Json(json));
        }
        w.end_object();
    }
}

fn read_texts(reader: &mut Reader<'_>, texts: &mut Texts) -> Result<(), Fault> {
    reader.map(&ObjectRules::ANY, &mut |key, reader| {
        texts.insert(key, reader.raw_value()?.to_owned());
        Ok(())
    })
}

/// What tells a question from others.
fn digest(method: &str, params: Option<&str>) -> String {
    let mut hash = Sha256::new();
    hash.update(method.as_bytes());
    hash.update([0]);
    hash.update(params.unwrap_or_default().as_bytes());
    BASE64.encode(&hash.finalize()[..DIGEST])
}

/// Since 1970.
fn milliseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: Binding<'_> =
        Binding { method: "tools/call", key: "delete", arguments: r#"{"a":1,"b":[2]}"#, principal: None };

    #[test]
    fn the_order_and_spacing_of_arguments_do_not_count() {
        let same = Binding { arguments: r#"{ "b": [2], "a": 1 }"#, ..CALL };
        assert_eq!(CALL.to_bytes(), same.to_bytes());
    }

    #[test]
    fn every_part_of_a_call_counts() {
        for other in [
            Binding { method: "prompts/get", ..CALL },
            Binding { key: "delete_all", ..CALL },
            Binding { arguments: r#"{"a":1,"b":[3]}"#, ..CALL },
            Binding { principal: Some(""), ..CALL },
            Binding { principal: Some("somebody"), ..CALL },
        ] {
            assert_ne!(CALL.to_bytes(), other.to_bytes(), "{other:?}");
        }
    }

    #[test]
    fn a_question_is_known_by_its_place_and_its_text() {
        let keys = |questions: &[&str]| {
            let mut round = Round::default();
            questions.iter().map(|params| round.key(None, "elicitation/create", Some(params))).collect::<Vec<_>>()
        };
        let (first, second) = (keys(&["a", "b"]), keys(&["b", "b"]));
        assert_ne!(first[0], second[0]);
        assert_eq!(first[1], second[1]);
        assert_ne!(second[0], second[1]);
    }
}

//! How each era spells a task.

use crate::json::{Reader, Writer};
use crate::jsonrpc;
use crate::task::record::{Outcome, Record};
use crate::task::time;

impl Record {
    /// Appends the members of a task.
    pub(crate) fn write(&self, poll_interval: u64, out: &mut Vec<u8>) {
        let mut writer = Writer::new(out);
        writer.member(r#""taskId":"#, &self.id);
        writer.member(r#""status":"#, &self.status.as_str());
        writer.optional(r#""statusMessage":"#, &self.message);
        writer.member(r#""createdAt":"#, &time::timestamp(self.created));
        writer.member(r#""lastUpdatedAt":"#, &time::timestamp(self.updated));
        if self.has_session {
            writer.member(r#""ttl":"#, &self.ttl);
            writer.member(r#""pollInterval":"#, &poll_interval);
        } else {
            writer.member(r#""ttlMs":"#, &self.ttl);
            writer.member(r#""pollIntervalMs":"#, &poll_interval);
        }
    }

    /// Appends the members of a task and what has come of it, as stateless clients see it.
    pub(crate) fn write_whole(&self, poll_interval: u64, out: &mut Vec<u8>) {
        self.write(poll_interval, out);
        let mut member = |key: &str, json: &str| {
            out.extend_from_slice(key.as_bytes());
            out.extend_from_slice(json.as_bytes());
        };
        match &self.outcome {
            Some(Outcome::Error(error)) => member(r#","error":"#, error),
            Some(Outcome::Result(result)) => member(r#","result":"#, result),
            None => {}
        }
        if self.questions.is_empty() {
            return;
        }
        for (index, (key, question)) in self.questions.iter().enumerate() {
            out.extend_from_slice(if index == 0 { br#","inputRequests":{"#.as_slice() } else { b"," });
            Writer::new(out).string(key);
            out.push(b':');
            out.extend_from_slice(question.as_bytes());
        }
        out.push(b'}');
    }

    /// Appends `"result":{…}` or `"error":{…}`: what the call would have been answered with, and whose task it was.
    pub(crate) fn write_outcome(&self, out: &mut Vec<u8>) {
        match &self.outcome {
            Some(Outcome::Error(error)) => {
                out.extend_from_slice(br#""error":"#);
                out.extend_from_slice(error.as_bytes());
            }
            Some(Outcome::Result(result)) => {
                out.extend_from_slice(br#""result":"#);
                write_related(result, &self.id, out);
            }
            None => {
                let why = "the task was cancelled: it has no result";
                out.extend_from_slice(br#""error":"#);
                jsonrpc::write_object(out, (jsonrpc::ErrorCode::InvalidParams.code(), why), None);
            }
        }
    }
}

/// Appends an object of JSON with the id of its task in its `_meta`.
pub(crate) fn write_related(object: &str, id: &str, out: &mut Vec<u8>) {
    let mut meta = "{}";
    let mut members = Vec::new();
    let read = Reader::new(object).object(&["_meta"], &mut |key, reader| {
        if key == 0 {
            meta = reader.raw_value()?;
            return Ok(());
        }
        members.push(b',');
        Writer::new(&mut members).string(&reader.key());
        members.push(b':');
        members.extend_from_slice(reader.raw_value()?.as_bytes());
        Ok(())
    });
    debug_assert!(read.is_ok(), "an object that we wrote: {object}");
    out.extend_from_slice(br#"{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"#);
    Writer::new(out).string(id);
    out.push(b'}');
    let rest = meta.trim_start_matches('{').trim_start();
    if !rest.starts_with('}') {
        out.push(b',');
    }
    out.extend_from_slice(rest.as_bytes());
    out.extend_from_slice(&members);
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_task_is_named_beside_the_meta_that_is_there() {
        let related = |object: &str| {
            let mut out = Vec::new();
            write_related(object, "7", &mut out);
            String::from_utf8(out).unwrap()
        };
        let own = r#"{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"7"}"#;
        assert_eq!(related("{}"), format!("{own}}}}}"));
        assert_eq!(related(r#"{"a":1,"_meta":{ "x":2},"b":[]}"#), format!(r#"{own},"x":2}},"a":1,"b":[]}}"#));
    }
}

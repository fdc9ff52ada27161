//! The answer of a tool with an output schema: structured content, held against the schema if asked, and text.

use crate::context::drive::Ended;
use crate::context::{Answer, Beside, Context, Outcome};
use crate::json::{Encode, Reader, Writer};
use crate::response::{Content, write_content};
use crate::tool_error::ToolError;
use crate::validate::{Options, judge};

impl Context {
    /// Writes the answer of a tool with an output schema: as structured content, and as text for who reads only that.
    #[must_use]
    pub fn structured<T: Encode>(self, outcome: Outcome<T, ToolError>) -> Answer {
        match outcome.0 {
            Ended::Succeeded(output) => self.finish_structured(&output),
            Ended::Failed(error) => self.fail(&error),
            Ended::Asked => self.input_required("tools/call"),
        }
    }

    fn finish_structured(self, output: &dyn Encode) -> Answer {
        self.try_finish(|context, beside, out| {
            let revision = context.state.head.revision;
            if !revision.has_structured_content() {
                return context.write_as_text(output, beside, out);
            }
            let key = out.len();
            out.extend_from_slice(br#""structuredContent":"#);
            let start = out.len();
            context.write_output(output, out)?;
            let end = out.len();
            if out.get(start) != Some(&b'{') && !revision.has_any_structured_content() {
                out.truncate(key);
                return context.write_as_text(output, beside, out);
            }
            out.extend_from_slice(br#","content":[{"type":"text","text":"#);
            crate::json::quote_within(out, start..end);
            out.push(b'}');
            for content in &beside.content {
                out.push(b',');
                content.write(revision, out);
            }
            out.push(b']');
            Ok(())
        })
    }

    /// For clients from before structured results: the JSON as a text block.
    fn write_as_text(&self, output: &dyn Encode, beside: &Beside, out: &mut Vec<u8>) -> Result<(), String> {
        let mut json = Vec::new();
        self.write_output(output, &mut json)?;
        let text = Content::text(String::from_utf8_lossy(&json));
        out.extend_from_slice(br#""content":"#);
        write_content(std::iter::once(&text).chain(&beside.content), self.state.head.revision, out);
        Ok(())
    }

    /// Writes what the handler made, unless it breaks its schema.
    fn write_output(&self, output: &dyn Encode, out: &mut Vec<u8>) -> Result<(), String> {
        let start = out.len();
        let mut writer = Writer::new(out);
        output.encode(&mut writer);
        if !writer.is_sound() {
            return Err("the result holds an infinity or NaN, which its schema does not allow".to_owned());
        }
        if self.state.peer.engine.check_outputs { self.check_output(&out[start..]) } else { Ok(()) }
    }

    /// Holds a result against the tool's output schema. What it holds is not shown: it can be secret.
    fn check_output(&self, output: &[u8]) -> Result<(), String> {
        let Some(tool) = self.state.tool else { return Ok(()) };
        let schema = tool.output_schema.or_else(|| Reader::new(tool.definition).member("outputSchema"));
        let Some(schema) = schema else { return Ok(()) };
        let output = String::from_utf8_lossy(output);
        let judgement = judge(schema, &output, &Options { patterns: Some(&tool.patterns), ..Options::default() });
        if judgement.faults.is_empty() {
            return Ok(());
        }
        let told = judgement.faults.iter().map(|fault| {
            let place = if fault.pointer.is_empty() { "the result" } else { &fault.pointer };
            match (fault.problem, &fault.expected) {
                (Some(problem), _) => format!("{place}: {}", problem.replace("argument", "member")),
                (None, Some(expected)) => format!("{place}: expected {expected}"),
                (None, None) => format!("{place}: invalid"),
            }
        });
        let told: Vec<String> = told.collect();
        Err(format!("the result of `{}` breaks its output schema: {}", tool.name, told.join("; ")))
    }
}

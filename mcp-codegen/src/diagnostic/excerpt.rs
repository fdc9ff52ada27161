//! Which pieces of the texts a finding shows.
//!
//! A renderer looks at all of the text that it is given, and a contract can be a megabyte on one line: each finding
//! gets the lines around its labels, and of a very long line the part around them.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Origin, Snippet};

use crate::diagnostic::{Diagnostic, Label};
use crate::source::{FileId, Sources, Span};

/// No excerpt takes more bytes: labels that lie further apart get one each.
const MAX_BYTES: usize = 8 * 1024;

/// What is shown of a long line before and after a label.
const MARGIN: usize = 200;

/// A piece of one file, and the labels in it.
struct Excerpt<'d> {
    file: FileId,
    range: Range<usize>,
    labels: Vec<(AnnotationKind, &'d Label)>,
}

/// The excerpts of a finding, that of the primary label first.
pub(super) fn excerpts<'d>(finding: &'d Diagnostic, sources: &'d Sources) -> Vec<Element<'d>> {
    let mut excerpts: Vec<Excerpt<'d>> = Vec::new();
    let secondary = finding.secondary.iter().map(|label| (AnnotationKind::Context, label));
    let labels = std::iter::once((AnnotationKind::Primary, &finding.primary)).chain(secondary);
    for (kind, label) in labels.filter(|(_, label)| sources.has(label.span)) {
        let file = label.span.file;
        let range = around(&sources.file(file).text, label.span);
        let near = excerpts
            .iter_mut()
            .find(|excerpt| excerpt.file == file && span_of(&excerpt.range, &range).len() <= MAX_BYTES);
        if let Some(excerpt) = near {
            excerpt.range = span_of(&excerpt.range, &range);
            excerpt.labels.push((kind, label));
        } else {
            excerpts.push(Excerpt { file, range, labels: vec![(kind, label)] });
        }
    }
    excerpts.iter().flat_map(|excerpt| excerpt.elements(sources)).collect()
}

impl<'d> Excerpt<'d> {
    fn elements(&self, sources: &'d Sources) -> Vec<Element<'d>> {
        let source = sources.file(self.file);
        let text = source.text.as_str();
        let annotations = self.labels.iter().map(|(kind, label)| {
            let range = within(text, label.span);
            let end = range.end.min(self.range.end);
            let annotation = kind.span(range.start - self.range.start..end - self.range.start);
            if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
        });
        let snippet = Snippet::source(&text[self.range.clone()]).annotations(annotations);
        let (line, column) = sources.position(self.file, self.range.start);
        if column == 1 {
            return vec![snippet.line_start(line).path(source.shown()).into()];
        }
        // A piece of a line does not know its column.
        let first = self.labels.first().map_or(self.range.start, |(_, label)| within(text, label.span).start);
        let (line, column) = sources.position(self.file, first);
        let origin = Origin::path(source.shown()).line(line).char_column(column);
        vec![origin.into(), snippet.line_start(line).into()]
    }
}

/// The lines of a span; of what is too long the part around its beginning.
fn around(text: &str, span: Span) -> Range<usize> {
    let range = within(text, span);
    let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |newline| range.end + newline);
    if end - start <= MAX_BYTES {
        return start..end;
    }
    let cut = |offset: usize| floor_char(text, offset);
    let start = start.max(cut(range.start.saturating_sub(MARGIN)));
    let line_end = text[range.start..].find('\n').map_or(text.len(), |newline| range.start + newline);
    start..line_end.min(cut(range.start + MARGIN))
}

fn span_of(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

/// The span's bytes, cut to the text and to whole characters.
pub(super) fn within(text: &str, span: Span) -> Range<usize> {
    let end = floor_char(text, span.end as usize);
    floor_char(text, span.start as usize).min(end)..end
}

fn floor_char(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

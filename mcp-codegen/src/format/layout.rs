//! Where lines break: Oppen's algorithm, as prettyplease has it, over text that is borrowed.
//!
//! Adapted from prettyplease's `algorithm.rs`, which comes from rustc (both MIT or Apache-2.0). Same calls, same text.

use std::collections::VecDeque;

/// Columns of a line.
const MARGIN: i32 = 89;
/// Columns that are left to a line, however far it is indented.
const MIN_SPACE: i32 = 60;
/// Wider than any line.
const INFINITY: i32 = 0xffff;
const SPACES: &str = "                                                                ";

#[derive(Clone, Copy, PartialEq)]
enum Breaks {
    /// All of a box, or none.
    Consistent,
    /// Each where it is needed.
    Inconsistent,
}

/// A place where the line can end.
#[derive(Clone, Copy, Default)]
pub(super) struct Break {
    pub(super) offset: i32,
    pub(super) blanks: i32,
    /// Stands at the end of the line, if it ends here.
    pub(super) before: Option<char>,
    /// Begins the next line, if this one ends here.
    pub(super) after: Option<char>,
    /// Stands here, if the line goes on.
    pub(super) instead: Option<char>,
    /// Vanishes at the end of a box.
    pub(super) if_nonempty: bool,
    /// Ends no line; it only parts what comes before from what follows.
    pub(super) never: bool,
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Begin(i32, Breaks),
    Break(Break),
    End,
    Text(&'a str),
}

struct Entry<'a> {
    token: Token<'a>,
    /// How wide it is with what belongs to it; negative while that is not known.
    size: i32,
}

#[derive(Clone, Copy)]
enum Frame {
    Broken(i32, Breaks),
    Fits,
}

/// Text on its way to lines.
#[derive(Default)]
pub(super) struct Layout<'a> {
    out: String,
    /// Columns left on the line.
    space: i32,
    buffer: VecDeque<Entry<'a>>,
    /// How many entries have left the buffer: what `waiting` counts from.
    gone: usize,
    left_total: i32,
    right_total: i32,
    /// Entries whose size is not known yet.
    waiting: VecDeque<usize>,
    frames: Vec<Frame>,
    indent: i32,
    pending: i32,
}

impl<'a> Layout<'a> {
    pub(super) fn new() -> Self {
        Self { space: MARGIN, ..Self::default() }
    }

    /// Prints what still waits. An item ends here.
    pub(super) fn flush(&mut self) {
        if !self.waiting.is_empty() {
            self.settle();
            self.advance();
        }
    }

    /// What is printed so far.
    pub(super) fn text(&mut self) -> &mut String {
        &mut self.out
    }

    /// Forgets an item that was begun when the text was so long.
    pub(super) fn forget(&mut self, length: usize) {
        let mut out = std::mem::take(&mut self.out);
        out.truncate(length);
        *self = Self { out, ..Self::new() };
    }

    /// A box whose breaks end lines where they must.
    pub(super) fn ibox(&mut self, indent: i32) {
        self.begin(indent, Breaks::Inconsistent);
    }

    /// A box whose breaks end all lines, or none.
    pub(super) fn cbox(&mut self, indent: i32) {
        self.begin(indent, Breaks::Consistent);
    }

    pub(super) fn space(&mut self) {
        self.break_with(Break { blanks: 1, ..Break::default() });
    }

    pub(super) fn zerobreak(&mut self) {
        self.break_with(Break::default());
    }

    pub(super) fn neverbreak(&mut self) {
        self.break_with(Break { never: true, ..Break::default() });
    }

    pub(super) fn hardbreak(&mut self) {
        self.break_with(Break { blanks: INFINITY, ..Break::default() });
    }

    pub(super) fn hardbreak_if_nonempty(&mut self) {
        self.break_with(Break { blanks: INFINITY, if_nonempty: true, ..Break::default() });
    }

    pub(super) fn space_if_nonempty(&mut self) {
        self.break_with(Break { blanks: 1, if_nonempty: true, ..Break::default() });
    }

    /// A comma between elements; after the last only where the line ends.
    pub(super) fn comma(&mut self, is_last: bool) {
        self.comma_or(is_last, 0);
    }

    /// The same, and after the last a blank where the line goes on.
    pub(super) fn comma_or_space(&mut self, is_last: bool) {
        self.comma_or(is_last, 1);
    }

    fn comma_or(&mut self, is_last: bool, blanks: i32) {
        if is_last {
            self.break_with(Break { blanks, before: Some(','), ..Break::default() });
        } else {
            self.word(",");
            self.space();
        }
    }

    fn begin(&mut self, indent: i32, breaks: Breaks) {
        self.start_if_idle();
        let at = self.push(Token::Begin(indent, breaks), -self.right_total);
        self.waiting.push_back(at);
    }

    pub(super) fn end(&mut self) {
        if self.waiting.is_empty() {
            return self.print_end();
        }
        if let Some(Entry { token: Token::Break(last), .. }) = self.buffer.back() {
            let (blanks, if_nonempty) = (last.blanks, last.if_nonempty);
            let count = self.buffer.len();
            let is_empty = count >= 2 && matches!(self.buffer[count - 2].token, Token::Begin(..));
            if is_empty || if_nonempty {
                self.buffer.pop_back();
                self.waiting.pop_back();
                self.right_total -= blanks;
            }
            if is_empty {
                self.buffer.pop_back();
                self.waiting.pop_back();
                return;
            }
        }
        let at = self.push(Token::End, -1);
        self.waiting.push_back(at);
    }

    /// Ends a box that stays on one line only if it is no wider than this.
    pub(super) fn end_with_max_width(&mut self, max: i32) {
        let mut depth = 1;
        for &at in self.waiting.iter().rev() {
            let entry = &self.buffer[at - self.gone];
            match entry.token {
                Token::Begin(..) => depth -= 1,
                Token::End => depth += 1,
                Token::Break(_) | Token::Text(_) => {}
            }
            if depth == 0 {
                if entry.size < 0 && entry.size + self.right_total > max {
                    self.push(Token::Text(""), INFINITY);
                    self.right_total += INFINITY;
                }
                break;
            }
        }
        self.end();
    }

    pub(super) fn break_with(&mut self, token: Break) {
        if !self.start_if_idle() {
            self.settle();
        }
        let at = self.push(Token::Break(token), -self.right_total);
        self.waiting.push_back(at);
        self.right_total += token.blanks;
    }

    pub(super) fn word(&mut self, text: &'a str) {
        if self.waiting.is_empty() {
            return self.print_text(text);
        }
        self.push(Token::Text(text), width(text));
        self.right_total += width(text);
        self.flow();
    }

    /// Moves the break that was last: in or out.
    pub(super) fn offset(&mut self, offset: i32) {
        if let Some(Entry { token: Token::Break(last), .. }) = self.buffer.back_mut() {
            last.offset += offset;
        }
    }

    pub(super) fn ends_with(&self, sign: char) -> bool {
        let texts = self.buffer.iter().rev().find_map(|entry| match entry.token {
            Token::Text(text) => Some(text),
            Token::Begin(..) | Token::Break(_) | Token::End => None,
        });
        texts.unwrap_or(&self.out).ends_with(sign)
    }

    fn push(&mut self, token: Token<'a>, size: i32) -> usize {
        self.buffer.push_back(Entry { token, size });
        self.gone + self.buffer.len() - 1
    }

    /// Nothing waits: what was counted so far is of no use any more.
    fn start_if_idle(&mut self) -> bool {
        let idle = self.waiting.is_empty();
        if idle {
            (self.left_total, self.right_total) = (1, 1);
            self.gone += self.buffer.len();
            self.buffer.clear();
        }
        idle
    }

    /// Lets go of what cannot fit on the line any more.
    fn flow(&mut self) {
        while self.right_total - self.left_total > self.space {
            if self.waiting.front() == Some(&self.gone) {
                self.waiting.pop_front();
                if let Some(first) = self.buffer.front_mut() {
                    first.size = INFINITY;
                }
            }
            self.advance();
            if self.buffer.is_empty() {
                break;
            }
        }
    }

    /// Prints as far as sizes are known.
    fn advance(&mut self) {
        while self.buffer.front().is_some_and(|entry| entry.size >= 0) {
            let Some(entry) = self.buffer.pop_front() else { return };
            self.gone += 1;
            match entry.token {
                Token::Text(text) => {
                    self.left_total += entry.size;
                    self.print_text(text);
                }
                Token::Break(token) => {
                    self.left_total += token.blanks;
                    self.print_break(token, entry.size);
                }
                Token::Begin(indent, breaks) if entry.size > self.space => {
                    self.frames.push(Frame::Broken(self.indent, breaks));
                    self.indent += indent;
                }
                Token::Begin(..) => self.frames.push(Frame::Fits),
                Token::End => self.print_end(),
            }
        }
    }

    /// Gives sizes to what ends here: closed boxes, and the break before.
    fn settle(&mut self) {
        let mut depth = 0;
        while let Some(&at) = self.waiting.back() {
            let entry = &mut self.buffer[at - self.gone];
            match entry.token {
                Token::Begin(..) if depth == 0 => break,
                Token::Begin(..) => {
                    entry.size += self.right_total;
                    depth -= 1;
                }
                Token::End => {
                    entry.size = 1;
                    depth += 1;
                }
                Token::Break(_) | Token::Text(_) => entry.size += self.right_total,
            }
            let is_break = matches!(entry.token, Token::Break(_));
            self.waiting.pop_back();
            if is_break && depth == 0 {
                break;
            }
        }
    }

    fn print_end(&mut self) {
        if let Some(Frame::Broken(indent, _)) = self.frames.pop() {
            self.indent = indent;
        }
    }

    fn print_break(&mut self, token: Break, size: i32) {
        let fits = token.never
            || match self.frames.last() {
                Some(Frame::Fits) => true,
                Some(Frame::Broken(_, Breaks::Consistent)) => false,
                Some(Frame::Broken(_, Breaks::Inconsistent)) | None => size <= self.space,
            };
        if fits {
            self.pending += token.blanks;
            self.space -= token.blanks;
            if let Some(sign) = token.instead {
                self.out.push(sign);
                self.space -= 1;
            }
            return;
        }
        if let Some(sign) = token.before {
            self.print_indent();
            self.out.push(sign);
        }
        self.out.push('\n');
        let indent = self.indent + token.offset;
        self.pending = indent;
        self.space = (MARGIN - indent).max(MIN_SPACE);
        if let Some(sign) = token.after {
            self.print_indent();
            self.out.push(sign);
            self.space -= 1;
        }
    }

    fn print_text(&mut self, text: &str) {
        self.print_indent();
        self.out.push_str(text);
        self.space -= width(text);
    }

    fn print_indent(&mut self) {
        let mut left = usize::try_from(self.pending).unwrap_or_default();
        while left > 0 {
            let some = left.min(SPACES.len());
            self.out.push_str(&SPACES[..some]);
            left -= some;
        }
        self.pending = 0;
    }
}

/// As prettyplease counts: bytes.
fn width(text: &str) -> i32 {
    i32::try_from(text.len()).unwrap_or(INFINITY)
}

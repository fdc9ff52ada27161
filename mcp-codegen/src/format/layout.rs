//! Where lines break: Oppen's algorithm, as prettyplease has it, but for one item at a time.
//!
//! Adapted from prettyplease's `algorithm.rs`, which comes from rustc (both MIT or Apache-2.0). Same calls, same text. An item is
//! printed once all its widths are known, so that nothing is looked ahead for, and words that stand together are one.

/// Columns of a line.
const MARGIN: i64 = 89;
/// Columns that are left to a line, however far it is indented.
const MIN_SPACE: i64 = 60;
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
enum Token {
    Begin(i32, Breaks),
    Break(Break),
    End,
    /// Wider than any line, though nothing stands there.
    Wide,
}

struct Entry {
    token: Token,
    /// How long the words before it are.
    at: usize,
    /// How wide it is with what belongs to it; negative while that is not known.
    size: i64,
}

#[derive(Clone, Copy)]
enum Frame {
    Broken(i32, Breaks),
    Fits,
}

/// Text on its way to lines.
#[derive(Default)]
pub(super) struct Layout {
    out: String,
    /// Columns left on the line.
    space: i64,
    /// The item that is not printed yet, and its words.
    entries: Vec<Entry>,
    words: String,
    /// How wide it is so far.
    total: i64,
    /// Entries whose size is not known yet.
    waiting: Vec<usize>,
    frames: Vec<Frame>,
    indent: i32,
    pending: i64,
}

impl Layout {
    /// With room for so much text.
    pub(super) fn new(room: usize) -> Self {
        Self { out: String::with_capacity(room), space: MARGIN, ..Self::default() }
    }

    /// What is printed so far.
    pub(super) fn text(&mut self) -> &mut String {
        &mut self.out
    }

    pub(super) fn into_text(self) -> String {
        self.out
    }

    /// Begins an item.
    pub(super) fn begin_item(&mut self) {
        self.entries.clear();
        self.words.clear();
        self.waiting.clear();
        self.total = 1;
        self.cbox(0);
    }

    /// Prints the item, which ends here. One that does not end is never printed.
    pub(super) fn end_item(&mut self) {
        self.end();
        self.settle();
        self.print();
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
        self.wait(Token::Begin(indent, breaks), -self.total);
    }

    pub(super) fn end(&mut self) {
        if let Some(&mut Break { blanks, if_nonempty, .. }) = self.last_break() {
            let is_begin = |before: &Entry| matches!(before.token, Token::Begin(..)) && before.at == self.words.len();
            let is_empty = self.entries.iter().nth_back(1).is_some_and(is_begin);
            if is_empty || if_nonempty {
                self.entries.pop();
                self.waiting.pop();
                self.total -= i64::from(blanks);
            }
            if is_empty {
                self.entries.pop();
                self.waiting.pop();
                return;
            }
        }
        self.wait(Token::End, -1);
    }

    /// Ends a box that stays on one line only if it is no wider than this.
    pub(super) fn end_with_max_width(&mut self, max: i64) {
        let mut depth = 1;
        for &at in self.waiting.iter().rev() {
            let entry = &self.entries[at];
            match entry.token {
                Token::Begin(..) => depth -= 1,
                Token::End => depth += 1,
                Token::Break(_) | Token::Wide => {}
            }
            if depth == 0 {
                if entry.size + self.total > max {
                    self.entries.push(Entry { token: Token::Wide, at: self.words.len(), size: 0 });
                    self.total += i64::from(INFINITY);
                }
                break;
            }
        }
        self.end();
    }

    pub(super) fn break_with(&mut self, token: Break) {
        self.settle();
        self.wait(Token::Break(token), -self.total);
        self.total += i64::from(token.blanks);
    }

    pub(super) fn word(&mut self, text: &str) {
        self.words.push_str(text);
        self.total += width(text);
    }

    /// Moves the break that was last: in or out.
    pub(super) fn offset(&mut self, offset: i32) {
        if let Some(last) = self.last_break() {
            last.offset += offset;
        }
    }

    /// The break that was last, if no word has come since.
    fn last_break(&mut self) -> Option<&mut Break> {
        match self.entries.last_mut()? {
            Entry { token: Token::Break(last), at, .. } if *at == self.words.len() => Some(last),
            _ => None,
        }
    }

    /// Whether this is the last sign of the item so far.
    pub(super) fn ends_with(&self, sign: char) -> bool {
        self.words.ends_with(sign)
    }

    /// Adds what will be as wide as what is still to come.
    fn wait(&mut self, token: Token, size: i64) {
        self.waiting.push(self.entries.len());
        self.entries.push(Entry { token, at: self.words.len(), size });
    }

    /// Gives sizes to what ends here: closed boxes, and the break before.
    fn settle(&mut self) {
        let mut depth = 0;
        while let Some(&at) = self.waiting.last() {
            let entry = &mut self.entries[at];
            match entry.token {
                Token::Begin(..) if depth == 0 => break,
                Token::Begin(..) => {
                    entry.size += self.total;
                    depth -= 1;
                }
                Token::End => {
                    entry.size = 1;
                    depth += 1;
                }
                Token::Break(_) | Token::Wide => entry.size += self.total,
            }
            let is_break = matches!(entry.token, Token::Break(_));
            self.waiting.pop();
            if is_break && depth == 0 {
                break;
            }
        }
    }

    fn print(&mut self) {
        let (entries, words) = (std::mem::take(&mut self.entries), std::mem::take(&mut self.words));
        let mut printed = 0;
        for Entry { token, at, size } in &entries {
            if printed < *at {
                self.print_text(&words[printed..*at]);
                printed = *at;
            }
            match *token {
                Token::Break(token) => self.print_break(token, *size),
                Token::Begin(indent, breaks) if *size > self.space => {
                    self.frames.push(Frame::Broken(self.indent, breaks));
                    self.indent += indent;
                }
                Token::Begin(..) => self.frames.push(Frame::Fits),
                Token::End => self.print_end(),
                Token::Wide => {}
            }
        }
        (self.entries, self.words) = (entries, words);
    }

    fn print_end(&mut self) {
        if let Some(Frame::Broken(indent, _)) = self.frames.pop() {
            self.indent = indent;
        }
    }

    fn print_break(&mut self, token: Break, size: i64) {
        let fits = token.never
            || match self.frames.last() {
                Some(Frame::Fits) => true,
                Some(Frame::Broken(_, Breaks::Consistent)) => false,
                Some(Frame::Broken(_, Breaks::Inconsistent)) | None => size <= self.space,
            };
        if fits {
            self.pending += i64::from(token.blanks);
            self.space -= i64::from(token.blanks);
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
        let indent = i64::from(self.indent + token.offset);
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
        if self.pending == 0 {
            return;
        }
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
fn width(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

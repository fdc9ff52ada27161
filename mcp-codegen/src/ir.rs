//! What will be generated: names decided, references resolved, types interned. No tokens, and no undecided name.

//! Finds the paths in a Rust source: `crate::a::b`, `use crate::{a, b::c}`, `super::super::a`, `std::fs`.
//!
//! The source is cut into words and symbols first, which drops comments, documentation, strings and characters.
//! It is no parser: it knows just enough to tell a path from the rest.

// Cutting a source into tokens

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    PathSeparator,
    Symbol(char),
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn skip(&mut self, count: usize) {
        let end = (self.at + count).min(self.chars.len());
        self.line += self.chars[self.at..end]
            .iter()
            .filter(|&&c| c == '\n')
            .count();
        self.at = end;
    }

    fn skip_until(&mut self, end: &str) {
        let end: Vec<char> = end.chars().collect();
        while self.at < self.chars.len() && !self.chars[self.at..].starts_with(&end) {
            self.skip(1);
        }
        self.skip(end.len());
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    self.skip(1);
                    continue;
                }
            }
            self.skip(2);
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_string(&mut self) {
        self.skip(1);
        while self.at < self.chars.len() && self.peek(0) != '"' {
            self.skip(if self.peek(0) == '\\' { 2 } else { 1 });
        }
        self.skip(1);
    }

    /// Skips a character literal, or only the quote of a lifetime.
    fn skip_quote(&mut self) {
        if self.peek(1) == '\\' {
            self.skip(3);
            self.skip_until("'");
        } else {
            self.skip(if self.peek(2) == '\'' { 3 } else { 1 });
        }
    }

    /// A word, or `None` for a raw string. The `r#` of a raw identifier is dropped.
    fn word(&mut self) -> Option<String> {
        let start = self.at;
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        let word: String = self.chars[start..self.at].iter().collect();
        if matches!(word.as_str(), "r" | "br" | "cr") {
            let hashes = self.chars[self.at..]
                .iter()
                .take_while(|&&c| c == '#')
                .count();
            if self.peek(hashes) == '"' {
                self.skip(hashes + 1);
                self.skip_until(&format!("\"{}", "#".repeat(hashes)));
                return None;
            }
            if hashes == 1 && is_word(self.peek(1)) {
                self.skip(1);
                return self.word();
            }
        }
        Some(word)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The tokens of a source with their line numbers, counted from 1.
fn tokens(source: &str) -> Vec<(usize, Token)> {
    let mut lexer = Lexer {
        chars: source.chars().collect(),
        at: 0,
        line: 1,
    };
    let mut found = Vec::new();
    while lexer.at < lexer.chars.len() {
        let line = lexer.line;
        match (lexer.peek(0), lexer.peek(1)) {
            ('/', '/') => lexer.skip_until("\n"),
            ('/', '*') => lexer.skip_block_comment(),
            ('"', _) => lexer.skip_string(),
            ('\'', _) => lexer.skip_quote(),
            (':', ':') => {
                lexer.skip(2);
                found.push((line, Token::PathSeparator));
            }
            (c, _) if is_word(c) => {
                found.extend(lexer.word().map(|word| (line, Token::Word(word))));
            }
            (c, _) => {
                lexer.skip(1);
                if !c.is_whitespace() {
                    found.push((line, Token::Symbol(c)));
                }
            }
        }
    }
    found
}

// Finding paths among the tokens

/// A path as it stands in a source: its line, the module it stands in, and its segments.
pub(crate) struct FoundPath {
    pub(crate) line: usize,
    pub(crate) segments: Vec<String>,
    inside: Vec<String>,
}

/// All paths of at least two segments and everything imported by a `use`, in a source that stands in `module`.
pub(crate) fn find_paths(source: &str, module: &[String]) -> Vec<FoundPath> {
    // Depth 0 keeps the file's own module from being left at the end of an inline one.
    let inside = module.iter().map(|name| (name.clone(), 0)).collect();
    PathFinder {
        tokens: tokens(source),
        inside,
        found: Vec::new(),
    }
    .run()
}

struct PathFinder {
    tokens: Vec<(usize, Token)>,
    /// The module of the file and the inline modules around the current token, with their brace depths.
    inside: Vec<(String, usize)>,
    found: Vec<FoundPath>,
}

impl PathFinder {
    fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at).map(|(_, token)| token)
    }

    fn word(&self, at: usize) -> Option<&str> {
        match self.token(at) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn is_symbol(&self, at: usize, symbol: char) -> bool {
        self.token(at) == Some(&Token::Symbol(symbol))
    }

    fn is_separator(&self, at: usize) -> bool {
        self.token(at) == Some(&Token::PathSeparator)
    }

    /// Whether the token before continues a path: `a::` or `>::`, but not the `::` of a global path.
    fn continues_path(&self, at: usize) -> bool {
        at >= 2
            && self.is_separator(at - 1)
            && (self.word(at - 2).is_some() || self.is_symbol(at - 2, '>'))
    }

    fn run(mut self) -> Vec<FoundPath> {
        let (mut at, mut depth) = (0, 1);
        while at < self.tokens.len() {
            match self.word(at) {
                Some("mod") if self.is_symbol(at + 2, '{') => {
                    let name = self.word(at + 1).unwrap_or_default().to_owned();
                    self.inside.push((name, depth));
                    at += 2;
                }
                Some("use") if !self.is_symbol(at + 1, '<') => at = self.tree(at + 1, Vec::new()),
                Some("extern") if self.word(at + 1) == Some("crate") => {
                    at = self.tree(at + 2, Vec::new());
                }
                Some(_) if self.is_separator(at + 1) && !self.continues_path(at) => {
                    at = self.tree(at, Vec::new());
                }
                Some(_) => at += 1,
                None => {
                    if self.is_symbol(at, '{') {
                        depth += 1;
                    } else if self.is_symbol(at, '}') {
                        depth = depth.saturating_sub(1);
                        self.inside.pop_if(|(_, opened_at)| *opened_at == depth);
                    }
                    at += 1;
                }
            }
        }
        self.found
    }

    /// Reads one path or `use` tree that continues `segments`; returns the position behind it.
    fn tree(&mut self, mut at: usize, mut segments: Vec<String>) -> usize {
        loop {
            match self.token(at) {
                Some(Token::PathSeparator) => at += 1,
                Some(Token::Word(word)) => {
                    segments.push(word.clone());
                    at += 1;
                    if !self.is_separator(at) {
                        self.keep(at - 1, segments);
                        return at;
                    }
                }
                Some(Token::Symbol('*')) => {
                    segments.push("*".to_owned());
                    self.keep(at, segments);
                    return at + 1;
                }
                Some(Token::Symbol('{')) => return self.group(at + 1, &segments),
                _ => {
                    self.keep(at - 1, segments);
                    return at;
                }
            }
        }
    }

    fn group(&mut self, mut at: usize, segments: &[String]) -> usize {
        while at < self.tokens.len() && !self.is_symbol(at, '}') {
            at = self.tree(at, segments.to_vec());
            // Over `as name` to the next member.
            while at < self.tokens.len() && !self.is_symbol(at, ',') && !self.is_symbol(at, '}') {
                at += 1;
            }
            at += usize::from(self.is_symbol(at, ','));
        }
        at + 1
    }

    fn keep(&mut self, at: usize, segments: Vec<String>) {
        if segments.is_empty() {
            return;
        }
        let inside = self.inside.iter().map(|(name, _)| name.clone()).collect();
        self.found.push(FoundPath {
            line: self.tokens[at].0,
            inside,
            segments,
        });
    }
}

impl FoundPath {
    /// The path from the crate's root, if it is one of this crate; a path into another crate is `None`.
    pub(crate) fn in_this_crate(&self) -> Option<Vec<String>> {
        let mut absolute = match self.segments.first()?.as_str() {
            "crate" | "regard" => return Some(self.segments[1..].to_vec()),
            "self" | "super" => self.inside.clone(),
            _ => return None,
        };
        let steps = self
            .segments
            .iter()
            .take_while(|word| matches!(word.as_str(), "self" | "super"));
        let ups = steps.clone().filter(|word| *word == "super").count();
        absolute.truncate(absolute.len().saturating_sub(ups));
        absolute.extend_from_slice(&self.segments[steps.count()..]);
        Some(absolute)
    }
}

//! Names in accounts: UTF-8, padded with zeros to 32 bytes.

use crate::error::{Error, Result};
use crate::state::plain_struct;

/// Size of a name in bytes.
pub const NAME_SIZE: usize = 32;

plain_struct! {
    /// A name that is not empty and is UTF-8. It has no control characters (and so no zeros before the padding), no invisible
    /// ones that make it look like another name, and no space at either end.
    #[derive(Clone, Copy)]
    pub struct Name {
        padded: [u8; NAME_SIZE],
    }
}

impl Name {
    /// Accepts 1 to 32 bytes of text, else returns [`Error::NameInvalid`].
    pub fn new(text: &[u8]) -> Result<Self> {
        if text.is_empty() || text.len() > NAME_SIZE || !is_printable(text) {
            return Err(Error::NameInvalid);
        }
        let mut padded = [0; NAME_SIZE];
        // Byte by byte, because BPF has no instruction for a copy of variable length.
        for (to, from) in padded.iter_mut().zip(text) {
            *to = *from;
        }
        Ok(Self { padded })
    }

    /// Accepts a name that is already padded, else returns [`Error::NameInvalid`].
    pub fn from_padded(padded: &[u8; NAME_SIZE]) -> Result<Self> {
        let length = padded.iter().position(|&byte| byte == 0).unwrap_or(NAME_SIZE);
        let (text, padding) = padded.split_at(length);
        if padding.iter().any(|&byte| byte != 0) {
            return Err(Error::NameInvalid);
        }
        Self::new(text)
    }

    /// The padded bytes.
    pub const fn as_bytes(&self) -> &[u8; NAME_SIZE] {
        &self.padded
    }
}

/// Ranges of the characters that show nothing or change the direction of text: Unicode's format characters, its default
/// ignorable code points, both separators, and the blanks of Braille, hieroglyphs, Khitan and music.
const INVISIBLE: [(char, char); 29] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{13441}', '\u{13442}'),
    ('\u{16fe4}', '\u{16fe4}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d159}', '\u{1d159}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Turns the sign before it into an emoji, and shows nothing after any other character.
const EMOJI_MARK: char = '\u{fe0f}';

fn is_printable(text: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(text) else {
        return false;
    };
    let mut previous = None;
    for character in text.chars() {
        let is_mark = character == EMOJI_MARK && previous.is_some_and(may_be_emoji);
        let is_first_space = previous.is_none() && is_space(character);
        if is_first_space || character.is_control() || (is_invisible(character) && !is_mark) {
            return false;
        }
        previous = Some(character);
    }
    !previous.is_some_and(is_space)
}

fn is_invisible(character: char) -> bool {
    // Most names end here, which saves the search.
    character >= INVISIBLE[0].0 && INVISIBLE.iter().any(|&(first, last)| first <= character && character <= last)
}

/// The blocks of Unicode with all signs that the mark may follow. They have no letters of a script.
const fn may_be_emoji(character: char) -> bool {
    matches!(character, '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{27ff}' | '\u{2900}'..='\u{2bff}' | '\u{3030}' | '\u{303d}'
        | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

const fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::format;

    #[test]
    fn takes_text_up_to_32_bytes() {
        for text in ["a", "Anlegerkreis Zürich", "01234567890123456789012345678901", "משקיעים", "投资者", "❤️", "a b"]
        {
            assert!(Name::new(text.as_bytes()).is_ok(), "{text}");
        }
    }

    #[test]
    fn refuses_empty_long_broken_and_control() {
        let refused: [&[u8]; 6] =
            [b"", b"012345678901234567890123456789012", b"\xff", b"a\x00b", b"a\nb", "a\u{85}b".as_bytes()];
        for text in refused {
            assert_eq!(Name::new(text).err(), Some(Error::NameInvalid), "{text:?}");
        }
    }

    #[test]
    fn refuses_what_cannot_be_seen() {
        for (first, last) in INVISIBLE {
            for character in [first, last] {
                for text in [format!("{character}"), format!("Retail{character} EU"), format!("Retail{character}")] {
                    assert_eq!(Name::new(text.as_bytes()).err(), Some(Error::NameInvalid), "{text:?}");
                }
            }
        }
        for text in [" ", "  ", " a", "a ", "\u{a0}a", "a\u{3000}", "漢\u{fe0f}", "\u{2066}a\u{2069}"] {
            assert_eq!(Name::new(text.as_bytes()).err(), Some(Error::NameInvalid), "{text:?}");
        }
    }

    #[test]
    fn refuses_bytes_after_the_padding_begins() {
        let mut padded = [0; NAME_SIZE];
        padded[0] = b'a';
        assert!(Name::from_padded(&padded).is_ok());
        padded[5] = b'b';
        assert_eq!(Name::from_padded(&padded).err(), Some(Error::NameInvalid));
    }
}

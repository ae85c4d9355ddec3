//! Names in accounts: UTF-8, padded with zeros to 32 bytes.

use crate::error::{Error, Result};
use crate::state::plain_struct;

/// Size of a name in bytes.
pub const NAME_SIZE: usize = 32;

plain_struct! {
    /// A name that is not empty, is UTF-8 and has no control characters (and so no zeros before the padding).
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

fn is_printable(text: &[u8]) -> bool {
    core::str::from_utf8(text).is_ok_and(|text| !text.chars().any(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_text_up_to_32_bytes() {
        for text in ["a", "Anlegerkreis Zürich", "01234567890123456789012345678901"] {
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
    fn refuses_bytes_after_the_padding_begins() {
        let mut padded = [0; NAME_SIZE];
        padded[0] = b'a';
        assert!(Name::from_padded(&padded).is_ok());
        padded[5] = b'b';
        assert_eq!(Name::from_padded(&padded).err(), Some(Error::NameInvalid));
    }
}

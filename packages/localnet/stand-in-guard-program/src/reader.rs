//! Reads fields of instruction data in their order. Every method fails with `InvalidInstructionData` if the data ends
//! too early or the bytes have no meaning.

use crate::error::{Error, Result};

/// Instruction data and a position in it.
#[derive(Clone)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts at the first byte.
    pub fn new(data: &'a [u8]) -> Self {
        Self { rest: data }
    }

    /// Reads `N` bytes.
    pub fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (read, rest) = self.rest.split_first_chunk::<N>().ok_or(Error::InvalidInstructionData)?;
        self.rest = rest;
        Ok(*read)
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8> {
        let [byte] = self.bytes()?;
        Ok(byte)
    }

    /// Reads a number of eight bytes.
    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    /// Reads a flag.
    pub fn bool(&mut self) -> Result<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Error::InvalidInstructionData),
        }
    }

    /// Reads a flag, and a value if the flag is set.
    pub fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        if self.bool()? {
            read(self).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Reads a number in LEB128: seven bits a byte, the lowest first.
    pub fn compact(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            let placed = bits.wrapping_shl(shift);
            if placed.wrapping_shr(shift) != bits {
                return Err(Error::InvalidInstructionData);
            }
            value |= placed;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Error::InvalidInstructionData)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_compact_numbers() {
        let read = |data: &[u8]| Reader::new(data).compact();
        assert_eq!(read(&[0]), Ok(0));
        assert_eq!(read(&[0x7f]), Ok(127));
        assert_eq!(read(&[0xa5, 1]), Ok(165));
        assert_eq!(read(&[0xe8, 7]), Ok(1000));
        let largest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        assert_eq!(read(&largest), Ok(u64::MAX));
        let above = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2];
        assert_eq!(read(&above), Err(Error::InvalidInstructionData));
        assert_eq!(read(&[0x80]), Err(Error::InvalidInstructionData));
        assert_eq!(read(&[]), Err(Error::InvalidInstructionData));
    }

    #[test]
    fn rejects_flags_that_are_neither_0_nor_1() {
        assert_eq!(Reader::new(&[1]).bool(), Ok(true));
        assert_eq!(Reader::new(&[2]).bool(), Err(Error::InvalidInstructionData));
        assert_eq!(Reader::new(&[0]).optional(Reader::u64), Ok(None));
        assert_eq!(Reader::new(&[1, 5, 0, 0, 0, 0, 0, 0, 0]).optional(Reader::u64), Ok(Some(5)));
        assert_eq!(Reader::new(&[1, 5]).optional(Reader::u64), Err(Error::InvalidInstructionData));
    }
}

//! Comparisons of a value on chain with the value of an assertion.

use crate::error::{Error, Result};
use crate::reader::Reader;

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `<`
    Less,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// Every bit of the expected value is set.
    Contains,
    /// No bit of the expected value is set.
    ContainsNot,
}

impl Comparison {
    /// Reads the number of a comparison.
    pub fn read(reader: &mut Reader) -> Result<Self> {
        Ok(match reader.byte()? {
            0 => Self::Equal,
            1 => Self::NotEqual,
            2 => Self::Greater,
            3 => Self::Less,
            4 => Self::AtLeast,
            5 => Self::AtMost,
            6 => Self::Contains,
            7 => Self::ContainsNot,
            _ => return Err(Error::InvalidInstructionData),
        })
    }

    /// Returns whether the comparison of the value on chain with the expected one is true.
    pub fn holds(self, actual: u64, expected: u64) -> bool {
        match self {
            Self::Equal => actual == expected,
            Self::NotEqual => actual != expected,
            Self::Greater => actual > expected,
            Self::Less => actual < expected,
            Self::AtLeast => actual >= expected,
            Self::AtMost => actual <= expected,
            Self::Contains => actual & expected == expected,
            Self::ContainsNot => actual & expected == 0,
        }
    }
}

/// Whether two values must be equal or must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equality {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Equality {
    /// Reads the number of an equality.
    pub fn read(reader: &mut Reader) -> Result<Self> {
        Ok(if reader.bool()? { Self::NotEqual } else { Self::Equal })
    }

    /// Returns whether the values are equal, for `==`, or differ, for `!=`.
    pub fn holds<T: PartialEq>(self, actual: &T, expected: &T) -> bool {
        (actual == expected) == (self == Self::Equal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_numbers() {
        let holding = |actual: u64, expected: u64| {
            core::array::from_fn::<bool, 8, _>(|number| {
                Comparison::read(&mut Reader::new(&[number as u8])).unwrap().holds(actual, expected)
            })
        };
        assert_eq!(holding(6, 6), [true, false, false, false, true, true, true, false]);
        assert_eq!(holding(7, 6), [false, true, true, false, true, false, true, false]);
        assert_eq!(holding(1, 6), [false, true, false, true, false, true, false, true]);
        assert_eq!(Comparison::read(&mut Reader::new(&[8])), Err(Error::InvalidInstructionData));
    }

    #[test]
    fn compares_for_equality() {
        assert!(Equality::Equal.holds(&1, &1) && !Equality::Equal.holds(&1, &2));
        assert!(Equality::NotEqual.holds(&1, &2) && !Equality::NotEqual.holds(&1, &1));
        assert_eq!(Equality::read(&mut Reader::new(&[2])), Err(Error::InvalidInstructionData));
    }
}

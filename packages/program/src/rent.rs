//! The lamports that an account must hold.

use crate::addresses::RENT_SYSVAR;
use crate::error::{Error, Result};
use crate::state::{plain_struct, Plain, U64};
use crate::syscalls;
use core::mem::size_of;

/// Bytes that each account pays for in addition to its data.
const ACCOUNT_OVERHEAD: u32 = 128;
const ONE: u64 = 1.0_f64.to_bits();
const TWO: u64 = 2.0_f64.to_bits();

plain_struct! {
    /// The first two numbers of the Rent sysvar.
    pub struct Sysvar {
        /// Lamports per byte.
        price: U64,
        /// A factor in years, as the bits of an `f64`.
        factor: U64,
    }
}

/// The price of rent on this chain.
#[derive(Clone, Copy)]
pub struct Rent {
    /// Lamports that exempt one byte.
    per_byte: u32,
}

impl Rent {
    /// Reads the Rent sysvar. An instruction that needs it twice should read it once, because each read costs more than
    /// 110 compute units.
    ///
    /// The sysvar holds a price per byte and a factor in years. Clusters had 3,480 lamports and 2.0; SIMD-0194 makes it
    /// 6,960 and 1.0. Both are accepted; any other factor is rejected with [`Error::Overflow`].
    pub fn read() -> Result<Self> {
        let bytes: [u8; size_of::<Sysvar>()] = syscalls::sysvar(&RENT_SYSVAR, 0).map_err(|_| Error::Overflow)?;
        Self::of(Sysvar::at_front(&bytes).ok_or(Error::Overflow)?)
    }

    fn of(Sysvar { price, factor }: &Sysvar) -> Result<Self> {
        let price = u32::try_from(price.get()).map_err(|_| Error::Overflow)?;
        match factor.get() {
            ONE => Ok(Self { per_byte: price }),
            TWO => Ok(Self { per_byte: price.checked_add(price).ok_or(Error::Overflow)? }),
            _ => Err(Error::Overflow),
        }
    }

    /// Returns the lamports that make an account of `space` bytes exempt from rent.
    pub fn exempt_minimum(self, space: usize) -> Result<u64> {
        let space = u32::try_from(space).map_err(|_| Error::Overflow)?;
        let bytes = space.checked_add(ACCOUNT_OVERHEAD).ok_or(Error::Overflow)?;
        // A product of two 32-bit numbers always fits; BPF has no checked multiplication of 64 bits.
        Ok(u64::from(self.per_byte).wrapping_mul(u64::from(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimum(price: u64, factor: f64, space: usize) -> Result<u64> {
        Rent::of(&Sysvar { price: U64::new(price), factor: U64::new(factor.to_bits()) })?.exempt_minimum(space)
    }

    #[test]
    fn is_the_same_before_and_after_simd_0194() {
        for (price, factor) in [(3_480, 2.0), (6_960, 1.0)] {
            assert_eq!(minimum(price, factor, 0), Ok(890_880));
            assert_eq!(minimum(price, factor, 203), Ok(2_303_760));
        }
    }

    #[test]
    fn rejects_other_factors_and_numbers_that_do_not_fit() {
        for factor in [0.0, 0.5, -1.0, 2.5, f64::NAN] {
            assert_eq!(minimum(3_480, factor, 0), Err(Error::Overflow), "{factor}");
        }
        for (price, factor) in [(1 << 32, 1.0), (1 << 31, 2.0)] {
            assert_eq!(minimum(price, factor, 0), Err(Error::Overflow), "{price} {factor}");
        }
        assert_eq!(minimum(1, 1.0, u32::MAX as usize - 127), Err(Error::Overflow));
        assert_eq!(
            minimum(u64::from(u32::MAX), 1.0, u32::MAX as usize - 128),
            Ok(u64::from(u32::MAX) * u64::from(u32::MAX))
        );
    }
}

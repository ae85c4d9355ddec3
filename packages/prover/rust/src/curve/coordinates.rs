//! The coordinates of G1 and of G2.
use super::{Coordinates, BETA_G1, BETA_G2};
use crate::field::modulus::{subtract, Modulus};
use crate::field::{Coordinate, Field, Fp, Fp2};
use crate::scalar::{read_words, write_words};

impl Coordinates for Fp {
    const BYTES: usize = 32;

    fn endomorphism(&self) -> Self {
        self.mul(&BETA_G1)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let words = read_words(bytes)?;
        let (_, below) = subtract(words, Coordinate::WORDS);
        below.then(|| Self::of_words(words))
    }

    fn write(&self, bytes: &mut [u8]) {
        write_words(self.to_number(), bytes);
    }
}

impl Coordinates for Fp2 {
    const BYTES: usize = 64;

    fn endomorphism(&self) -> Self {
        Self { real: self.real.mul(&BETA_G2), imaginary: self.imaginary.mul(&BETA_G2) }
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (real, imaginary) = bytes.split_at_checked(Fp::BYTES)?;
        Some(Self { real: Fp::read(real)?, imaginary: Fp::read(imaginary)? })
    }

    fn write(&self, bytes: &mut [u8]) {
        let (real, imaginary) = bytes.split_at_mut(Fp::BYTES);
        self.real.write(real);
        self.imaginary.write(imaginary);
    }
}

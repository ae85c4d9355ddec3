//! Arithmetic of the fields of BN254.
pub mod element;
pub mod modulus;
pub mod quadratic;
#[cfg(test)]
mod tests;
pub mod tower;

pub use element::Element;
pub use modulus::{Coordinate, Order};
pub use quadratic::Fp2;

/// An element of the field of G1's coordinates.
pub type Fp = Element<Coordinate>;
/// An element of the field of scalars.
pub type Fr = Element<Order>;

/// The operations of a field that the curves need. `element.rs` defines "carried" and "loose".
pub trait Field: Copy {
    const ZERO: Self;
    const ONE: Self;

    /// Returns the product, carried. Both factors may be differences of carried elements.
    fn mul(&self, other: &Self) -> Self;
    /// Returns the square, carried.
    fn square(&self) -> Self;
    /// Returns `self * other - subtrahend`, carried. The subtrahend may be loose.
    fn mul_sub(&self, other: &Self, subtrahend: &Self) -> Self;
    /// Returns `self * self - subtrahend`, carried. The subtrahend may be loose.
    fn square_sub(&self, subtrahend: &Self) -> Self;
    /// Returns the sum, loose.
    fn loose_add(&self, other: &Self) -> Self;
    /// Returns the difference, loose.
    fn loose_sub(&self, other: &Self) -> Self;
    /// Returns the same element, carried, of at most about half a prime.
    fn reduce(&self) -> Self;
    /// Returns whether the element is zero, in any of its forms.
    fn is_zero(&self) -> bool;
    /// Returns whether all limbs are zero, as in `ZERO`. An element that is zero can also have other limbs.
    fn has_no_bits(&self) -> bool;
    /// Returns the inverse; 0 for 0.
    fn invert(&self) -> Self;

    fn add(&self, other: &Self) -> Self {
        self.loose_add(other).reduce()
    }
    fn sub(&self, other: &Self) -> Self {
        self.loose_sub(other).reduce()
    }
    fn negate(&self) -> Self {
        Self::ZERO.sub(self)
    }
}

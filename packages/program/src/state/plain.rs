//! Types with the same bytes in memory and in an account, without alignment or padding.

use crate::error::{Error, Result};
use core::mem::size_of;

/// A type that consists of its bytes only. Structs get it from [`plain_struct`].
///
/// # Safety
/// Its alignment must be one, it must have no padding, and every byte pattern must be a valid value.
pub unsafe trait Plain: Sized {
    /// Returns the bytes of the value.
    #[inline(always)]
    fn as_bytes(&self) -> &[u8] {
        // SAFETY: a plain type has no padding, so all its bytes are initialized.
        unsafe { core::slice::from_raw_parts((&raw const *self).cast(), size_of::<Self>()) }
    }

    /// Returns the bytes of the value as an array; it does not compile unless `N` is the size.
    fn as_array<const N: usize>(&self) -> &[u8; N] {
        const { assert!(N == size_of::<Self>()) };
        // SAFETY: as in as_bytes, and the size is the same.
        unsafe { &*(&raw const *self).cast() }
    }

    /// Returns the value at the front of the bytes, or none when there are too few.
    #[inline(always)]
    fn at_front(bytes: &[u8]) -> Option<&Self> {
        // SAFETY: the length is checked, any bytes are a value, and any address is aligned.
        (bytes.len() >= size_of::<Self>()).then(|| unsafe { &*bytes.as_ptr().cast() })
    }

    /// Like [`Plain::at_front`], but mutable.
    #[inline(always)]
    fn at_front_mut(bytes: &mut [u8]) -> Option<&mut Self> {
        // SAFETY: as in at_front, and the borrow of the bytes is exclusive.
        (bytes.len() >= size_of::<Self>()).then(|| unsafe { &mut *bytes.as_mut_ptr().cast() })
    }
}

// SAFETY: one byte.
unsafe impl Plain for u8 {}

// SAFETY: items of a plain type, one after the other.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

// SAFETY: a transparent array of 32 bytes.
unsafe impl Plain for pinocchio::Address {}

/// Declares a struct whose memory is its fields in order. It is [`Plain`] because all of them are.
macro_rules! plain_struct {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident $(<$parameter:ident>)? {
            $($(#[$field_attribute:meta])* $visibility:vis $field:ident: $kind:ty),* $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[repr(C)]
        pub struct $name $(<$parameter>)? {
            $($(#[$field_attribute])* $visibility $field: $kind),*
        }

        // SAFETY: fields of alignment one leave no padding between them, and each takes any bytes.
        unsafe impl $(<$parameter: $crate::state::Plain>)? $crate::state::Plain for $name $(<$parameter>)?
        where
            $($kind: $crate::state::Plain),*
        {
        }
    };
}
pub(crate) use plain_struct;

plain_struct! {
    /// A little-endian number of 8 bytes.
    #[derive(Clone, Copy)]
    pub struct U64 {
        bytes: [u8; 8],
    }
}

impl U64 {
    /// Stores a number.
    pub const fn new(value: u64) -> Self {
        Self { bytes: value.to_le_bytes() }
    }

    /// Returns the number.
    pub const fn get(self) -> u64 {
        u64::from_le_bytes(self.bytes)
    }
}

plain_struct! {
    /// Unix seconds in 4 bytes, little-endian, until the year 2106.
    #[derive(Clone, Copy)]
    pub struct Seconds {
        bytes: [u8; 4],
    }
}

impl Seconds {
    /// Stores a time; rejects one that does not fit.
    pub fn new(value: u64) -> Result<Self> {
        let seconds = u32::try_from(value).map_err(|_| Error::Overflow)?;
        Ok(Self { bytes: seconds.to_le_bytes() })
    }

    /// Returns the time.
    pub fn get(self) -> u64 {
        u64::from(u32::from_le_bytes(self.bytes))
    }
}

plain_struct! {
    /// One byte, 0 or 1.
    #[derive(Clone, Copy)]
    pub struct Flag {
        byte: u8,
    }
}

impl Flag {
    /// Stores a boolean.
    pub const fn new(value: bool) -> Self {
        Self { byte: value as u8 }
    }

    /// Returns whether it is set. The program only ever stores 0 or 1.
    pub const fn get(self) -> bool {
        self.byte != 0
    }
}

plain_struct! {
    /// An optional value of constant size: one byte, then the value or zeros.
    #[derive(Clone, Copy)]
    pub struct Maybe<T> {
        present: Flag,
        value: T,
    }
}

impl<T: Plain + Copy> Maybe<T> {
    /// Returns the value.
    pub fn get(&self) -> Option<T> {
        self.present.get().then_some(self.value)
    }

    /// Stores a value, or zeros for none.
    pub fn set(&mut self, value: Option<T>) {
        self.present = Flag::new(value.is_some());
        // SAFETY: every byte pattern is a value of a plain type, including zeros.
        self.value = value.unwrap_or_else(|| unsafe { core::mem::zeroed() });
    }
}

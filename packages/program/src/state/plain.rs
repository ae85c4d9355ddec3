//! Types that are the same in memory and in an account: made of bytes, so without alignment or padding.

use core::mem::size_of;

/// A type that is nothing but its bytes. Structs get it from [`plain_struct`].
///
/// # Safety
/// Its alignment must be one, it must have no padding, and every pattern of bytes must be a value of it.
pub unsafe trait Plain: Sized {
    /// The bytes of the value.
    #[inline(always)]
    fn as_bytes(&self) -> &[u8] {
        // SAFETY: a plain type has no padding, so all its bytes are initialised.
        unsafe { core::slice::from_raw_parts((&raw const *self).cast(), size_of::<Self>()) }
    }

    /// The bytes of the value as an array; `N` is its size, or this does not compile.
    fn as_array<const N: usize>(&self) -> &[u8; N] {
        const { assert!(N == size_of::<Self>()) };
        // SAFETY: as in as_bytes, and the size is the same.
        unsafe { &*(&raw const *self).cast() }
    }

    /// The value at the front of the bytes; none when they are too few.
    #[inline(always)]
    fn at_front(bytes: &[u8]) -> Option<&Self> {
        // SAFETY: the length is checked, any bytes are a value, and any address is aligned.
        (bytes.len() >= size_of::<Self>()).then(|| unsafe { &*bytes.as_ptr().cast() })
    }

    /// As [`Plain::at_front`], to change it.
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

/// Declares a struct that lies in memory as its fields in order, and makes it [`Plain`] because they all are.
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

    /// The number.
    pub const fn get(self) -> u64 {
        u64::from_le_bytes(self.bytes)
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
    /// Stores a truth value.
    pub const fn new(value: bool) -> Self {
        Self { byte: value as u8 }
    }

    /// Whether it is set; the program only ever stores 0 or 1.
    pub const fn get(self) -> bool {
        self.byte != 0
    }
}

plain_struct! {
    /// A value that may be absent, always of the same size: one byte, then the value or zeros.
    #[derive(Clone, Copy)]
    pub struct Maybe<T> {
        present: Flag,
        value: T,
    }
}

impl<T: Plain + Copy> Maybe<T> {
    /// The value.
    pub fn get(&self) -> Option<T> {
        self.present.get().then_some(self.value)
    }

    /// Stores a value, or zeros for none.
    pub fn set(&mut self, value: Option<T>) {
        self.present = Flag::new(value.is_some());
        // SAFETY: every pattern of bytes is a value of a plain type, zeros too.
        self.value = value.unwrap_or_else(|| unsafe { core::mem::zeroed() });
    }
}

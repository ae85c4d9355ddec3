//! Numbers of the scalar field of BN254, 32 bytes big-endian.

/// The order of the field, r.
const ORDER: [u8; 32] = [
    0x30, 0x64, 0x4e, 0x72, 0xe1, 0x31, 0xa0, 0x29, 0xb8, 0x50, 0x45, 0xb6, 0x81, 0x81, 0x58, 0x5d, 0x28, 0x33, 0xe8,
    0x48, 0x79, 0xb9, 0x70, 0x91, 0x43, 0xe1, 0xf5, 0x93, 0xf0, 0x00, 0x00, 0x01,
];

/// Returns whether a number is below the order, so that it has only one form.
pub fn is_canonical(number: &[u8; 32]) -> bool {
    number < &ORDER
}

/// Converts a number of 64 bits to a field element.
pub fn from_u64(number: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[24..].copy_from_slice(&number.to_be_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_with_the_order() {
        let mut number = ORDER;
        assert!(!is_canonical(&number));
        number[31] = 0;
        assert!(is_canonical(&number));
        number[0] = 0x31;
        assert!(!is_canonical(&number));
    }

    #[test]
    fn places_numbers_at_the_end() {
        assert_eq!(from_u64(0x0102)[30..], [1, 2]);
        assert_eq!(from_u64(u64::MAX)[..24], [0; 24]);
    }
}

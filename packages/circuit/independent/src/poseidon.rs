//! Poseidon with circom's parameters, by light-poseidon.

use ark_bn254::Fr;
use light_poseidon::{Poseidon, PoseidonBytesHasher, PoseidonHasher};
use std::cell::RefCell;
use std::collections::HashMap;

thread_local! {
    /// Hashers by the number of inputs. To make one takes longer than to hash.
    static HASHERS: RefCell<HashMap<usize, Poseidon<Fr>>> = RefCell::default();
}

/// Hashes numbers of 32 bytes, big-endian. Returns an error for a number that is not below the order of the field.
pub fn of_bytes(inputs: &[&[u8]]) -> Result<[u8; 32], String> {
    with_hasher(inputs.len(), |hasher| hasher.hash_bytes_be(inputs).map_err(|error| error.to_string()))
}

/// Hashes field elements.
pub fn of_elements<const N: usize>(inputs: [Fr; N]) -> Fr {
    with_hasher(N, |hasher| hasher.hash(&inputs).expect("the number of inputs fits the hasher"))
}

fn with_hasher<T>(arity: usize, hash: impl FnOnce(&mut Poseidon<Fr>) -> T) -> T {
    HASHERS.with_borrow_mut(|hashers| {
        hash(hashers.entry(arity).or_insert_with(|| Poseidon::<Fr>::new_circom(arity).expect("circom has 1 to 12 inputs")))
    })
}

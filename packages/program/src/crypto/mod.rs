//! Signatures, hashes and proofs: what the runtime computes for this program, with the checks that it leaves out.

pub mod ed25519;
pub mod field;
pub mod groth16;
pub mod poseidon;
pub mod sha256;

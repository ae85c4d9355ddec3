//! Groth16 proofs on BN254 and their verification for `packages/prover`, compiled to WebAssembly. README.md of the package
//! explains the methods.
#![cfg_attr(target_arch = "wasm32", no_std)]
extern crate alloc;

pub mod curve;
pub mod field;
pub mod key;
pub mod multiexp;
pub mod pairing;
pub mod polynomial;
pub mod prover;
pub mod scalar;
#[cfg(test)]
mod testing;
pub mod verifier;

#[cfg(target_arch = "wasm32")]
mod allocator;
#[cfg(target_arch = "wasm32")]
mod exports;

//! Groth16 proofs on BN254 for `packages/prover`, compiled to WebAssembly. README.md of the package explains the methods.
#![cfg_attr(target_arch = "wasm32", no_std)]
extern crate alloc;

pub mod curve;
pub mod field;
pub mod key;
pub mod multiexp;
pub mod polynomial;
pub mod prover;
pub mod scalar;
#[cfg(test)]
mod testing;

#[cfg(target_arch = "wasm32")]
mod allocator;
#[cfg(target_arch = "wasm32")]
mod exports;

//! Groth16 over BN254 with one public input, by the `alt_bn128` syscalls.

use crate::crypto::field;
use crate::error::{Error, Result};
use crate::state::VERIFYING_KEY_SIZE;
use crate::syscalls::{bn254, Bn254};

/// Bytes of a proof: -A, B, C. A is negated, so that one pairing equation is enough here.
pub const PROOF_SIZE: usize = 64 + 128 + 64;

const G1: usize = 64;
const G2: usize = 128;
const PAIR: usize = G1 + G2;

/// Where the parts of a verifying key are: alpha | beta | gamma | delta | IC0 | IC1.
mod key {
    use super::{G1, G2};
    pub const BETA: usize = G1;
    pub const GAMMA: usize = BETA + G2;
    pub const DELTA: usize = GAMMA + G2;
    pub const IC0: usize = DELTA + G2;
    pub const IC1: usize = IC0 + G1;
}

/// Rejects a proof that does not verify: e(-A, B) e(alpha, beta) e(IC0 + input IC1, gamma) e(C, delta) = 1.
///
/// The syscalls reject points that are not on the curve or not in the group. An input that is not below the field's
/// order is rejected here, because the syscalls would reduce it.
pub fn verify(key: &[u8; VERIFYING_KEY_SIZE], proof: &[u8; PROOF_SIZE], input: &[u8; 32]) -> Result {
    if !field::is_canonical(input) {
        return Err(Error::ProofInvalid);
    }
    let inputs_point = public_input_point(key, input)?;
    let mut pairs = [0; 4 * PAIR];
    pairs[..PAIR].copy_from_slice(&proof[..PAIR]);
    pairs[PAIR..2 * PAIR].copy_from_slice(&key[..key::GAMMA]);
    pairs[2 * PAIR..2 * PAIR + G1].copy_from_slice(&inputs_point);
    pairs[2 * PAIR + G1..3 * PAIR].copy_from_slice(&key[key::GAMMA..key::DELTA]);
    pairs[3 * PAIR..3 * PAIR + G1].copy_from_slice(&proof[PAIR..]);
    pairs[3 * PAIR + G1..].copy_from_slice(&key[key::DELTA..key::IC0]);
    let product: [u8; 32] = bn254(Bn254::Pairing, &pairs).map_err(|_| Error::ProofInvalid)?;
    if product == field::from_u64(1) {
        Ok(())
    } else {
        Err(Error::ProofInvalid)
    }
}

/// Rejects a key with a point that is not on the curve or not in the group, because no proof would ever verify.
/// Rejects a point at infinity, because false proofs would verify: without IC1, for example, the input has no effect.
pub fn check_key(key: &[u8; VERIFYING_KEY_SIZE]) -> Result {
    let starts = [0, key::BETA, key::GAMMA, key::DELTA, key::IC0, key::IC1, VERIFYING_KEY_SIZE];
    let is_infinity = |point: &[u8]| point.iter().all(|&byte| byte == 0);
    if starts.windows(2).any(|ends| is_infinity(&key[ends[0]..ends[1]])) {
        return Err(Error::VerifyingKeyInvalid);
    }
    let mut pairs = [0; 3 * PAIR];
    pairs[..PAIR].copy_from_slice(&key[..key::GAMMA]);
    pairs[PAIR..PAIR + G1].copy_from_slice(&key[key::IC0..key::IC1]);
    pairs[PAIR + G1..2 * PAIR].copy_from_slice(&key[key::GAMMA..key::DELTA]);
    pairs[2 * PAIR..2 * PAIR + G1].copy_from_slice(&key[key::IC1..]);
    pairs[2 * PAIR + G1..].copy_from_slice(&key[key::DELTA..key::IC0]);
    bn254::<32>(Bn254::Pairing, &pairs).map_err(|_| Error::VerifyingKeyInvalid)?;
    Ok(())
}

/// Computes IC0 + input IC1.
fn public_input_point(key: &[u8; VERIFYING_KEY_SIZE], input: &[u8; 32]) -> Result<[u8; G1]> {
    let mut product = [0; G1 + 32];
    product[..G1].copy_from_slice(&key[key::IC1..]);
    product[G1..].copy_from_slice(input);
    let scaled: [u8; G1] = bn254(Bn254::Multiply, &product).map_err(|_| Error::ProofInvalid)?;
    let mut sum = [0; 2 * G1];
    sum[..G1].copy_from_slice(&key[key::IC0..key::IC1]);
    sum[G1..].copy_from_slice(&scaled);
    bn254(Bn254::Add, &sum).map_err(|_| Error::ProofInvalid)
}

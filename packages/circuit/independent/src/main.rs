//! Verifies proofs and computes hashes for `scripts/independent.ts`, which makes both and judges the answers.
//!
//! What snarkjs writes is verified by arkworks; the bytes that go on chain by substrate-bn, whose arithmetic neither
//! snarkjs nor the chain's runtime shares. One JSON value comes in on the standard input, one goes out.

mod on_chain;
mod snarkjs;

use light_poseidon::{Poseidon, PoseidonBytesHasher};
use serde::{Deserialize, Serialize};

/// What is asked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    /// The verifying key as snarkjs writes it.
    verifying_key: snarkjs::VerifyingKeyJson,
    proofs: Vec<ProofRequest>,
    hashes: Vec<Vec<HexBytes>>,
}

/// One proof in both forms, with the packed verifying key and the public signal.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProofRequest {
    snarkjs: snarkjs::ProofJson,
    public_signal: String,
    packed_key: HexBytes,
    packed_proof: HexBytes,
    packed_signal: HexBytes,
}

/// What is found, in the order of the request.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    /// The verifying key in the layout of the Circuit account, hexadecimal.
    packed_key: String,
    proofs: Vec<ProofFound>,
    /// Poseidon of the inputs in hexadecimal, or why there is none.
    hashes: Vec<Result<String, String>>,
}

/// Whether the equation of pairings holds, or what is malformed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProofFound {
    snarkjs: Result<bool, String>,
    on_chain: Result<bool, String>,
}

/// Bytes that stand in JSON as hexadecimal digits.
struct HexBytes(Vec<u8>);

impl<'de> Deserialize<'de> for HexBytes {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(from)?;
        hex::decode(digits).map(HexBytes).map_err(serde::de::Error::custom)
    }
}

/// Poseidon with circom's parameters over numbers of 32 bytes, big-endian.
fn poseidon(inputs: &[HexBytes]) -> Result<String, String> {
    let inputs: Vec<&[u8]> = inputs.iter().map(|HexBytes(bytes)| &bytes[..]).collect();
    let hash = Poseidon::<ark_bn254::Fr>::new_circom(inputs.len())
        .and_then(|mut hasher| hasher.hash_bytes_be(&inputs))
        .map_err(|error| error.to_string())?;
    Ok(hex::encode(hash))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let request: Request = serde_json::from_reader(std::io::stdin())?;
    let key = snarkjs::verifying_key(&request.verifying_key)?;
    let proofs = request.proofs.iter().map(|proof| ProofFound {
        snarkjs: snarkjs::verify(&key, &proof.snarkjs, &proof.public_signal),
        on_chain: on_chain::verify(&proof.packed_key.0, &proof.packed_proof.0, &proof.packed_signal.0),
    });
    let response = Response {
        packed_key: hex::encode(snarkjs::packed(&key)),
        proofs: proofs.collect(),
        hashes: request.hashes.iter().map(|inputs| poseidon(inputs)).collect(),
    };
    serde_json::to_writer(std::io::stdout(), &response)?;
    Ok(())
}

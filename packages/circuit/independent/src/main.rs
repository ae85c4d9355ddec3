//! Verifies proofs, computes hashes and decides statements for `scripts/independent.ts`, which makes the input and checks
//! the output.
//!
//! arkworks verifies the format of snarkjs. substrate-bn verifies the on-chain format; neither snarkjs nor the runtime of
//! the chain uses its arithmetic. The program reads one JSON value from standard input and writes one to standard output.

mod facts;
mod on_chain;
mod poseidon;
mod snarkjs;
mod statement;

use serde::{Deserialize, Serialize};

/// The input.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    /// The verifying key in the format of snarkjs.
    verifying_key: snarkjs::VerifyingKeyJson,
    proofs: Vec<ProofRequest>,
    hashes: Vec<Vec<HexBytes>>,
    statements: Vec<statement::Signals>,
    facts: Vec<facts::Facts>,
}

/// One proof in both formats, with the packed verifying key and the public signal.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProofRequest {
    snarkjs: snarkjs::ProofJson,
    public_signal: String,
    packed_key: HexBytes,
    packed_proof: HexBytes,
    packed_signal: HexBytes,
}

/// The results, in the order of the request.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    /// The verifying key in the layout of the Circuit account, hexadecimal.
    packed_key: String,
    proofs: Vec<ProofFound>,
    /// Poseidon of the inputs in hexadecimal, or an error.
    hashes: Vec<Result<String, String>>,
    /// `accepted`, or the code of the first false part of the statement.
    statements: Vec<&'static str>,
    facts: Vec<Result<facts::Decision, String>>,
}

/// Whether the pairing equation holds, or which part is malformed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProofFound {
    snarkjs: Result<bool, String>,
    on_chain: Result<bool, String>,
}

/// Bytes that are hexadecimal digits in JSON.
struct HexBytes(Vec<u8>);

impl<'de> Deserialize<'de> for HexBytes {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(from)?;
        hex::decode(digits).map(HexBytes).map_err(serde::de::Error::custom)
    }
}

/// Computes Poseidon of numbers of 32 bytes, big-endian.
fn hash(inputs: &[HexBytes]) -> Result<String, String> {
    let inputs: Vec<&[u8]> = inputs.iter().map(|HexBytes(bytes)| &bytes[..]).collect();
    poseidon::of_bytes(&inputs).map(hex::encode)
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
        hashes: request.hashes.iter().map(|inputs| hash(inputs)).collect(),
        statements: request.statements.iter().map(statement::decide).collect(),
        facts: request.facts.iter().map(facts::decide).collect(),
    };
    serde_json::to_writer(std::io::stdout(), &response)?;
    Ok(())
}

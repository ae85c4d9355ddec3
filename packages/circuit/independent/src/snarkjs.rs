//! Verifies keys and proofs in the JSON of snarkjs, by arkworks.

use ark_bn254::{Bn254, Fq2, Fr, G1Affine, G2Affine};
use ark_ff::{BigInteger, PrimeField};
use ark_groth16::{prepare_verifying_key, Groth16, Proof, VerifyingKey};
use num_bigint::BigUint;
use serde::Deserialize;

/// A point of G1: x, y, z in decimal.
type G1Json = [String; 3];
/// A point of G2: x, y, z, each as c0, c1.
type G2Json = [[String; 2]; 3];

/// A verifying key in the format of snarkjs.
#[derive(Deserialize)]
pub struct VerifyingKeyJson {
    vk_alpha_1: G1Json,
    vk_beta_2: G2Json,
    vk_gamma_2: G2Json,
    vk_delta_2: G2Json,
    #[serde(rename = "IC")]
    ic: [G1Json; 2],
}

/// A proof in the format of snarkjs.
#[derive(Deserialize)]
pub struct ProofJson {
    pi_a: G1Json,
    pi_b: G2Json,
    pi_c: G1Json,
}

/// Reads a verifying key. Returns an error for a point outside its curve or group.
pub fn verifying_key(json: &VerifyingKeyJson) -> Result<VerifyingKey<Bn254>, String> {
    Ok(VerifyingKey {
        alpha_g1: g1(&json.vk_alpha_1)?,
        beta_g2: g2(&json.vk_beta_2)?,
        gamma_g2: g2(&json.vk_gamma_2)?,
        delta_g2: g2(&json.vk_delta_2)?,
        gamma_abc_g1: json.ic.iter().map(g1).collect::<Result<_, _>>()?,
    })
}

/// Returns whether a proof holds for one public signal, by the verifier of arkworks.
pub fn verify(key: &VerifyingKey<Bn254>, proof: &ProofJson, signal: &str) -> Result<bool, String> {
    let proof = Proof { a: g1(&proof.pi_a)?, b: g2(&proof.pi_b)?, c: g1(&proof.pi_c)? };
    let signal = number::<Fr>(signal)?;
    Groth16::<Bn254>::verify_proof(&prepare_verifying_key(key), &proof, &[signal]).map_err(|error| error.to_string())
}

/// Returns the key in the layout of the Circuit account: alpha, beta, gamma, delta, IC0, IC1, big-endian, G2 with c1 before c0.
pub fn packed(key: &VerifyingKey<Bn254>) -> Vec<u8> {
    let of_g1 = |point: &G1Affine| vec![point.x, point.y];
    let of_g2 = |point: &G2Affine| vec![point.x.c1, point.x.c0, point.y.c1, point.y.c0];
    let coordinates = [
        of_g1(&key.alpha_g1),
        of_g2(&key.beta_g2),
        of_g2(&key.gamma_g2),
        of_g2(&key.delta_g2),
        of_g1(&key.gamma_abc_g1[0]),
        of_g1(&key.gamma_abc_g1[1]),
    ];
    let bytes = coordinates.concat().into_iter().flat_map(|each| each.into_bigint().to_bytes_be());
    bytes.collect()
}

fn g1([x, y, z]: &G1Json) -> Result<G1Affine, String> {
    let point = G1Affine::new_unchecked(number(x)?, number(y)?);
    let valid = z == "1" && point.is_on_curve();
    valid.then_some(point).ok_or("a point is not of G1".into())
}

fn g2([x, y, z]: &G2Json) -> Result<G2Affine, String> {
    let pair = |[c0, c1]: &[String; 2]| Ok::<_, String>(Fq2::new(number(c0)?, number(c1)?));
    let point = G2Affine::new_unchecked(pair(x)?, pair(y)?);
    let valid = z[0] == "1" && z[1] == "0" && point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve();
    valid.then_some(point).ok_or("a point is not of G2".into())
}

/// A number in decimal that is below the order of its field.
fn number<F: PrimeField>(digits: &str) -> Result<F, String> {
    let value: BigUint = digits.parse().map_err(|_| "a number has other characters than digits")?;
    F::BigInt::try_from(value).ok().and_then(F::from_bigint).ok_or("a number is not below the order".into())
}

//! Verifies keys and proofs in the on-chain format, by substrate-bn with the equation of the program.

use substrate_bn::{arith::U256, pairing_batch, AffineG1, AffineG2, Fq, Fq2, Fr, Group, Gt, G1, G2};

const WORD: usize = 32;
/// Words of a key: alpha, beta, gamma, delta, IC0, IC1.
const KEY_WORDS: usize = 2 + 4 + 4 + 4 + 2 + 2;
/// Words of a proof: -A, B, C.
const PROOF_WORDS: usize = 2 + 4 + 2;

/// Returns whether e(-A, B) e(alpha, beta) e(IC0 + signal IC1, gamma) e(C, delta) = 1.
///
/// Returns an error for a wrong length, a number that is not below its order, or a point outside its curve or group.
pub fn verify(key: &[u8], proof: &[u8], signal: &[u8]) -> Result<bool, String> {
    let key = words::<KEY_WORDS>(key)?;
    let proof = words::<PROOF_WORDS>(proof)?;
    let [signal] = words::<1>(signal)?;
    let signal = Fr::new(signal).ok_or("the signal is not below the order")?;
    let inputs = g1(&key[14..16])? + g1(&key[16..18])? * signal;
    let pairs = [
        (g1(&proof[..2])?, g2(&proof[2..6])?),
        (g1(&key[..2])?, g2(&key[2..6])?),
        (inputs, g2(&key[6..10])?),
        (g1(&proof[6..])?, g2(&key[10..14])?),
    ];
    // An identity gives a factor of one, which would remove its part from the equation.
    if pairs.iter().any(|(left, right)| left.is_zero() || right.is_zero()) {
        return Err("a point is at infinity".into());
    }
    Ok(pairing_batch(&pairs) == Gt::one())
}

fn words<const N: usize>(bytes: &[u8]) -> Result<[U256; N], String> {
    let words: Vec<U256> = bytes.chunks(WORD).flat_map(U256::from_slice).collect();
    let all: Option<[U256; N]> = words.try_into().ok();
    all.filter(|_| bytes.len() == N * WORD).ok_or(format!("{} bytes, not {}", bytes.len(), N * WORD))
}

fn g1(words: &[U256]) -> Result<G1, String> {
    let [x, y] = [coordinate(words[0])?, coordinate(words[1])?];
    AffineG1::new(x, y).map(G1::from).map_err(|_| "a point is not of G1".into())
}

/// The second part of each coordinate comes first.
fn g2(words: &[U256]) -> Result<G2, String> {
    let pair = |at: usize| Ok::<_, String>(Fq2::new(coordinate(words[at + 1])?, coordinate(words[at])?));
    AffineG2::new(pair(0)?, pair(2)?).map(G2::from).map_err(|_| "a point is not of G2".into())
}

fn coordinate(word: U256) -> Result<Fq, String> {
    Fq::from_u256(word).map_err(|_| "a coordinate is not below the order".into())
}

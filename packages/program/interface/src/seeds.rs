//! The seeds of the addresses, for `find_program_address` with the program that you pin.

/// Config: this seed alone.
pub const CONFIG: &[u8] = b"config";
/// A pass: this seed, the rule set, the wallet.
pub const PASS: &[u8] = b"pass";
/// A rule set: this seed, its creator, its nonce (u64, little-endian).
pub const RULE_SET: &[u8] = b"rule";
/// The binding of a mint, which is also its mint authority: this seed, the mint.
pub const MINT_BINDING: &[u8] = b"binding";
/// The credential of a wallet: this seed, the wallet.
pub const CREDENTIAL: &[u8] = b"credential";

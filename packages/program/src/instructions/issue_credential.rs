//! `issue-credential`

use crate::checks;
use crate::clock;
use crate::crypto::ed25519;
use crate::crypto::field;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, CredentialIssued};
use crate::state::{is_missing, load, plain_struct, Config, Credential, Flag, Opening, Plain, Verifier, U64};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

/// Longest life of a credential.
const MAX_AGE_SECONDS: u64 = 3 * 366 * 86_400;
/// Makes a signature for this purpose invalid for any other.
const DOMAIN_TAG: [u8; 21] = *b"service:v1:credential";

plain_struct! {
    /// The message that the verifier authority signs.
    pub struct Message {
        domain_tag: [u8; 21],
        program: Address,
        genesis_hash: [u8; 32],
        wallet: Address,
        commitment: [u8; 32],
        issued_at: U64,
        expires_at: U64,
    }
}

/// Stores a credential on chain, with the signature of its verifier's authority. Anyone may pay.
///
/// Only its own verifier replaces a valid credential. Another verifier may replace it if the wallet signs, and after it
/// expires, is revoked, or its verifier is deactivated. The times of a verifier only increase, so that a late callback
/// cannot restore an older one. A credential must reach the chain within four days of its time of issue.
///
/// # Accounts
/// 0. `[signer, writable]` payer: pays rent
/// 1. `[]` wallet that the credential is for; if it signs, another verifier may replace a valid credential
/// 2. `[]` active Verifier that issues it
/// 3. `[writable]` Credential, created or replaced
/// 4. `[]` previous Verifier: that of the replaced credential; the same as 2 when no credential exists
/// 5. `[]` Config
/// 6. `[]` instructions sysvar; the instruction right before this one must belong to the ed25519 precompile
/// 7. `[]` system program
///
/// # Data
/// commitment (32), issued-at (8), expires-at (8)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [payer, wallet, verifier, credential, previous_verifier, config, instructions, system_program] = accounts
    else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let commitment = data.bytes()?;
    let issued_at = data.u64()?;
    let expires_at = data.u64()?;
    data.finish()?;
    checks::payer(payer)?;
    checks::writable(credential)?;
    checks::system_program(system_program)?;
    let now = clock::now()?;
    check_times(issued_at, expires_at, now)?;
    if commitment == &[0; 32] || !field::is_canonical(commitment) {
        return Err(Error::CommitmentInvalid);
    }
    let by = load::<Verifier>(verifier, program_id)?;
    if !by.active.get() {
        return Err(Error::VerifierInactive);
    }
    let message = Message {
        domain_tag: DOMAIN_TAG,
        program: *program_id,
        genesis_hash: load::<Config>(config, program_id)?.genesis_hash,
        wallet: *wallet.address(),
        commitment: *commitment,
        issued_at: U64::new(issued_at),
        expires_at: U64::new(expires_at),
    };
    ed25519::require_signed(instructions, &by.authority, message.as_array::<{ size_of::<Message>() }>())?;

    let is_new = is_missing(credential, program_id);
    let mut fields = Credential::load_or_create(credential, &Opening { payer, wallet, system_program, program_id })?;
    let previous = if is_new { verifier.address() } else { &fields.verifier };
    if previous_verifier.address() != previous {
        return Err(Error::VerifierMismatch);
    }
    if !is_new {
        let needs_wallet = &fields.verifier != verifier.address()
            && is_kept(&fields, &*load::<Verifier>(previous_verifier, program_id)?, now);
        if needs_wallet && !wallet.is_signer() {
            return Err(Error::CredentialHeld);
        }
        if issued_at <= fields.void_until(verifier.address()) {
            return Err(Error::CredentialNotNewer);
        }
        fields.hand_over(verifier.address())?;
    }
    fields.verifier = *verifier.address();
    fields.commitment = *commitment;
    fields.issued_at = U64::new(issued_at);
    fields.expires_at = U64::new(expires_at);
    fields.revoked = Flag::new(false);
    drop(fields);
    emit(&CredentialIssued::new(*credential.address(), *wallet.address(), *verifier.address(), *commitment));
    Ok(())
}

fn check_times(issued_at: u64, expires_at: u64, now: u64) -> Result {
    clock::check_issued_at(issued_at, now)?;
    let age = expires_at.checked_sub(issued_at).ok_or(Error::CredentialTimesInvalid)?;
    if expires_at <= now || age == 0 || age > MAX_AGE_SECONDS {
        return Err(Error::CredentialTimesInvalid);
    }
    Ok(())
}

/// Returns whether another verifier must not replace this credential.
fn is_kept(held: &Credential, by: &Verifier, now: u64) -> bool {
    by.active.get() && !held.revoked.get() && !held.is_expired(now)
}

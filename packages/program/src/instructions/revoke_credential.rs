//! `revoke-credential`

use crate::clock;
use crate::crypto::ed25519;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, CredentialRevoked};
use crate::state::{load, load_mut, plain_struct, Config, Credential, Flag, Plain, Verifier, U64};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

/// Keeps a signature for this purpose from being one for another.
const DOMAIN_TAG: [u8; 21] = *b"service:v1:revocation";

plain_struct! {
    /// What the verifier authority signs.
    pub struct Message {
        domain_tag: [u8; 21],
        program: Address,
        genesis_hash: [u8; 32],
        wallet: Address,
        revoked_at: U64,
    }
}

/// Revokes a credential, by the signature of its verifier's authority. Anyone may send it, also while paused and when
/// the verifier is not active any more.
///
/// What was signed for the wallet up to that time is revoked: the time of issue rises to it, so that a credential that
/// was signed before and comes late is refused. A credential that is issued later is not touched by an old revocation.
/// A verifier that is not active any more revokes a credential once: its key must not keep the wallet from another's.
///
/// # Accounts
/// 0. `[]` Verifier of the credential
/// 1. `[writable]` Credential
/// 2. `[]` Config
/// 3. `[]` instructions sysvar; the instruction right before this one is the ed25519 precompile's
///
/// # Data
/// revoked-at (8)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [verifier, credential, config, instructions] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let revoked_at = data.u64()?;
    data.finish()?;
    clock::check_signed_at(revoked_at, clock::now()?)?;
    let mut held = load_mut::<Credential>(credential, program_id)?;
    let by = load::<Verifier>(verifier, program_id)?;
    if &held.verifier != verifier.address() {
        return Err(Error::VerifierMismatch);
    }
    let message = Message {
        domain_tag: DOMAIN_TAG,
        program: *program_id,
        genesis_hash: load::<Config>(config, program_id)?.genesis_hash,
        wallet: held.wallet,
        revoked_at: U64::new(revoked_at),
    };
    ed25519::require_signed(instructions, &by.authority, message.as_array::<{ size_of::<Message>() }>())?;
    let issued_at = held.issued_at.get();
    if revoked_at < issued_at {
        return Err(Error::CredentialNotNewer);
    }
    // Each revocation holds back what another verifier may issue up to its time: an inactive verifier gets one.
    if held.revoked.get() && (revoked_at == issued_at || !by.active.get()) {
        return Err(Error::CredentialRevoked);
    }

    held.revoked = Flag::new(true);
    held.issued_at = U64::new(revoked_at);
    let wallet = held.wallet;
    drop(held);
    emit(&CredentialRevoked::new(*credential.address(), wallet));
    Ok(())
}

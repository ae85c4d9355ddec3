//! `revoke-credential`

use crate::clock;
use crate::crypto::ed25519;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, CredentialRevoked};
use crate::state::{load, load_mut, plain_struct, Config, Credential, Flag, Plain, Verifier, U64};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

/// Makes a signature for this purpose invalid for any other.
const DOMAIN_TAG: [u8; 21] = *b"service:v1:revocation";

plain_struct! {
    /// The message that the verifier authority signs.
    pub struct Message {
        domain_tag: [u8; 21],
        program: Address,
        genesis_hash: [u8; 32],
        wallet: Address,
        revoked_at: U64,
    }
}

/// Revokes a credential, with the signature of its verifier's authority. Anyone may send it, also while the protocol is
/// paused and when the verifier is no longer active.
///
/// It revokes everything signed for the wallet up to that time. The time of issue rises to it, so that the program
/// rejects a credential that was signed earlier and arrives late. An old revocation does not affect a later credential.
/// An inactive verifier can revoke a credential only once, so that its key cannot block another verifier.
///
/// # Accounts
/// 0. `[]` Verifier of the credential
/// 1. `[writable]` Credential
/// 2. `[]` Config
/// 3. `[]` instructions sysvar; the instruction right before this one must belong to the ed25519 precompile
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
    // Each revocation blocks credentials of other verifiers up to its time, so an inactive verifier gets only one.
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

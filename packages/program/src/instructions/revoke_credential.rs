//! `revoke-credential`

use crate::checks;
use crate::clock;
use crate::closing::Unsupported;
use crate::crypto::ed25519;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, CredentialRevoked};
use crate::state::{load, plain_struct, Config, Credential, Opening, Plain, Verifier, U64};
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

/// Revokes everything that a verifier signed for a wallet up to a time, with the signature of its authority, and ends the
/// passes that are passed along, unless the credential of the wallet still supports them. Anyone may send it, also while
/// the protocol is paused and when the verifier is no longer active.
///
/// It ends passes whatever came before: also if the wallet has discarded the credential or has a later one, or if a pass
/// of the list was closed. So it is rejected only if it ends no pass and revokes nothing.
///
/// The account keeps that time, so that the program rejects a credential of this verifier that was signed earlier and
/// arrives late. It does not affect credentials of another verifier. If the wallet has no credential, an active verifier
/// creates it, revoked. An old revocation does not affect a later credential. An inactive verifier can only revoke its own
/// credential, once.
///
/// # Accounts
/// 0. `[signer, writable]` payer: pays rent if the wallet has no credential
/// 1. `[writable]` wallet: gets the rent of its passes
/// 2. `[]` Verifier that signed
/// 3. `[writable]` Credential, created if it is missing
/// 4. `[]` Config
/// 5. `[]` instructions sysvar; the instruction right before this one must belong to the ed25519 precompile
/// 6. `[]` system program
/// 7. and more: `[writable]` passes of the wallet, at most 20
///
/// # Data
/// revoked-at (8)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [payer, wallet, verifier, credential, config, instructions, system_program, passes @ ..] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let revoked_at = data.u64()?;
    data.finish()?;
    checks::payer(payer)?;
    checks::writable(wallet)?;
    checks::writable(credential)?;
    checks::system_program(system_program)?;
    let now = clock::now()?;
    clock::check_signed_at(revoked_at, now)?;
    let by = load::<Verifier>(verifier, program_id)?;
    let message = Message {
        domain_tag: DOMAIN_TAG,
        program: *program_id,
        genesis_hash: load::<Config>(config, program_id)?.genesis_hash,
        wallet: *wallet.address(),
        revoked_at: U64::new(revoked_at),
    };
    ed25519::require_signed(instructions, &by.authority, message.as_array::<{ size_of::<Message>() }>())?;

    let address = *credential.address();
    let mut held = Credential::load_or_create(credential, &Opening { payer, wallet, system_program, program_id })?;
    let recorded = record(&mut held, verifier.address(), by.active.get(), revoked_at);
    if recorded.is_ok() && &held.verifier == verifier.address() {
        emit(&CredentialRevoked::new(address, *wallet.address()));
    }
    match (Unsupported { credential: &held, program_id, now }.end(passes, wallet)) {
        Err(Error::PassLive) => recorded,
        ended => ended,
    }
}

/// Writes the revocation into the credential. Changes nothing if it returns an error.
fn record(held: &mut Credential, verifier: &Address, is_active: bool, revoked_at: u64) -> Result {
    let is_new = held.verifier == Address::default();
    if &held.verifier == verifier {
        if revoked_at < held.issued_at.get() {
            return Err(Error::CredentialNotNewer);
        }
        if held.revoked.get() && (revoked_at == held.issued_at.get() || !is_active) {
            return Err(Error::CredentialRevoked);
        }
        held.revoke(revoked_at);
        return Ok(());
    }
    if revoked_at <= held.void_until(verifier) {
        return Err(Error::CredentialNotNewer);
    }
    if !is_active {
        return Err(Error::VerifierInactive);
    }
    if is_new {
        held.verifier = *verifier;
        held.revoke(revoked_at);
        return Ok(());
    }
    held.remember(verifier, revoked_at)
}

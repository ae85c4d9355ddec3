//! `discard-credential`

use crate::checks;
use crate::clock;
use crate::closing::Unsupported;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, CredentialRevoked};
use crate::state::{load_mut, Credential};
use pinocchio::{AccountView, Address};

/// Discards the credential of the wallet that signs, and ends the passes of the wallet that are passed along. Works also
/// while the protocol is paused. Then any verifier can issue another one.
///
/// The account stays, revoked and without a commitment, because it keeps the time up to which no earlier credential can
/// land. Otherwise a wallet could discard a revocation and bring back the credential that was revoked.
///
/// # Accounts
/// 0. `[signer, writable]` wallet of the credential: gets the rent of its passes
/// 1. `[writable]` Credential
/// 2. and more: `[writable]` passes of the wallet, at most 20
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [wallet, credential, passes @ ..] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    Reader::new(data).finish()?;
    checks::payer(wallet)?;
    let now = clock::now()?;
    let address = *credential.address();
    let mut held = load_mut::<Credential>(credential, program_id)?;
    if &held.wallet != wallet.address() {
        return Err(Error::WrongAddress);
    }
    held.bring_forward()?;
    held.discard(now)?;
    emit(&CredentialRevoked::new(address, *wallet.address()));
    match (Unsupported { credential: &held, program_id, now }.end(passes, wallet)) {
        Err(Error::PassLive) => Ok(()),
        ended => ended,
    }
}

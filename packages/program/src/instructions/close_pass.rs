//! `close-pass`

use crate::checks;
use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, PassClosed};
use crate::state::{load, load_mut, Circuit, Credential, Pass, Verifier};
use pinocchio::{AccountView, Address};

/// Closes a pass that has expired, or whose ground is gone: the credential revoked or replaced by another commitment,
/// the verifier not active, or the circuit unsound. Anyone may, also while paused; the wallet gets the rent.
///
/// It is no way round the limit of renewals: prove refuses what is a reason to close here, or takes the newer
/// credential for a renewal anyway.
///
/// # Accounts
/// 0. `[writable]` Pass
/// 1. `[writable]` wallet of the pass: gets the rent
/// 2. `[]` Credential of the wallet
/// 3. `[]` Verifier that the pass names
/// 4. `[]` Circuit that the pass names
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [pass, wallet, credential, verifier, circuit] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    Reader::new(data).finish()?;
    checks::writable(wallet)?;
    let fields = load_mut::<Pass>(pass, program_id)?;
    if &fields.wallet != wallet.address()
        || &fields.verifier != verifier.address()
        || &fields.circuit != circuit.address()
    {
        return Err(Error::WrongAddress);
    }
    let held = load::<Credential>(credential, program_id)?;
    if held.wallet != fields.wallet {
        return Err(Error::WrongAddress);
    }
    let may_close = fields.is_expired(clock::now()?)
        || held.revoked.get()
        || held.commitment != fields.commitment
        || !load::<Verifier>(verifier, program_id)?.active.get()
        || load::<Circuit>(circuit, program_id)?.unsound.get();
    if !may_close {
        return Err(Error::PassLive);
    }
    let rule = fields.rule;
    drop(fields);

    let received = wallet.lamports().checked_add(pass.lamports()).ok_or(Error::Overflow)?;
    wallet.set_lamports(received);
    pass.set_lamports(0);
    pass.close().map_err(|_| Error::DuplicateAccount)?;
    emit(&PassClosed::new(*pass.address(), rule, *wallet.address()));
    Ok(())
}

//! Checks of accounts that several instructions share.

use crate::addresses::SYSTEM_PROGRAM;
use crate::clock;
use crate::error::{Error, Result};
use crate::state::{Config, Credential, Flag, MintBinding, Pass, Plain, RuleSet};
use crate::token_2022::TokenAccount;
use pinocchio::{AccountView, Address};
use rule_set_pass_interface::{self as interface, standing, Standing, Unreadable};

/// Rejects an account that did not sign.
pub fn signer(account: &AccountView) -> Result {
    if account.is_signer() {
        Ok(())
    } else {
        Err(Error::MissingSignature)
    }
}

/// Rejects an account that is not writable.
pub fn writable(account: &AccountView) -> Result {
    if account.is_writable() {
        Ok(())
    } else {
        Err(Error::NotWritable)
    }
}

/// Rejects a payer of rent that did not sign or is not writable.
pub fn payer(account: &AccountView) -> Result {
    signer(account)?;
    writable(account)
}

/// Rejects a program or sysvar account other than `expected`.
pub fn program(account: &AccountView, expected: &Address) -> Result {
    if account.address() == expected {
        Ok(())
    } else {
        Err(Error::WrongProgram)
    }
}

/// Rejects an account other than the system program.
pub fn system_program(account: &AccountView) -> Result {
    program(account, &SYSTEM_PROGRAM)
}

/// Rejects the same account in two places.
pub fn distinct(one: &AccountView, other: &AccountView) -> Result {
    if one.address() == other.address() {
        Err(Error::DuplicateAccount)
    } else {
        Ok(())
    }
}

/// Rejects an account that is not the governance authority or did not sign.
pub fn authority(account: &AccountView, config: &Config) -> Result {
    signer(account)?;
    if account.address() == &config.authority {
        Ok(())
    } else {
        Err(Error::NotAuthority)
    }
}

/// Rejects an account that is neither the governance authority nor the guardian, or did not sign.
pub fn authority_or_guardian(account: &AccountView, config: &Config) -> Result {
    signer(account)?;
    if config.guardian.get().as_ref() == Some(account.address()) {
        Ok(())
    } else {
        authority(account, config)
    }
}

/// Rejects an account that is not the nominated authority or did not sign.
pub fn nominee(account: &AccountView, config: &Config) -> Result {
    signer(account)?;
    if config.nominee.get().as_ref() == Some(account.address()) {
        Ok(())
    } else {
        Err(Error::NotNominee)
    }
}

/// Rejects an account that is not the creator of the rule set or did not sign.
pub fn creator(account: &AccountView, rule_set: &RuleSet) -> Result {
    signer(account)?;
    if account.address() == &rule_set.creator {
        Ok(())
    } else {
        Err(Error::NotCreator)
    }
}

/// Rejects the instruction unless the rule set gave its creator this power, such as [`RuleSet::MAY_GRANT`].
pub fn power(rule_set: &RuleSet, power: u8) -> Result {
    if rule_set.powers & power != 0 {
        Ok(())
    } else {
        Err(Error::PowerNotGiven)
    }
}

/// Rejects an account that is not the issuer of a bound mint or did not sign.
pub fn issuer(account: &AccountView, binding: &MintBinding) -> Result {
    signer(account)?;
    if account.address() == &binding.issuer {
        Ok(())
    } else {
        Err(Error::NotIssuer)
    }
}

/// Rejects the instruction while the protocol is paused.
pub fn not_paused(config: &Config) -> Result {
    if config.paused.get() {
        Err(Error::ProtocolPaused)
    } else {
        Ok(())
    }
}

/// Whose pass is required. It selects the error for a pass that is missing or not valid.
#[derive(Clone, Copy)]
pub enum Holder {
    /// The owner of the token account that receives the tokens.
    Destination,
    /// The owner of the token account that sends the tokens.
    Source,
}

/// What a valid pass is based on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The wallet proved the rule set.
    Proof,
    /// The creator of the rule set granted the pass.
    Grant,
}

/// Requires a valid pass for a rule set.
pub struct PassCheck<'a> {
    /// Address of the rule set.
    pub rule: &'a Address,
    /// This program.
    pub program_id: &'a Address,
    /// Unix seconds.
    pub now: u64,
    /// What governance decides about passes.
    pub config: &'a Config,
    /// Whether granted passes count.
    pub honours_granted: Flag,
}

impl PassCheck<'_> {
    /// Rejects an account that is not a valid pass of the wallet. Returns what the pass is based on.
    pub fn require(&self, holder: Holder, wallet: &Address, account: &AccountView) -> Result<Basis> {
        self.check(holder, wallet, account, None)
    }

    /// Like [`PassCheck::require`], and rejects a proved pass that the credential of the wallet does not support. So it
    /// rejects what `close-pass` would end for the credential, before anyone ends it. A granted pass has no credential.
    pub fn require_supported(
        &self,
        holder: Holder,
        wallet: &Address,
        account: &AccountView,
        credential: &AccountView,
    ) -> Result {
        self.check(holder, wallet, account, Some(credential)).map(drop)
    }

    #[inline(always)]
    fn check(
        &self,
        holder: Holder,
        wallet: &Address,
        account: &AccountView,
        credential: Option<&AccountView>,
    ) -> Result<Basis> {
        let rejected = |of_destination, of_source| match holder {
            Holder::Destination => Err(of_destination),
            Holder::Source => Err(of_source),
        };
        let data = account.try_borrow().map_err(|_| Error::DuplicateAccount)?;
        let pass = match interface::Pass::read(self.program_id.as_array(), account.owner().as_array(), &data) {
            Ok(pass) => pass,
            // The account does not exist: the program owns nothing at its address.
            Err(Unreadable::Owner) => return rejected(Error::DestinationPassMissing, Error::SourcePassMissing),
            Err(Unreadable::Layout) => return Err(Error::WrongAccountType),
        };
        match standing(&pass, &self.config.into(), self.now, self.rule.as_array(), wallet.as_array()) {
            Standing::Live => {}
            Standing::Granted if self.honours_granted.get() => return Ok(Basis::Grant),
            Standing::Granted => return rejected(Error::DestinationPassGranted, Error::SourcePassGranted),
            Standing::Suspended => return rejected(Error::DestinationPassSuspended, Error::SourcePassSuspended),
            Standing::Expired => return rejected(Error::DestinationPassExpired, Error::SourcePassExpired),
            Standing::OfAnother => return Err(Error::WrongAddress),
        }
        if let Some(credential) = credential {
            let held = Credential::of(credential, wallet, self.program_id)?;
            let pass = Pass::at_front(&data).ok_or(Error::WrongAccountType)?;
            if !held.supports(pass) {
                return rejected(Error::DestinationPassUnsupported, Error::SourcePassUnsupported);
            }
        }
        Ok(Basis::Proof)
    }
}

/// A token account to which this program mints tokens, and what its owner must have.
pub struct Receiver<'a> {
    /// The token account.
    pub destination: &'a AccountView,
    /// The pass of its owner.
    pub pass: &'a AccountView,
    /// The credential of its owner.
    pub credential: &'a AccountView,
    /// This program.
    pub program_id: &'a Address,
}

impl Receiver<'_> {
    /// Rejects a token account whose owner can change, has no valid pass, or has proved it with a credential that is revoked.
    /// If the binding reads credentials, the credential must support the pass, as in a transfer.
    #[inline(never)]
    pub fn check(&self, binding: &MintBinding, governance: &Config) -> Result {
        let Self { destination, pass, credential, program_id } = *self;
        let account = TokenAccount::read(destination, &binding.mint)?;
        if !account.has_immutable_owner {
            return Err(Error::TokenAccountOwnerMutable);
        }
        let check = PassCheck {
            rule: &binding.rule,
            program_id,
            now: clock::now()?,
            config: governance,
            honours_granted: binding.honours_granted,
        };
        if binding.reads_credential.get() {
            return check.require_supported(Holder::Destination, &account.owner, pass, credential);
        }
        match check.require(Holder::Destination, &account.owner, pass)? {
            Basis::Proof => Credential::unrevoked(credential, &account.owner, program_id).map(drop),
            Basis::Grant => Ok(()),
        }
    }
}

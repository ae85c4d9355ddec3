//! The numbered errors. Order and numbers are those of `idl.json`.

use pinocchio::error::ProgramError;

/// Why the program refused an instruction; a client sees it as a custom program error of this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Error {
    /// The instruction data is unknown, too short or too long.
    InvalidInstructionData = 6000,
    /// The instruction has too few or too many accounts.
    WrongAccountCount,
    /// An account that must sign did not.
    MissingSignature,
    /// An account that must be writable is not.
    NotWritable,
    /// An account is not at the address that its seeds give.
    WrongAddress,
    /// An account is not owned by the program that it must be owned by.
    WrongOwner,
    /// An account has another type, version or size than expected.
    WrongAccountType,
    /// The same account was passed twice.
    DuplicateAccount,
    /// The account exists already.
    AlreadyInitialized,
    /// A program or sysvar account is not the one expected.
    WrongProgram,
    /// A sum does not fit.
    Overflow,
    /// The clock of the chain could not be read.
    ClockInvalid,
    /// The signer is not the upgrade authority of the program.
    NotUpgradeAuthority,
    /// The signer is not the governance authority.
    NotAuthority,
    /// The pass fee is over the cap.
    PassFeeTooHigh,
    /// The name is empty, too long, not UTF-8 or has control characters.
    NameInvalid,
    /// The protocol is paused.
    ProtocolPaused,
    /// The verifier is not active.
    VerifierInactive,
    /// The verifier is not the one of the credential.
    VerifierMismatch,
    /// The ed25519 instruction before this one does not sign this credential with the key of the verifier.
    CredentialSignatureInvalid,
    /// The credential is issued in the future, or expires too early or too late.
    CredentialTimesInvalid,
    /// The wallet has a credential that was issued at the same time or later.
    CredentialNotNewer,
    /// The wallet has a live credential of another verifier.
    CredentialHeld,
    /// The commitment is zero or not below the field order.
    CommitmentInvalid,
    /// A rule set has one to eight clauses.
    ClauseCountInvalid,
    /// A clause is empty or its region mask is out of range.
    ClauseInvalid,
    /// The longest pass life is out of range.
    MaxPassAgeInvalid,
    /// The mint is not an initialised Token-2022 mint.
    MintInvalid,
    /// The mint has a supply already.
    MintSupplyNotZero,
    /// The mint authority is not the signer.
    MintAuthorityMismatch,
    /// The transfer hook is not this program, or its authority is not none.
    MintHookMismatch,
    /// The freeze authority is neither none nor the issuer.
    MintFreezeAuthorityMismatch,
    /// The mint has an extension outside the binding profile.
    MintExtensionUnsupported,
    /// The wallet has no credential.
    CredentialMissing,
    /// The credential is revoked.
    CredentialRevoked,
    /// The credential has expired.
    CredentialExpired,
    /// The circuit is retired.
    CircuitRetired,
    /// The circuit is not the one expected.
    CircuitMismatch,
    /// The grace is over its limit.
    GraceInvalid,
    /// The pass would end in the past or later than the rule set allows.
    PassExpiryInvalid,
    /// The pass would end later than the credential.
    PassOutlivesCredential,
    /// Governance has not set the pass fee.
    PassFeeUnset,
    /// The pass funds of the rule set do not cover the pass fee.
    PassFundsTooLow,
    /// The pass is younger than half of the longest pass life and the credential is not newer.
    PassRenewalTooEarly,
    /// The eligibility proof does not verify.
    ProofInvalid,
    /// A hash could not be computed.
    HashFailed,
    /// The binding is of another mint or rule set.
    BindingMismatch,
    /// The signer is not the issuer of the mint.
    NotIssuer,
    /// The amount is zero.
    AmountInvalid,
    /// The token account is not one of Token-2022 for this mint.
    TokenAccountInvalid,
    /// The token account lacks the ImmutableOwner extension.
    TokenAccountOwnerMutable,
    /// The owner of the destination has no pass for the rule set.
    DestinationPassMissing,
    /// The pass of the owner of the destination has expired.
    DestinationPassExpired,
    /// The owner of the source has no pass for the rule set.
    SourcePassMissing,
    /// The pass of the owner of the source has expired.
    SourcePassExpired,
    /// The transfer hook was called outside a transfer.
    NotTransferring,
    /// A point of the verifying key is not on its curve or not in its group.
    VerifyingKeyInvalid,
    /// The withdrawal is more than the account holds above its rent.
    WithdrawalTooHigh,
    /// The signer is not the creator of the rule set.
    NotCreator,
    /// The pass is live, or too young to be renewed, and nothing that it was proved with has been withdrawn.
    PassLive,
}

impl From<Error> for ProgramError {
    fn from(error: Error) -> Self {
        Self::Custom(error as u32)
    }
}

/// The result of everything in this program that can refuse.
pub type Result<T = ()> = core::result::Result<T, Error>;

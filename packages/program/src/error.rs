//! The errors of the program, and the only list of them. `npm run generate` reads this enum and writes the
//! errors of the IDL, of both TypeScript packages and of the README. A variant's comment becomes the message of its
//! error.

use pinocchio::error::ProgramError;

/// Why the program rejected an instruction. A client sees a custom program error with this number.
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
    /// An account is not at the address that its seeds derive.
    WrongAddress,
    /// An account is not owned by the expected program.
    WrongOwner,
    /// An account does not have the expected type, version or size.
    WrongAccountType,
    /// The same account was passed twice.
    DuplicateAccount,
    /// The account already exists.
    AlreadyInitialized,
    /// A program or sysvar account is not the expected one.
    WrongProgram,
    /// A sum overflows its integer type.
    Overflow,
    /// The program could not read the clock of the chain.
    ClockInvalid,
    /// The signer is not the upgrade authority of the program.
    NotUpgradeAuthority,
    /// The signer is not the governance authority, and for pause not the guardian either.
    NotAuthority,
    /// The pass fee is above the cap.
    PassFeeTooHigh,
    /// The name is empty, is too long, is not UTF-8, has control or invisible characters, or a space at an end.
    NameInvalid,
    /// The protocol is paused.
    ProtocolPaused,
    /// The verifier is not active.
    VerifierInactive,
    /// The verifier is not the verifier of the credential.
    VerifierMismatch,
    /// The ed25519 instruction before this one does not verify the verifier's signature of this credential.
    CredentialSignatureInvalid,
    /// The credential is issued in the future or more than four days ago, or it expires too early or too late.
    CredentialTimesInvalid,
    /// A credential, revocation or discard of the same time or later is already on chain for the wallet.
    CredentialNotNewer,
    /// The wallet has a valid credential from another verifier.
    CredentialHeld,
    /// The commitment is zero or is not below the field order.
    CommitmentInvalid,
    /// The rule set does not have one to eight clauses.
    ClauseCountInvalid,
    /// A clause is empty or its region mask is out of range.
    ClauseInvalid,
    /// The longest pass life is out of range.
    MaxPassAgeInvalid,
    /// The mint is not an initialized Token-2022 mint.
    MintInvalid,
    /// The mint already has a supply.
    MintSupplyNotZero,
    /// The signer is not the mint authority.
    MintAuthorityMismatch,
    /// The mint has no transfer hook, or its program is another one, or none that the issuer can set.
    MintHookMismatch,
    /// The mint has a freeze authority other than the issuer.
    MintFreezeAuthorityMismatch,
    /// The mint has an extension that a bound mint must not have.
    MintExtensionUnsupported,
    /// The wallet has no credential.
    CredentialMissing,
    /// The credential is revoked.
    CredentialRevoked,
    /// The credential has expired.
    CredentialExpired,
    /// The circuit is retired.
    CircuitRetired,
    /// The circuit is not the expected one.
    CircuitMismatch,
    /// The grace period is above its limit.
    GraceInvalid,
    /// The pass would expire in the past or later than the rule set allows.
    PassExpiryInvalid,
    /// The pass would expire later than the credential.
    PassOutlivesCredential,
    /// Governance has not set the pass fee yet.
    PassFeeUnset,
    /// The pass funds of the rule set do not cover the pass fee.
    PassFundsTooLow,
    /// The pass is too young to be renewed: half of the longest pass life, or an hour for another commitment.
    PassRenewalTooEarly,
    /// The eligibility proof does not verify.
    ProofInvalid,
    /// The program could not compute a hash.
    HashFailed,
    /// The binding or the list belongs to another mint or rule set.
    BindingMismatch,
    /// The signer is not the issuer of the mint.
    NotIssuer,
    /// The amount is zero.
    AmountInvalid,
    /// The token account is not a Token-2022 account of this mint.
    TokenAccountInvalid,
    /// The token account does not have the ImmutableOwner extension.
    TokenAccountOwnerMutable,
    /// The owner of the destination has no pass for the rule set.
    DestinationPassMissing,
    /// The pass of the owner of the destination has expired, or governance ended it.
    DestinationPassExpired,
    /// The owner of the source has no pass for the rule set.
    SourcePassMissing,
    /// The pass of the owner of the source has expired, or governance ended it.
    SourcePassExpired,
    /// The transfer hook was called outside a transfer.
    NotTransferring,
    /// A point of the verifying key is not on its curve or not in its group.
    VerifyingKeyInvalid,
    /// The withdrawal is more than the account holds above its rent and, if it is a rule set, its pass fees.
    WithdrawalTooHigh,
    /// The signer is not the creator of the rule set.
    NotCreator,
    /// The pass is live or too young to be renewed, and nothing else allows closing or replacing it.
    PassLive,
    /// The day on which age is counted is later than today.
    AsOfInvalid,
    /// The signer is not the nominated authority.
    NotNominee,
    /// The pass fee is above the limit of the rule set. Its creator can raise the limit.
    PassFeeAboveLimit,
    /// Governance ended all passes in this second. The wallet can prove from the next second on.
    PassesJustEnded,
    /// The creator of the rule set suspended the pass of the owner of the destination.
    DestinationPassSuspended,
    /// The creator of the rule set suspended the pass of the owner of the source.
    SourcePassSuspended,
    /// The pass of the owner of the destination was granted without a proof, and the mint does not honour that.
    DestinationPassGranted,
    /// The pass of the owner of the source was granted without a proof, and the mint does not honour that.
    SourcePassGranted,
    /// The creator of the rule set suspended the pass.
    PassSuspended,
    /// The pass is not suspended.
    PassNotSuspended,
    /// The suspension would end in the past.
    SuspensionInvalid,
    /// The pass has no proof: the creator of the rule set opened it. Only the creator closes it, or anyone with end-grant.
    PassNotProved,
    /// The pass is not a granted one.
    PassNotGranted,
    /// The rule set has a power that does not exist.
    PowersInvalid,
    /// The rule set did not give its creator this power when it was created.
    PowerNotGiven,
    /// The rule set accepts only credentials of another verifier.
    VerifierNotAccepted,
    /// The transfer hook of the mint has an authority other than the issuer.
    MintHookAuthorityMismatch,
    /// The permanent delegate of the mint is neither none nor the issuer nor the binding.
    MintDelegateMismatch,
    /// The permanent delegate of the mint is not its binding, so the issuer cannot take tokens from a holder.
    RecoveryNotEnabled,
    /// The reason is not one of the codes from 1 to 7.
    ReasonInvalid,
    /// The signer is not the nominated issuer of the mint.
    NotIssuerNominee,
    /// No other rule set is announced for the mint.
    RuleChangeMissing,
    /// The announced rule set cannot be applied yet.
    RuleChangeTooEarly,
    /// The `MintConfig` of Token ACL belongs to another mint, or is not the freeze authority of the mint.
    MintConfigMismatch,
    /// The signer is not the authority of the `MintConfig` of Token ACL.
    NotMintConfigAuthority,
    /// New token accounts of the mint are not frozen.
    MintNotFrozenByDefault,
    /// The credential of the owner of the destination was revoked or replaced, so it does not support the pass.
    DestinationPassUnsupported,
    /// The credential of the owner of the source was revoked or replaced, so it does not support the pass.
    SourcePassUnsupported,
    /// A limit of wallets for each person needs a fixed verifier and at most six clauses.
    WalletsPerPersonInvalid,
    /// The rule set limits the wallets of each person and has no such place, or it has no limit and takes no place.
    PlaceNotInRuleSet,
    /// Another wallet holds this place of the person, and the proof does not name it as the wallet to replace.
    PlaceTaken,
    /// The wallet to replace does not hold this place of the person, or is the wallet that proves.
    PlaceNotHeld,
    /// The wallet to replace has held this place of the person for less than an hour.
    PlaceTakenTooSoon,
    /// The creator of the rule set suspended the pass of the wallet to replace.
    PlaceHeldBySuspended,
}

impl From<Error> for ProgramError {
    fn from(error: Error) -> Self {
        Self::Custom(error as u32)
    }
}

/// The result of a function that can reject an instruction.
pub type Result<T = ()> = core::result::Result<T, Error>;

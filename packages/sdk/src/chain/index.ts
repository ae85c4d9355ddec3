/**
 * Sends transactions that the API does not prepare, and reads records, through the caller's own RPC. Needs no session.
 *
 * @module @service/sdk/chain
 */

export type { RemovalReason } from '@service/contract/removal-reasons';
export type { MintTemplate } from '@service/protocol';
export type { CredentialRevoked } from '../preflight/receivers.ts';
export type { MintOptions } from './bound-mint.ts';
export {
  type AnnounceRuleOptions,
  acceptIssuer,
  announceRule,
  applyRule,
  type NominateIssuerOptions,
  nominateIssuer,
} from './change-binding.ts';
export type { ChangedAccount } from './change-frozen.ts';
export { type ClosePassOptions, closePass } from './close-pass.ts';
export { type CreateBindableMintOptions, createBindableMint } from './create-bindable-mint.ts';
export { type CreateTokenAccountOptions, createTokenAccount } from './create-token-account.ts';
export { type DiscardCredentialOptions, discardCredential } from './discard-credential.ts';
export {
  type FetchedGatedAccounts,
  fetchGatedAccounts,
  type GatedTokenAccount,
} from './fetch-gated-accounts.ts';
export { type FetchedHolders, fetchHolders } from './fetch-holders.ts';
export { type FetchedMint, fetchMint } from './fetch-mint.ts';
export { type FetchedPlace, type FetchPlacesOptions, fetchPlaces } from './fetch-places.ts';
export { type FreezeOptions, freezeAccount, pauseMint, resumeMint, thawAccount } from './freeze.ts';
export { freezeWithoutPass } from './freeze-without-pass.ts';
export { type FundRuleSetOptions, fundRuleSet } from './fund-rule-set.ts';
export { type IssueManyOptions, issueMany } from './issue-many/issue-many.ts';
export type { IssueLedger } from './issue-many/ledger.ts';
export type { IssueProgress, IssueReport, RowReason, RowReport } from './issue-many/report.ts';
export type { IssueRow } from './issue-many/rows.ts';
export type { ChainOptions, ChainWriteOptions } from './options.ts';
export { fetchPowers } from './powers/fetch-powers.ts';
export type {
  BindingPowers,
  GatePowers,
  MintPowers,
  MintRole,
  PowerSentence,
  ProtocolPowers,
  RuleSetPowers,
  TransferFee,
} from './powers/mint-powers.ts';
export { type FetchedPass, fetchBinding, fetchCredential, fetchPass, fetchRuleSet } from './reads.ts';
export {
  type RemoveGateOptions,
  removeGate,
  type SetGateAuthorityOptions,
  setGateAuthority,
} from './remove-gate.ts';
export type { FinalizedTransaction } from './send.ts';
export { type SetGateOptions, setGate } from './set-gate.ts';
export { type SetMaxPassFeeOptions, setMaxPassFee } from './set-max-pass-fee.ts';
export type { RecoverOptions, RedeemOptions } from './take-options.ts';
export { recover, redeem } from './take-tokens.ts';
export { type GatedAccountOptions, thawByPass } from './thaw-by-pass.ts';
export { tokenAccountOf } from './token-account.ts';
export { type WithdrawPassFundsOptions, withdrawPassFunds } from './withdraw-pass-funds.ts';

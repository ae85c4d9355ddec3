import type { ProgramErrorName } from '@service/contract';

const PROVES = 'The owner of the destination must prove the rule set first.';
const LIFTS = 'The creator of the rule set must lift the suspension first.';

/** What to do about errors of programs that no check before the signature reports, or that a change in between caused. */
const REMEDIES: Partial<Record<ProgramErrorName, string>> = {
  ACCOUNT_FROZEN: 'Thaw the token account first.',
  CREDENTIAL_MISSING: 'The owner of the destination must verify first.',
  CREDENTIAL_REVOKED: 'The owner of the destination must verify again first.',
  DESTINATION_PASS_EXPIRED: PROVES,
  DESTINATION_PASS_GRANTED: PROVES,
  DESTINATION_PASS_MISSING: PROVES,
  DESTINATION_PASS_SUSPENDED: LIFTS,
  DESTINATION_PASS_UNSUPPORTED: PROVES,
  GUARD_FAILED:
    'A guard that the wallet added did not hold, for example because an account changed in the meantime. Try again. If it fails again, use another wallet.',
  INSUFFICIENT_FUNDS: 'The token account has fewer tokens. Use a lower amount.',
  MINT_PAUSED: 'Wait until the issuer calls resumeMint.',
  NOT_CREATOR: 'Use the wallet that created the rule set.',
  NOT_ISSUER: 'Use the wallet of the issuer.',
  NOT_ISSUER_NOMINEE: 'Use the wallet that the issuer nominated.',
  PASS_EXPIRY_INVALID: 'Use an expiry in the future that the longest pass life of the rule set allows.',
  PASS_FEE_ABOVE_LIMIT: 'Agree to the fee with setMaxPassFee.',
  PASS_FUNDS_TOO_LOW: 'Add to the pass funds with fundRuleSet.',
  PASS_LIVE: 'Wait until the pass of the wallet expires.',
  PASS_NOT_GRANTED: 'The wallet has no granted pass. Do not repeat the call.',
  PASS_NOT_SUSPENDED: 'The wallet is not suspended. Do not repeat the call.',
  PASS_SUSPENDED: LIFTS,
  PLACE_HELD_BY_SUSPENDED: LIFTS,
  PLACE_NOT_HELD: 'Replace a wallet that fetchPlaces returns.',
  PLACE_TAKEN: 'Prove again. That takes another place.',
  PLACE_TAKEN_TOO_SOON: 'Wait until an hour after the wallet took the place.',
  POWER_NOT_GIVEN: 'Create another rule set with this power.',
  PROTOCOL_PAUSED: 'Wait until governance ends the pause.',
  RECOVERY_NOT_ENABLED: 'Create another mint, with the template security or fund.',
  RULE_CHANGE_MISSING: 'The issuer must call announceRule first.',
  RULE_CHANGE_TOO_EARLY: 'Wait until nextRuleFrom, which fetchBinding returns.',
  SUSPENSION_INVALID: 'Use a time in the future.',
  TOKEN_ACCOUNT_INVALID: 'Use a token account of this mint.',
  TOKEN_ACCOUNT_OWNER_MUTABLE: 'Use a token account that createTokenAccount creates.',
};

/** Returns what to do about an error of a program, if that is known. */
export const programRemedy = (name: ProgramErrorName): string | undefined => REMEDIES[name];

/** What to do about an instruction that ended without an error of its program. No check before the signature can report that. */
export const LIMIT_REMEDY =
  'No program returned an error. If the wallet set a compute limit, it may be too low: reset it in the wallet, or use another wallet.';

/** Whether a proof of a rule set would get a pass, and if not why and who must act: by the caller's own RPC, before anything is proved. */
import { ERROR_CODES, type Witness } from '@service/contract';
import {
  type AccountOf,
  aboveRent,
  clauseMasksOf,
  type Found,
  hexOf,
  programAddresses,
  readAccount,
  readAccounts,
} from '@service/protocol';
import { asOfDateCode } from '@service/protocol/eligibility/date-code';
import { bytesToField } from '@service/protocol/eligibility/field';
import { type Address, unwrapOption } from '@solana/kit';
import { type ClientCore, sessionWallet } from '../client/core.ts';
import { pinnedCircuitId } from '../eligibility/circuit.ts';
import { latestPassExpiry } from '../eligibility/pass-expiry.ts';
import type { UnmetClause } from '../error-contexts.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { checkAddresses } from '../lib/check-arguments.ts';
import type { CallOptions } from '../lib/deadline.ts';
import { loadChunk } from '../lib/load-chunk.ts';
import { askRpc, checkGenesisHash, readerOf, sendOptions } from '../rpc/chain-rpc.ts';
import { type PassLife, passLifeOf, readChainTime } from '../rpc/pass-life.ts';
import type { Actor } from './check-transfer.ts';

/**
 * What is asked of `checkProof` (SPEC.md sections 1 and 7).
 *
 * @inline
 */
export interface CheckProofRequest {
  /** The rule set that would be proved. */
  readonly rule: Address;
  /** Compared on this machine alone; without it nothing is said of eligibility. */
  readonly witness?: Witness | undefined;
  /** Unix seconds at which the pass is to expire. @default the latest that is possible */
  readonly expiresAt?: bigint | undefined;
}

/** Why a proof would get no pass. Lamports, Unix seconds (SPEC.md sections 1 and 7). */
export type ProofCheckReason = {
  /** Who can do something about it. */
  readonly who: Actor;
} & (
  | { readonly code: 'PROTOCOL_PAUSED' }
  /** There is no such rule set. */
  | { readonly code: 'NOT_FOUND' }
  /** Verify with client.startVerification. */
  | {
      readonly code: 'CREDENTIAL_REQUIRED';
      /** Whether there was a credential, which its verifier has revoked. */
      readonly revoked: boolean;
    }
  | {
      readonly code: 'CREDENTIAL_EXPIRED';
      /** Unix seconds at which the credential expired. */
      readonly expiresAt: bigint;
    }
  /** The verifier of the credential was switched off: verify with another one. */
  | {
      readonly code: 'VERIFIER_INACTIVE';
      /** Base58 address of the Verifier account. */
      readonly verifier: Address;
    }
  /** Proofs of the pinned circuit are refused since then; `retiredAt` is null when it was found unsound. */
  | {
      readonly code: 'CIRCUIT_RETIRED';
      /** Unix seconds. */
      readonly retiredAt: bigint | null;
    }
  /** No circuit on chain has the artifacts that the deployment pins: get the operator's current deployment.json. */
  | { readonly code: 'CIRCUIT_MISMATCH' }
  | { readonly code: 'PASS_FEE_UNSET' }
  /** The rule set's pass funds do not cover the fee: anyone can add to them with fundRuleSet. */
  | {
      readonly code: 'PASS_FEE_UNFUNDED';
      /** Lamports. */
      readonly missingLamports: bigint;
    }
  | {
      readonly code: 'PASS_RENEWAL_TOO_EARLY';
      /** Unix seconds from which the pass can be renewed. */
      readonly renewableAt: bigint;
      /** Seconds until then. */
      readonly secondsLeft: bigint;
    }
  | {
      readonly code: 'PASS_EXPIRY_INVALID';
      /** Unix seconds: the latest expiry that the pass can have. */
      readonly latest: bigint;
    }
  /** Malformed, of another wallet, or not the one behind the credential's commitment. */
  | { readonly code: 'WITNESS_INVALID' }
  /** What each clause leaves unmet; for the caller alone. */
  | {
      readonly code: 'NOT_ELIGIBLE';
      /** One for each clause of the rule set. */
      readonly clauses: readonly UnmetClause[];
    }
);

/**
 * What was looked at (SPEC.md sections 1 and 7).
 *
 * @inline
 */
export type ProofCheckFacts = {
  /** Unix seconds. */
  readonly chainTime: bigint;
  /** Unix seconds; null without a credential or a rule set, or when no pass could live at all. */
  readonly latestExpiresAt: bigint | null;
  /** The pass that there is already. */
  readonly pass: PassLife | null;
  /** Lamports that the rule set pays; null while governance has set none. */
  readonly passFee: bigint | null;
};

/** Whether a proof would get a pass now, by what is finalized on the caller's own RPC (SPEC.md sections 1 and 7). */
export type ProofCheck =
  | (ProofCheckFacts & {
      readonly ok: true;
      /** The latest expiry that the pass can have, in Unix seconds. */
      readonly latestExpiresAt: bigint;
    })
  | (ProofCheckFacts & {
      readonly ok: false;
      /** One at least. */
      readonly reasons: readonly ProofCheckReason[];
    });

/**
 * Options of `checkProof` (SPEC.md sections 1 and 7).
 *
 * @inline
 */
export interface CheckProofOptions extends CallOptions {
  /** The wallet that would prove. @default the wallet of the session */
  readonly wallet?: Address | undefined;
}

/** See `ServiceClient.checkProof`. */
export async function checkProof(
  core: ClientCore,
  { rule, witness, expiresAt }: CheckProofRequest,
  { signal, wallet: given }: CheckProofOptions,
): Promise<ProofCheck> {
  const wallet = given ?? (await sessionWallet(core, signal));
  checkAddresses({ rule, wallet });
  await checkGenesisHash(core, signal);
  const state = await readState(core, { rule, wallet }, signal);
  const { config, credential, ruleSet, pass, chainTime } = state;
  const latest =
    credential && ruleSet
      ? latestPassExpiry({ chainTime, ruleSet: ruleSet.data, credential: credential.data })
      : null;
  const facts: ProofCheckFacts = {
    chainTime,
    latestExpiresAt: latest !== null && latest > chainTime ? latest : null,
    pass: passLifeOf(pass, chainTime),
    passFee: config ? unwrapOption(config.data.passFee) : null,
  };
  const badExpiry = reasonsOfExpiry(expiresAt, latest, chainTime);
  const wanted = badExpiry.length === 0 ? (expiresAt ?? latest) : latest;
  const reasons: ProofCheckReason[] = [
    ...reasonsOfPause(state),
    ...(ruleSet ? [] : [{ code: 'NOT_FOUND', who: 'issuer' } as const]),
    ...reasonsOfCredential(state),
    ...reasonsOfCircuit(state),
    ...reasonsOfFee(state),
    ...reasonsOfRenewal(state),
    ...badExpiry,
    ...(witness ? await reasonsOfWitness(state, { witness, wallet, expiresAt: wanted }) : []),
  ];
  if (reasons.length === 0 && facts.latestExpiresAt !== null) {
    return Object.freeze({ ...facts, ok: true, latestExpiresAt: facts.latestExpiresAt });
  }
  return Object.freeze({
    ...facts,
    ok: false,
    reasons: Object.freeze(reasons.map((reason) => Object.freeze(reason))),
  });
}

/**
 * Refuses a proof that would get no pass for a reason that is no fault of the proof: before it is made, and before the
 * wallet is asked for anything.
 *
 * @throws ServiceError PROTOCOL_PAUSED, PASS_FEE_UNSET, PASS_FEE_UNFUNDED, PASS_RENEWAL_TOO_EARLY
 */
export async function checkPassOpens(
  core: ClientCore,
  rule: Address,
  signal: AbortSignal | undefined,
): Promise<void> {
  const wallet = await sessionWallet(core, signal);
  const state = await readState(core, { rule, wallet }, signal);
  const [reason] = [...reasonsOfPause(state), ...reasonsOfFee(state), ...reasonsOfRenewal(state)];
  if (!reason) return;
  throw new ServiceError(reason.code, {
    message: `${refusalOf(reason)} Nothing was signed. client.checkProof({ rule }) says so beforehand.`,
    context: reason.code === 'PASS_RENEWAL_TOO_EARLY' ? { renewableAt: reason.renewableAt } : {},
  });
}

function refusalOf(reason: FeeReason | RenewalReason | PauseReason): string {
  switch (reason.code) {
    case 'PASS_FEE_UNFUNDED':
      return `The pass funds of the rule set lack ${reason.missingLamports} lamports of the pass fee. Add to them with fundRuleSet.`;
    case 'PASS_RENEWAL_TOO_EARLY':
      return `The pass can be renewed from ${reason.renewableAt} on (Unix seconds), in ${reason.secondsLeft} seconds.`;
    default:
      return ERROR_CODES[reason.code].meaning;
  }
}

interface State {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly credential: Found<AccountOf<'credential'>> | null;
  readonly verifier: Found<AccountOf<'verifier'>> | null;
  readonly ruleSet: Found<AccountOf<'ruleSet'>> | null;
  readonly pass: Found<AccountOf<'pass'>> | null;
  /** The one whose artifacts the deployment pins. */
  readonly circuit: Found<AccountOf<'circuit'>> | null;
  /** Lamports of the rule set above its rent. */
  readonly passFunds: bigint;
  readonly chainTime: bigint;
}

async function readState(
  core: ClientCore,
  { rule, wallet }: { rule: Address; wallet: Address },
  signal: AbortSignal | undefined,
): Promise<State> {
  const at = programAddresses(core.deployment.program);
  const addresses = await Promise.all([at.config(), at.credential(wallet), at.pass(rule, wallet)]);
  const reader = readerOf(core, signal);
  const [config, credential, pass, ruleSet] = await askRpc('Reading what a proof depends on', signal, () =>
    readAccounts(reader, [
      ['config', addresses[0]],
      ['credential', addresses[1]],
      ['pass', addresses[2]],
      ['ruleSet', rule],
    ]),
  );
  const [verifier, rent, circuit, chainTime] = await Promise.all([
    credential &&
      askRpc('Reading the verifier', signal, () => readAccount(reader, 'verifier', credential.data.verifier)),
    askRpc('Reading the rent of a rule set', signal, () =>
      core.rpc.getMinimumBalanceForRentExemption(ruleSet?.space ?? 0n).send(sendOptions(signal)),
    ),
    readPinnedCircuit(core, config, signal),
    readChainTime(core, signal),
  ]);
  const passFunds = ruleSet ? aboveRent(ruleSet.lamports, rent) : 0n;
  return { config, credential, verifier, ruleSet, pass, circuit, passFunds, chainTime };
}

/** The circuit of the pinned artifacts: the active one, or one that it has replaced, whose id the service tells and the chain confirms. */
async function readPinnedCircuit(
  core: ClientCore,
  config: State['config'],
  signal: AbortSignal | undefined,
): Promise<State['circuit']> {
  const active = config && unwrapOption(config.data.activeCircuit);
  const read = (address: Address) =>
    askRpc('Reading the circuit', signal, () => readAccount(readerOf(core, signal), 'circuit', address));
  const found = active ? await read(active) : null;
  if (found && hexOf(found.data.artifactsDigest) === core.deployment.artifactsDigest) return found;
  try {
    const id = await pinnedCircuitId(core, signal);
    return await read(await programAddresses(core.deployment.program).circuit(id));
  } catch (error) {
    if (isServiceError(error, 'CIRCUIT_MISMATCH')) return null;
    throw error;
  }
}

function reasonsOfCredential({ credential, verifier, chainTime }: State): ProofCheckReason[] {
  if (!credential) return [{ code: 'CREDENTIAL_REQUIRED', who: 'holder', revoked: false }];
  const { revoked, expiresAt } = credential.data;
  return [
    ...(revoked ? [{ code: 'CREDENTIAL_REQUIRED', who: 'verifier', revoked: true } as const] : []),
    ...(expiresAt <= chainTime ? [{ code: 'CREDENTIAL_EXPIRED', who: 'holder', expiresAt } as const] : []),
    ...(verifier?.data.active
      ? []
      : [{ code: 'VERIFIER_INACTIVE', who: 'operator', verifier: credential.data.verifier } as const]),
  ];
}

function reasonsOfCircuit({ circuit, chainTime }: State): ProofCheckReason[] {
  if (!circuit) return [{ code: 'CIRCUIT_MISMATCH', who: 'operator' }];
  const retiredAt = unwrapOption(circuit.data.retiredAt);
  if (circuit.data.unsound) return [{ code: 'CIRCUIT_RETIRED', who: 'operator', retiredAt: null }];
  if (retiredAt === null || retiredAt > chainTime) return [];
  return [{ code: 'CIRCUIT_RETIRED', who: 'operator', retiredAt }];
}

type Reason<C extends ProofCheckReason['code']> = Extract<ProofCheckReason, { readonly code: C }>;
type PauseReason = Reason<'PROTOCOL_PAUSED'>;
type FeeReason = Reason<'PASS_FEE_UNSET' | 'PASS_FEE_UNFUNDED'>;
type RenewalReason = Reason<'PASS_RENEWAL_TOO_EARLY'>;

function reasonsOfPause({ config }: State): PauseReason[] {
  return config?.data.paused ? [{ code: 'PROTOCOL_PAUSED', who: 'operator' }] : [];
}

function reasonsOfFee({ config, ruleSet, passFunds }: State): FeeReason[] {
  const fee = config ? unwrapOption(config.data.passFee) : null;
  if (fee === null) return [{ code: 'PASS_FEE_UNSET', who: 'operator' }];
  if (!ruleSet || passFunds >= fee) return [];
  return [{ code: 'PASS_FEE_UNFUNDED', who: 'issuer', missingLamports: fee - passFunds }];
}

/** As the program has it: half of the longest pass life after the last proof, at once with a newer credential. */
function reasonsOfRenewal({ pass, ruleSet, credential, chainTime }: State): RenewalReason[] {
  if (!pass || !ruleSet || !credential) return [];
  const { issuedAt, credentialIssuedAt } = pass.data;
  const held = credential.data;
  const isNewer = held.issuedAt > credentialIssuedAt;
  const renewableAt = issuedAt + ruleSet.data.maxPassAgeSeconds / 2n;
  if (isNewer || chainTime >= renewableAt) return [];
  const secondsLeft = renewableAt - chainTime;
  return [{ code: 'PASS_RENEWAL_TOO_EARLY', who: 'holder', renewableAt, secondsLeft }];
}

function reasonsOfExpiry(
  expiresAt: bigint | undefined,
  latest: bigint | null,
  chainTime: bigint,
): ProofCheckReason[] {
  if (expiresAt === undefined || latest === null) return [];
  if (typeof expiresAt === 'bigint' && expiresAt > chainTime && expiresAt <= latest) return [];
  return [{ code: 'PASS_EXPIRY_INVALID', who: 'holder', latest }];
}

async function reasonsOfWitness(
  { credential, ruleSet }: State,
  { witness, wallet, expiresAt }: { witness: Witness; wallet: Address; expiresAt: bigint | null },
): Promise<ProofCheckReason[]> {
  if (!credential || !ruleSet || expiresAt === null) return [];
  if (witness.wallet !== wallet) return [{ code: 'WITNESS_INVALID', who: 'holder' }];
  // Poseidon is in the prover's chunk: who asks without a witness does not load it.
  const { unmetClauses } = await loadChunk(() => import('../prover/index.ts'));
  const { maxPassAgeSeconds } = ruleSet.data;
  try {
    const clauses = unmetClauses(witness, {
      commitment: bytesToField(new Uint8Array(credential.data.commitment)),
      clauses: clauseMasksOf(ruleSet.data),
      asOf: asOfDateCode({ expiresAt, maxPassAgeSeconds }),
    });
    if (clauses === null) return [];
    return clauses === 'foreign'
      ? [{ code: 'WITNESS_INVALID', who: 'holder' }]
      : [{ code: 'NOT_ELIGIBLE', who: 'holder', clauses }];
  } catch (error) {
    if (isServiceError(error, 'WITNESS_INVALID')) return [{ code: 'WITNESS_INVALID', who: 'holder' }];
    throw error;
  }
}

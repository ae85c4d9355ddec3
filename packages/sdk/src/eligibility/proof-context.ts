/** Reads the records that a proof needs from the caller's own RPC. The service's copy is only compared. */
import type { ProofContext } from '@service/contract';
import { clauseFromMasks } from '@service/contract/clause-masks';
import {
  CLOCK_SYSVAR,
  circuitRecordOf,
  clauseMasksOf,
  credentialRecordOf,
  decodeAccount,
  passFeeAt,
  programAddresses,
  RENT_SYSVAR,
  ruleSetRecordOf,
  verifierRecordOf,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import type { CallOptions } from '../lib/clock.ts';
import type { PassState } from '../preflight/proof-state.ts';
import { accountNotFound, clockOf, passFundsBy, readTogether } from '../rpc/accounts.ts';
import { type Chain, checkGenesisHash, type PinnedCircuit } from '../rpc/chain.ts';
import { orOtherSession, type SessionOnChain, sessionWallet } from '../session/session.ts';
import { checkedCircuit, pinnedCircuit } from './circuit.ts';
import { markVerified } from './verified-records.ts';

/** See `ServiceClient.proofContext`. */
export async function proofContext(
  state: SessionOnChain,
  wanted: { readonly rule: Address },
  { signal }: CallOptions,
): Promise<ProofContext> {
  return (await readProof(state, wanted, signal)).context;
}

/** What a proof must use, and the accounts that decide whether its pass can be opened, at one finalized slot. */
export interface ReadProof {
  readonly context: ProofContext;
  readonly opening: Omit<PassState, 'chainTime'>;
}

/** Reads what a proof needs. Throws what `ServiceClient.proofContext` throws. */
export async function readProof(
  state: SessionOnChain,
  { rule }: { readonly rule: Address },
  signal: AbortSignal | undefined,
): Promise<ReadProof> {
  const { session, chain } = state;
  const wallet = await sessionWallet(session, signal);
  const answer = session.api.call('proofContext', { body: { rule }, signal });
  const walletOf = ({ credential }: ProofContext) => credential.wallet;
  const claimed = await orOtherSession(session, { wallet, answer, walletOf }, signal);
  await checkGenesisHash(chain, signal);
  const pinned = await pinnedCircuit(state, signal);
  const { context, clauses, opening } = await readFacts(chain, { wallet, rule, pinned, claimed }, signal);
  checkClaims(context, claimed);
  markVerified({
    ...context,
    deployment: chain.deployment,
    clauses: Object.freeze(clauses.map((clause) => Object.freeze(clause))),
  });
  return { context, opening };
}

interface Wanted {
  readonly wallet: Address;
  readonly rule: Address;
  readonly pinned: PinnedCircuit;
  readonly claimed: ProofContext;
}

async function readFacts(
  chain: Chain,
  { wallet, rule, pinned, claimed }: Wanted,
  signal: AbortSignal | undefined,
) {
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const [credentialAddress, configAddress, circuitAddress, passAddress] = await Promise.all([
    at.credential(wallet),
    at.config(),
    at.circuit(pinned.id),
    at.pass(rule, wallet),
  ]);
  const records = [credentialAddress, rule, configAddress, circuitAddress, passAddress];
  // The service names the verifier, so that it is read in the same request. It must be that of the credential on chain.
  const addresses = [...records, claimed.credential.verifier, CLOCK_SYSVAR, RENT_SYSVAR];
  const reading = { what: 'Reading credential and rule set', commitment: 'finalized', signal } as const;
  const found = await readTogether(chain, addresses, reading, (accounts) => {
    const ruleSet = decodeAccount(program, 'ruleSet', accounts[1]!);
    return {
      credential: decodeAccount(program, 'credential', accounts[0]!),
      ruleSet,
      config: decodeAccount(program, 'config', accounts[2]!),
      circuit: decodeAccount(program, 'circuit', accounts[3]!),
      pass: decodeAccount(program, 'pass', accounts[4]!),
      verifier: decodeAccount(program, 'verifier', accounts[5]!),
      chainTime: clockOf(accounts[6]!),
      passFunds: ruleSet ? passFundsBy(accounts[7], ruleSet) : 0n,
    };
  });
  const { credential, ruleSet, config, pass, verifier, passFunds, chainTime } = found;
  if (!credential || credential.data.wallet !== wallet) {
    throw new ServiceError('CREDENTIAL_REQUIRED', {
      message: `The wallet ${wallet} has no credential on chain. Verify first with client.startVerification.`,
    });
  }
  if (!ruleSet) throw accountNotFound('rule set of this program', rule);
  if (!config) throw accountNotFound('configuration of this program', configAddress);
  const circuit = await checkedCircuit(pinned, found.circuit);
  const { verifier: authority } = credential.data;
  if (claimed.credential.verifier !== authority) throw recordMismatch(['credential.verifier']);
  if (!verifier) throw accountNotFound('verifier of this program', authority);
  const context: ProofContext = Object.freeze({
    credential: Object.freeze(credentialRecordOf(credential)),
    ruleSet: Object.freeze(ruleSetRecordOf(ruleSet, { passFunds, clauseOf: clauseFromMasks })),
    verifier: Object.freeze(verifierRecordOf(verifier)),
    circuit: Object.freeze(circuitRecordOf(circuit)),
    passFee: passFeeAt(config.data, chainTime),
    chainTime,
  });
  const opening = { config, credential, ruleSet, pass, passFunds };
  return { context, clauses: clauseMasksOf(ruleSet.data), opening };
}

/** Fields that can change between two honest reads, as the pass funds and their limit can. */
const LIVE_FIELDS: ReadonlySet<string> = new Set(['passFunds', 'maxPassFee']);

/** What an older service leaves out, as it is in every rule set that it can read. */
const ABSENT: Readonly<Record<string, unknown>> = {
  powers: [],
  verifier: null,
  walletsPerPerson: 0,
};

function checkClaims(chain: ProofContext, claimed: ProofContext): void {
  const fields: string[] = [];
  for (const record of ['credential', 'ruleSet', 'verifier', 'circuit'] as const) {
    const other = claimed[record] as Record<string, unknown>;
    for (const [field, value] of Object.entries(chain[record])) {
      const claim = field in other ? other[field] : ABSENT[field];
      if (!LIVE_FIELDS.has(field) && canonical(value) !== canonical(claim)) fields.push(`${record}.${field}`);
    }
  }
  if (fields.length > 0) throw recordMismatch(fields);
}

function recordMismatch(fields: readonly string[]): ServiceError {
  return new ServiceError('RECORD_MISMATCH', {
    message: `The service's ${fields.join(', ')} differ from the chain. Its index may be behind, so try again in a few seconds. If they still differ, do not trust this service.`,
    context: { fields },
  });
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return part.toString();
    // The codes of a clause have no order.
    return Array.isArray(part) && part.every((entry) => typeof entry === 'string') ? [...part].sort() : part;
  });
}

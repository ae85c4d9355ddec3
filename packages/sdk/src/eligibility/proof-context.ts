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
  ruleSetRecordOf,
  verifierRecordOf,
} from '@service/protocol';
import { type Address, fetchEncodedAccounts } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import type { CallOptions } from '../lib/clock.ts';
import { accountNotFound, readFinalAccount, readPassFunds } from '../rpc/accounts.ts';
import { type Chain, callRpc, checkGenesisHash, type PinnedCircuit } from '../rpc/chain.ts';
import { clockOf } from '../rpc/pass-life.ts';
import { type SessionOnChain, sessionWallet } from '../session/session.ts';
import { checkedCircuit, pinnedCircuit } from './circuit.ts';
import { markVerified } from './verified-records.ts';

/** See `ServiceClient.proofContext`. */
export async function proofContext(
  state: SessionOnChain,
  { rule }: { readonly rule: Address },
  { signal }: CallOptions,
): Promise<ProofContext> {
  const { session, chain } = state;
  const wallet = await sessionWallet(session, signal);
  const claimed = await session.api.call('proofContext', { body: { rule }, signal });
  await checkGenesisHash(chain, signal);
  const pinned = await pinnedCircuit(state, signal);
  const read = await readFacts(chain, { wallet, rule, pinned }, signal);
  checkClaims(read.context, claimed);
  const clauses = Object.freeze(read.clauses.map((clause) => Object.freeze(clause)));
  markVerified({ ...read.context, deployment: chain.deployment, clauses });
  return read.context;
}

interface Wanted {
  readonly wallet: Address;
  readonly rule: Address;
  readonly pinned: PinnedCircuit;
}

async function readFacts(chain: Chain, { wallet, rule, pinned }: Wanted, signal: AbortSignal | undefined) {
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const [credentialAddress, configAddress, circuitAddress] = await Promise.all([
    at.credential(wallet),
    at.config(),
    at.circuit(pinned.id),
  ]);
  const accounts = await callRpc(chain, 'Reading credential and rule set', signal, (rpc, options) =>
    fetchEncodedAccounts(rpc, [credentialAddress, rule, configAddress, circuitAddress, CLOCK_SYSVAR], {
      commitment: 'finalized',
      ...options,
    }),
  );
  const credential = decodeAccount(program, 'credential', accounts[0]!);
  if (!credential || credential.data.wallet !== wallet) {
    throw new ServiceError('CREDENTIAL_REQUIRED', {
      message: `The wallet ${wallet} has no credential on chain. Verify first with client.startVerification.`,
    });
  }
  const ruleSet = decodeAccount(program, 'ruleSet', accounts[1]!);
  if (!ruleSet) throw accountNotFound('rule set of this program', rule);
  const config = decodeAccount(program, 'config', accounts[2]!);
  if (!config) throw accountNotFound('configuration of this program', configAddress);
  const circuit = await checkedCircuit(pinned, decodeAccount(program, 'circuit', accounts[3]!));
  const chainTime = clockOf(accounts[4]!);

  const [verifier, passFunds] = await Promise.all([
    readFinalAccount(chain, 'verifier', credential.data.verifier, signal),
    readPassFunds(chain, ruleSet, signal),
  ]);
  if (!verifier) throw accountNotFound('verifier of this program', credential.data.verifier);
  const context: ProofContext = Object.freeze({
    credential: Object.freeze(credentialRecordOf(credential)),
    ruleSet: Object.freeze(ruleSetRecordOf(ruleSet, { passFunds, clauseOf: clauseFromMasks })),
    verifier: Object.freeze(verifierRecordOf(verifier)),
    circuit: Object.freeze(circuitRecordOf(circuit)),
    passFee: passFeeAt(config.data, chainTime),
    chainTime,
  });
  return { context, clauses: clauseMasksOf(ruleSet.data) };
}

/** Fields that can change between two honest reads, as the pass funds and their limit can. */
const LIVE_FIELDS: ReadonlySet<string> = new Set(['passFunds', 'maxPassFee']);

function checkClaims(chain: ProofContext, claimed: ProofContext): void {
  const fields: string[] = [];
  for (const record of ['credential', 'ruleSet', 'verifier', 'circuit'] as const) {
    const other = claimed[record] as Record<string, unknown>;
    for (const [field, value] of Object.entries(chain[record])) {
      if (!LIVE_FIELDS.has(field) && canonical(value) !== canonical(other[field]))
        fields.push(`${record}.${field}`);
    }
  }
  if (fields.length === 0) return;
  throw new ServiceError('RECORD_MISMATCH', {
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

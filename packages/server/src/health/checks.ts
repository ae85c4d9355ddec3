/** The checks behind readiness, each made for real and given up after a short while. */
import { programAddresses, readAccounts } from '@service/protocol';
import { unwrapOption } from '@solana/kit';
import { sql } from 'kysely';
import { isNearTip } from '../chain-index/freshness.ts';
import { type ChainTip, readChainTip } from '../chain-index/index.ts';
import { readPosition } from '../chain-index/position.ts';
import type { Service } from '../service.ts';

/** Tries of a job that come to nothing before it counts as failed: the first ones may meet a passing trouble. */
const FAILED_ATTEMPTS = 3;
/** Milliseconds that a signed operation may wait for its first broadcast. */
const QUEUED_MS = 60_000;

/** What governance has yet to set up, as `missing` names it (SPEC.md section 4). */
export type MissingPart = 'program' | 'governance' | 'circuit' | 'passFee';

/** What the chain says. */
export interface ChainState {
  readonly tip: ChainTip;
  readonly missing: readonly MissingPart[];
}

/** Answers a query, or throws. */
export async function checkDatabase({ db }: Service): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Asks the RPC for its health and for what is set up, at finalized. Throws when it is unhealthy or cannot be asked. */
export async function checkChain(service: Service, signal: AbortSignal): Promise<ChainState> {
  const { rpc } = service;
  const [, tip, missing] = await Promise.all([
    rpc.getHealth().send({ abortSignal: signal }),
    readChainTip(service, signal),
    findMissing(service, signal),
  ]);
  return { tip, missing };
}

/** Whether the index is no further from the chain than reads allow. */
export async function isIndexFresh({ db, settings }: Service, tip: ChainTip): Promise<boolean> {
  return isNearTip(await readPosition(db), tip, settings);
}

/**
 * Whether background work gets on: no credential whose issuing or revoking fails again and again, no signed operation that was never
 * broadcast. A credential that the chain refuses for good has its result; that is not a failure of the job.
 */
export async function areJobsWell({ db, clock }: Service): Promise<boolean> {
  const issuing = await db
    .selectFrom('verification_session')
    .select('id')
    .where('state', '=', 'ISSUING')
    .where('attempts', '>=', FAILED_ATTEMPTS)
    .limit(1)
    .executeTakeFirst();
  const revoking = await db
    .selectFrom('credential_revocation')
    .select('id')
    .where('state', '=', 'REVOKING')
    .where('attempts', '>=', FAILED_ATTEMPTS)
    .limit(1)
    .executeTakeFirst();
  const unsent = await db
    .selectFrom('operation')
    .select('id')
    .where('state', '=', 'QUEUED')
    .where('signed_at', '<', BigInt(clock.now() - QUEUED_MS))
    .limit(1)
    .executeTakeFirst();
  return issuing === undefined && revoking === undefined && unsent === undefined;
}

async function findMissing(service: Service, signal: AbortSignal): Promise<MissingPart[]> {
  const { program, artifacts } = service.settings;
  const at = programAddresses(program);
  const reader = { rpc: service.rpc, program, commitment: 'finalized', signal } as const;
  // Addresses first: a request that is under way while something else is awaited has nobody to catch its failure.
  const addresses = [
    ['config', await at.config()],
    ['circuit', await at.circuit(artifacts.manifest.circuit)],
  ] as const;
  const [programAccount, [config, circuit]] = await Promise.all([
    service.rpc
      .getAccountInfo(program, { commitment: 'finalized', encoding: 'base64' })
      .send({ abortSignal: signal }),
    readAccounts(reader, addresses),
  ]);
  const isCircuitSet =
    circuit !== null && Buffer.from(circuit.data.artifactsDigest).toString('hex') === artifacts.digest;
  const isSet: Record<MissingPart, boolean> = {
    program: programAccount.value?.executable === true,
    governance: config !== null,
    // Proofs are made with the artifacts that the service serves: governance must have set their circuit, and some.
    circuit: isCircuitSet && config !== null && unwrapOption(config.data.activeCircuit) !== null,
    passFee: config !== null && unwrapOption(config.data.passFee) !== null,
  };
  return (Object.keys(isSet) as MissingPart[]).filter((part) => !isSet[part]);
}

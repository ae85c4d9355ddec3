/** The checks of readiness. Each one makes a real request. */
import { circuitDifference, passFeeAt, programAddresses, readAccounts } from '@service/protocol';
import { unwrapOption } from '@solana/kit';
import { sql } from 'kysely';
import { isNearTip } from '../chain-index/freshness.ts';
import { type ChainTip, readChainTip } from '../chain-index/index.ts';
import { readPosition } from '../chain-index/position.ts';
import type { Service } from '../service.ts';

/** Failed attempts after which a job counts as failed. The first attempts may meet a temporary problem. */
const FAILED_ATTEMPTS = 3;
/** Milliseconds that a signed operation may wait for its first broadcast. */
const QUEUED_MS = 60_000;

/** A part that governance has not set up yet, as in `missing` (SPEC.md section 4). */
export type MissingPart = 'program' | 'governance' | 'circuit' | 'passFee';

/** The result of the chain check. */
export interface ChainState {
  readonly tip: ChainTip;
  readonly missing: readonly MissingPart[];
}

/** Runs a query. Throws if the database does not respond. */
export async function checkDatabase({ db }: Service): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Fetches the RPC's health and the set-up parts, at finalized. Throws if the RPC is unhealthy or does not respond. */
export async function checkChain(service: Service, signal: AbortSignal): Promise<ChainState> {
  const { rpc } = service;
  const [, tip, missingAt] = await Promise.all([
    rpc.getHealth().send({ abortSignal: signal }),
    readChainTip(service, signal),
    readSetUp(service, signal),
  ]);
  return { tip, missing: missingAt(tip.time) };
}

/** Returns whether the index is close enough to the chain for reads. */
export async function isIndexFresh({ db, settings }: Service, tip: ChainTip): Promise<boolean> {
  return isNearTip(await readPosition(db), tip, settings);
}

/**
 * Returns whether background work makes progress: no credential fails to be issued or revoked repeatedly, no pass fails to
 * be closed repeatedly, and no signed operation waits for its first broadcast. If the chain rejects a credential for good, the job has not failed.
 */
export async function areJobsHealthy({ db, clock, closing }: Service): Promise<boolean> {
  const queries = [
    db
      .selectFrom('verification_session')
      .select('id')
      .where('state', '=', 'ISSUING')
      .where('attempts', '>=', FAILED_ATTEMPTS)
      .limit(1),
    db
      .selectFrom('credential_revocation')
      .select('id')
      .where('state', '=', 'REVOKING')
      .where('attempts', '>=', FAILED_ATTEMPTS)
      .limit(1),
    db
      .selectFrom('operation')
      .select('id')
      .where('state', '=', 'QUEUED')
      .where('signed_at', '<', BigInt(clock.now() - QUEUED_MS))
      .limit(1),
  ];
  if ([...closing.values()].some(({ count }) => count >= FAILED_ATTEMPTS)) return false;
  for (const query of queries) if (await query.executeTakeFirst()) return false;
  return true;
}

/** The services that have logged a wrong verifying key. Probes repeat the check every few seconds. */
const loggedKeys = new WeakSet<Service>();

/** Reads what governance has set up. Returns a function that lists the missing parts at a chain time in Unix seconds. */
async function readSetUp(
  service: Service,
  signal: AbortSignal,
): Promise<(chainTime: bigint) => MissingPart[]> {
  const { program, artifacts } = service.settings;
  const at = programAddresses(program);
  const reader = { rpc: service.rpc, program, commitment: 'finalized', signal } as const;
  // Derive the addresses first. A request that started before this await would have no handler for its rejection.
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
  const difference = await circuitDifference(circuit?.data, {
    digest: artifacts.digest,
    keyHash: artifacts.manifest.files.key.sha256,
  });
  if (difference !== 'key') loggedKeys.delete(service);
  else if (!loggedKeys.has(service)) {
    loggedKeys.add(service);
    service.log.error(
      `The circuit ${artifacts.manifest.circuit} has another verifying key on chain than the artifacts, so proofs of other statements could open passes. Retire it as unsound with retire-circuit, and set these artifacts under a new id.`,
    );
  }
  const isSetAt = (chainTime: bigint): Record<MissingPart, boolean> => ({
    program: programAccount.value?.executable === true,
    governance: config !== null,
    // Clients prove with the artifacts that this service serves, so governance must have set their circuit.
    circuit: difference === null && config !== null && unwrapOption(config.data.activeCircuit) !== null,
    passFee: config !== null && passFeeAt(config.data, chainTime) !== null,
  });
  return (chainTime) => {
    const isSet = isSetAt(chainTime);
    return (Object.keys(isSet) as MissingPart[]).filter((part) => !isSet[part]);
  };
}

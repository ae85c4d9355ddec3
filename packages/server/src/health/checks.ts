/** The checks of readiness. Each one makes a real request. */
import { circuitDifference, passFeeAt, programAddresses, readAccounts } from '@service/protocol';
import { unwrapOption } from '@solana/kit';
import { sql } from 'kysely';
import { type ChainTip, readChainTip, readerAt } from '../chain-head/index.ts';
import { isNearTip } from '../chain-index/freshness.ts';
import { readPosition } from '../chain-index/position.ts';
import type { Service } from '../service.ts';

/** Milliseconds by which the clock of this machine may differ from the database's. */
const MAX_SKEW_MS = 2_000;

/** A part that governance has not set up yet, as in `missing` (SPEC.md section 4). */
type MissingPart = 'program' | 'governance' | 'circuit' | 'passFee';

/** Runs a query. Throws if the database does not respond. */
export async function checkDatabase({ db, databaseClock }: Service): Promise<void> {
  await sql`select 1`.execute(db);
  await databaseClock.measure();
}

/**
 * Returns whether the clock of this machine is near the database's. The service itself uses the database's. But logs, TLS and
 * rate limits use the machine's.
 */
export function isClockRight({ databaseClock }: Service): boolean {
  return Math.abs(databaseClock.skewMs()) <= MAX_SKEW_MS;
}

/**
 * Returns the finalized tip, and the parts that governance has not set up by then. Throws if the RPC is unhealthy or does not
 * respond.
 */
export async function checkChain(
  service: Service,
  signal: AbortSignal,
): Promise<{ readonly tip: ChainTip; readonly missing: MissingPart[] }> {
  const { rpc, settings } = service;
  const { program, artifacts } = settings;
  const at = programAddresses(program);
  // Derive the addresses first. A request that started before this await would have no handler for its rejection.
  const addresses = [
    ['config', await at.config()],
    ['circuit', await at.circuit(artifacts.manifest.circuit)],
  ] as const;
  const [, tip, programAccount, [config, circuit]] = await Promise.all([
    rpc.getHealth().send({ abortSignal: signal }),
    readChainTip(service, signal),
    rpc
      .getAccountInfo(program, { commitment: 'finalized', encoding: 'base64' })
      .send({ abortSignal: signal }),
    readAccounts(readerAt(service, 'finalized', signal), addresses),
  ]);
  const difference = await circuitDifference(circuit?.data, {
    digest: artifacts.digest,
    keyHash: artifacts.manifest.files.key.sha256,
  });
  logWrongKey(service, difference === 'key');
  const isSet: Record<MissingPart, boolean> = {
    program: programAccount.value?.executable === true,
    governance: config !== null,
    // Clients prove with the artifacts that this service serves, so governance must have set their circuit.
    circuit: difference === null && config !== null && unwrapOption(config.data.activeCircuit) !== null,
    passFee: config !== null && passFeeAt(config.data, tip.time) !== null,
  };
  return { tip, missing: (Object.keys(isSet) as MissingPart[]).filter((part) => !isSet[part]) };
}

/** The services that have logged a wrong verifying key. Probes repeat the check every few seconds. */
const loggedKeys = new WeakSet<Service>();

function logWrongKey(service: Service, isWrong: boolean): void {
  if (!isWrong) loggedKeys.delete(service);
  else if (!loggedKeys.has(service)) {
    loggedKeys.add(service);
    service.log.error(
      `The circuit ${service.settings.artifacts.manifest.circuit} has another verifying key on chain than the artifacts, so proofs of other statements could open passes. Retire it as unsound with retire-circuit, and set these artifacts under a new id.`,
    );
  }
}

/** Returns whether the index is close enough to the chain for reads. */
export async function isIndexFresh({ db, settings }: Service, tip: ChainTip): Promise<boolean> {
  return isNearTip(await readPosition(db), tip, settings);
}

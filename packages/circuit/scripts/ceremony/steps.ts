import { randomBytes } from 'node:crypto';
import { access, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SetupBeacon, SetupContribution } from '@service/protocol/eligibility';
import { zKey } from 'snarkjs';
import { sha256 } from '../../src/artifacts.ts';
import { checkBeacon, checkKey, NAME } from './check-key.ts';
import { CONSTRAINTS, FINAL_KEY, keyAfter, newestKey, POWERS_OF_TAU, RECORD, writeWhole } from './folder.ts';
import { PUBLISHED_POWERS, publishedPowers } from './powers-of-tau.ts';
import { type CeremonyRecord, secretsOf, takeCeremony } from './take-ceremony.ts';

/** What every step works with. */
export interface Ceremony {
  /** Folder of the ceremony's files. */
  readonly folder: string;
  /** The constraint system, compiled on this machine. */
  readonly r1cs: Uint8Array;
  readonly log: (line: string) => void;
  /** Hashes of the accepted powers of tau, by power. @default those of Hermez */
  readonly published?: Readonly<Record<number, string>>;
}

/**
 * The coordinator's first step: checks the powers of tau, and writes them, the constraint system and the first key, which has no
 * secret yet. Anyone can make the same bytes. A file that is there is made again and must be the same.
 *
 * @throws Error if the powers of tau are not published ones, or the folder has another ceremony
 */
export async function begin(ceremony: Ceremony, powersFile: string): Promise<void> {
  const { folder, r1cs, log, published = PUBLISHED_POWERS } = ceremony;
  const powersOfTau = new Uint8Array(await readFile(powersFile));
  const { power, hash } = publishedPowers(powersOfTau, published);
  log(`powers of tau for 2^${power} rows, BLAKE2b-512 ${hash}`);
  log('making the first key');
  const first = await made((to) => zKey.newZKey(r1cs, powersOfTau, to));
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of [
    [POWERS_OF_TAU, powersOfTau],
    [CONSTRAINTS, r1cs],
    [keyAfter(0), first],
  ] as const) {
    const existing = await readFile(path.join(folder, name)).catch(() => undefined);
    if (existing && sha256(existing) !== sha256(bytes)) {
      throw new Error(`${path.join(folder, name)} belongs to another ceremony. Use another folder.`);
    }
    if (!existing) await writeWhole(folder, name, bytes);
    log(`${name} ${sha256(bytes)}`);
  }
}

/**
 * A contributor's step: checks the newest key and adds a secret from the random numbers of this machine. The secret is only in
 * memory. Returns the hash to publish: 128 lowercase hex digits.
 *
 * @param name 1 to 60 letters, digits, spaces and `.'-`
 * @throws Error if the key does not belong to this circuit and published powers of tau, or the ceremony is finished
 */
export async function contribute(ceremony: Ceremony, name: string): Promise<string> {
  const { folder, log } = ceremony;
  if (!NAME.test(name)) {
    throw new Error(
      "A name has 1 to 60 letters, digits, spaces and . ' - and begins with a letter or digit.",
    );
  }
  await refuseFinished(folder);
  const { number, zkey, contributions } = await readNewest(ceremony);
  if (contributions.some((earlier) => earlier.name === name)) {
    throw new Error(`${name} contributed already. Each contributor needs another name.`);
  }
  logSecrets(contributions, log);
  log(`adding a secret as ${name}`);
  const next = await made((to) => zKey.contribute(zkey, to, name, randomBytes(64).toString('hex')));
  const hash = (await checked(ceremony, next)).at(-1)!.hash;
  await writeWhole(folder, keyAfter(number + 1), next);
  log(`from ${keyAfter(number)} ${sha256(zkey)}`);
  log(`to   ${keyAfter(number + 1)} ${sha256(next)}`);
  log(`contribution hash ${hash}`);
  return hash;
}

/**
 * The coordinator's last step: closes the newest key with the announced beacon, or without one as the key of an operator, and writes
 * `final.zkey` and `ceremony.json`.
 *
 * @throws Error if too few people contributed, the key is not valid, or the folder is finished in another way
 */
export async function finish(ceremony: Ceremony, record: CeremonyRecord): Promise<void> {
  const { folder, log } = ceremony;
  const text = `${JSON.stringify(record, null, 2)}\n`;
  const earlier = await readFile(path.join(folder, RECORD), 'utf8').catch(() => undefined);
  if (earlier !== undefined && earlier !== text) await refuseFinished(folder);
  if (record.phase2Beacon) checkBeacon(record.phase2Beacon);
  const { number, zkey } = await readNewestKey(folder);
  // The check of the final key below includes every contribution before the beacon.
  const final = record.phase2Beacon ? await withBeacon(zkey, record.phase2Beacon) : zkey;
  const earlierKey = await readFile(path.join(folder, FINAL_KEY)).catch(() => undefined);
  if (earlierKey && sha256(earlierKey) !== sha256(final)) await refuseFinished(folder);
  const all = await checked(ceremony, final);
  assertNumber(number, record.phase2Beacon ? all.length - 1 : all.length);
  const { kind, contributions } = secretsOf(all, record.phase2Beacon);
  // The record is written last: it says that the ceremony is finished.
  await writeWhole(folder, FINAL_KEY, final);
  await writeWhole(folder, RECORD, text);
  for (const { name, hash } of contributions) log(`${name} ${hash}`);
  log(`${FINAL_KEY} ${sha256(final)}, setup "${kind}"`);
}

/**
 * Anyone's check of the newest key, or of the final one: the powers of tau are published ones, the constraint system is that of
 * these sources, and the key comes from both through the contributions that it prints.
 *
 * @throws Error if a check fails
 */
export async function check(ceremony: Ceremony): Promise<void> {
  const { folder, r1cs, log, published } = ceremony;
  if (await isFinished(folder)) {
    await takeCeremony(folder, r1cs, log, published);
    return;
  }
  const { contributions } = await readNewest(ceremony);
  logSecrets(contributions, log);
}

/** Prints what each author published, so that people can compare it. */
function logSecrets(contributions: readonly SetupContribution[], log: Ceremony['log']): void {
  for (const { name, hash } of contributions) log(`secret ${name} ${hash}`);
}

async function readNewest(ceremony: Ceremony) {
  const { number, zkey } = await readNewestKey(ceremony.folder);
  const contributions = await checked(ceremony, zkey);
  assertNumber(number, contributions.length);
  return { number, zkey, contributions };
}

async function readNewestKey(folder: string): Promise<{ number: number; zkey: Uint8Array }> {
  const number = await newestKey(folder);
  if (number === undefined) {
    throw new Error(`${folder} has no key. The coordinator runs the step "begin" first.`);
  }
  return { number, zkey: new Uint8Array(await readFile(path.join(folder, keyAfter(number)))) };
}

function assertNumber(number: number, contributions: number): void {
  if (contributions === number) return;
  throw new Error(
    `${keyAfter(number)} has ${contributions} contributions. Get the key of the contributor before you.`,
  );
}

async function checked({ folder, r1cs, log, published = PUBLISHED_POWERS }: Ceremony, zkey: Uint8Array) {
  const powersOfTau = new Uint8Array(await readFile(path.join(folder, POWERS_OF_TAU)));
  publishedPowers(powersOfTau, published);
  log('checking the key against constraints and powers of tau');
  return checkKey({ r1cs, powersOfTau, zkey });
}

async function refuseFinished(folder: string): Promise<void> {
  if (!(await isFinished(folder))) return;
  throw new Error(`The ceremony in ${folder} is finished. Use another folder for a new one.`);
}

function isFinished(folder: string): Promise<boolean> {
  return access(path.join(folder, RECORD)).then(
    () => true,
    () => false,
  );
}

function withBeacon(zkey: Uint8Array, { hash, iterationsExponent }: SetupBeacon): Promise<Uint8Array> {
  return made((to) => zKey.beacon(zkey, to, 'beacon', hash, iterationsExponent));
}

async function made(step: (to: { type: 'mem'; data?: Uint8Array }) => Promise<unknown>): Promise<Uint8Array> {
  const to: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
  const result = await step(to);
  if (result === false || result === -1 || !to.data) {
    throw new Error('snarkjs could not make the key. Check that the powers of tau have enough rows.');
  }
  return to.data;
}

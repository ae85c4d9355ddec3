/**
 * Who can change what with each instruction, found by execution. Each scene of the matrix is run as it is, with each
 * known party in the place of each signer, without the verifier's signature, and while the protocol is paused.
 */
import { isDeepStrictEqual } from 'node:util';
import { getConfigDecoder, getConfigEncoder } from '@service/protocol/generated';
import type { Instruction } from '@solana/kit';
import type { Ready, Row } from '../matrix/row.ts';
import { ROWS } from '../matrix/rows/index.ts';
import { type Account, addressOf, Chain, HOUR, NOW, SOL } from '../support/chain.ts';
import { discardCredential, revokeCredential } from '../support/credentials.ts';
import { CONFIG } from '../support/governance.ts';
import { accountsOf, withAccount } from '../support/instruction.ts';
import { holdersChain } from '../support/market.ts';
import { nameOfCode, type Outcome } from '../support/outcome.ts';
import { passAt } from '../support/rule-sets.ts';

/** The keys of the tests that have a power over all accounts of a kind, by the names of those who have them. */
const PARTIES = {
  'the upgrade authority': 'upgrade authority',
  governance: 'governance',
  'the guardian': 'guardian',
  'a verifier': 'verifier',
} as const;
/** A key without any right. */
const STRANGER = 'stranger';

/** More states of instructions, with the passes that they end: in the hour after the proof, and later. */
const WITH_PASSES: Readonly<Record<string, () => Promise<Instruction | readonly Instruction[]>>> = {
  revokeCredential: async () => revokeCredential({ passes: [await passAt('holder')] }),
  discardCredential: async () => discardCredential({ passes: [await passAt('holder')] }),
};

async function scenesOf(name: string, row: Row): Promise<Ready[]> {
  const scenes = await Promise.all(Object.values(row.scenes).map(({ ready }) => ready()));
  const withPasses = WITH_PASSES[name];
  if (!withPasses) return scenes;
  for (const time of [NOW, NOW + HOUR]) {
    const chain = await holdersChain();
    chain.setTime(time);
    const instructions = [await withPasses()].flat();
    scenes.push({ chain, instruction: instructions.at(-1)!, before: instructions.slice(0, -1) });
  }
  return scenes;
}

/** What was found out about an instruction. Each list has no value twice. */
export interface Power {
  readonly instruction: string;
  readonly signers: readonly string[];
  readonly changes: readonly string[];
  readonly whilePaused: readonly string[];
}

/** Runs every scene of the matrix. Takes some seconds. */
export async function measurePowers(): Promise<Power[]> {
  const powers: Power[] = [];
  for (const [instruction, row] of Object.entries<Row>(ROWS)) {
    const found = { signers: new Set<string>(), changes: new Set<string>(), whilePaused: new Set<string>() };
    for (const ready of await scenesOf(instruction, row)) {
      const scene = new Runs(instruction, ready);
      for (const signer of await scene.signers()) found.signers.add(signer);
      for (const change of await scene.changes()) found.changes.add(change);
      found.whilePaused.add(await scene.whilePaused());
    }
    const { signers, changes, whilePaused } = found;
    powers.push({ instruction, signers: [...signers], changes: [...changes], whilePaused: [...whilePaused] });
  }
  return powers;
}

/** The runs of one scene. Each begins in the same state. */
class Runs {
  readonly #name: string;
  readonly #ready: Ready;
  readonly #saved: Uint8Array;

  constructor(name: string, ready: Ready) {
    this.#name = name;
    this.#ready = ready;
    this.#saved = ready.chain.save();
  }

  /** Returns who can sign for each signer. */
  async signers(): Promise<string[]> {
    const { instruction, before = [] } = this.#ready;
    const found: string[] = [];
    if (before.length > 0) {
      const alone = await this.#run([instruction]);
      found.push(alone.refusal ? 'a verifier, with an ed25519 signature' : 'nobody');
    }
    for (const [index, { name, isSigner }] of accountsOf(this.#name).entries()) {
      if (!isSigner) continue;
      const signedBy = async (key: string) => {
        const address = await addressOf(key);
        const signed = [...before, withAccount(instruction, index, { address })];
        return this.#run(signed, (chain) => chain.fund(address, SOL));
      };
      const allowed: string[] = [];
      for (const [party, key] of Object.entries(PARTIES)) {
        if (!(await signedBy(key)).refusal) allowed.push(party);
      }
      const stranger = await signedBy(STRANGER);
      found.push(`\`${name}\`: ${stranger.refusal ? whoOf(allowed, nameOf(stranger)) : 'any key'}`);
    }
    return found.length > 0 ? found : ['nobody: anyone can send it'];
  }

  /** Returns what the instruction creates, changes and closes. */
  async changes(): Promise<string[]> {
    const { instruction, before = [] } = this.#ready;
    const chain = Chain.from(this.#saved);
    const was = accountsIn(chain, instruction);
    const outcome = await chain.submit(...before, instruction);
    if (outcome.refusal) throw new Error(`${this.#name} is rejected: ${outcome.refusal.text}`);
    const is = accountsIn(chain, instruction);
    const names = accountsOf(this.#name).map(({ name }) => name);
    return was.flatMap((old, index) => changesOf(names[index] ?? 'passes', old, is[index] ?? null));
  }

  async whilePaused(): Promise<string> {
    const { instruction, before = [] } = this.#ready;
    const outcome = await this.#run([...before, instruction], pause);
    if (!outcome.refusal) return 'yes';
    return nameOf(outcome) === 'PROTOCOL_PAUSED' ? 'no' : `no: \`${nameOf(outcome)}\``;
  }

  async #run(instructions: readonly Instruction[], prepare?: (chain: Chain) => void) {
    const chain = Chain.from(this.#saved);
    prepare?.(chain);
    return chain.submit(...instructions);
  }
}

type Result = Pick<Outcome, 'refusal'>;

const nameOf = ({ refusal }: Result): string => nameOfCode(refusal?.code ?? null) ?? 'another program';

/** Returns who can sign, in words. A refusal that names no authority means that the accounts belong to the signer. */
function whoOf(allowed: readonly string[], refusal: string): string {
  if (!/^NOT_|AUTHORITY/.test(refusal)) return 'any wallet, for itself';
  return allowed.join(' or ') || 'only this one';
}

function accountsIn(chain: Chain, instruction: Instruction): (Account | null)[] {
  return (instruction.accounts ?? []).map(({ address }) => chain.account(address));
}

function changesOf(name: string, old: Account | null, now: Account | null): string[] {
  const existed = old !== null && old.data.length > 0;
  const exists = now !== null && now.data.length > 0;
  if (!existed && exists) return [`creates \`${name}\``];
  if (existed && !exists) return [`closes \`${name}\``];
  if (existed && exists && Buffer.compare(old.data, now.data) !== 0) {
    if (name !== 'config') return [`changes \`${name}\``, ...solOf(name, old, now)];
    const [before, after] = [decoded(old), decoded(now)];
    const fields = Object.keys(after).filter(
      (field) => !isDeepStrictEqual(before[field as never], after[field as never]),
    );
    return fields.map((field) => `changes \`config.${field}\``);
  }
  return solOf(name, old, now);
}

function solOf(name: string, old: Account | null, now: Account | null): string[] {
  const [had, has] = [old?.lamports ?? 0n, now?.lamports ?? 0n];
  return had === has ? [] : [`${had > has ? 'takes SOL of' : 'gives SOL to'} \`${name}\``];
}

const decoded = ({ data }: Account) => getConfigDecoder().decode(data);

function pause(chain: Chain): void {
  const account = chain.account(CONFIG);
  if (!account) return;
  const data = getConfigEncoder().encode({ ...decoded(account), paused: true });
  chain.write(CONFIG, { ...account, data: Uint8Array.from(data) });
}

/** Returns the table of powers. */
export function powersTable(powers: readonly Power[]): string {
  const cell = (values: readonly string[]) => values.join(', ') || 'nothing';
  const rows = powers.map(
    ({ instruction, signers, changes, whilePaused }) =>
      `| \`${instruction}\` | ${cell(signers)} | ${cell(changes)} | ${cell(whilePaused)} |`,
  );
  return [
    '| instruction | who must sign | what it changes | works while paused |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

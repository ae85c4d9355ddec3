/**
 * Every instruction that creates an account does it in one call of the system program, and also where somebody has sent
 * lamports to the address, however many.
 */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { type Address, address, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeAll, describe, expect, it } from 'vitest';
import { Chain, noop, PROGRAM } from '../support/chain.ts';
import { everyInstruction, everythingReady } from '../support/every-instruction.ts';
import { deployedChain } from '../support/governance.ts';
import type { Outcome } from '../support/outcome.ts';
import { closePass, LATEST_EXPIRY, passOf, prove } from '../support/passes.ts';
import { MAX_PASS_AGE, passAt } from '../support/rule-sets.ts';

/** Instructions that create accounts, and how many. */
const CREATING = {
  initialize: 2,
  'set-verifier': 1,
  'set-circuit': 1,
  'issue-credential, the first': 1,
  'revoke-credential, the first': 1,
  'create-rule-set': 1,
  'bind-mint': 2,
  prove: 1,
  'prove, in a place': 2,
  'prove, in the place of another wallet': 1,
  'suspend-pass, of a wallet without a pass': 1,
  'grant-pass': 1,
  'set-gate': 2,
};

let ready: { readonly first: Uint8Array; readonly later: Uint8Array };
let instructions: Record<string, Instruction[]>;

beforeAll(async () => {
  const chain = await everythingReady();
  ready = { first: (await deployedChain()).save(), later: chain.save() };
  instructions = await everyInstruction(chain);
});

const chainOf = (name: string) => Chain.from(name === 'initialize' ? ready.first : ready.later);
const calls = ({ logs }: Outcome) =>
  logs.filter((log) => log === `Program ${SYSTEM_PROGRAM} invoke [2]`).length;

const sentAlone = new Map<string, ReturnType<typeof sendFirst>>();

/** Sends the instruction where nobody has sent lamports. Returns the calls, and the accounts that it created. */
function sendAlone(name: string): ReturnType<typeof sendFirst> {
  const sent = sentAlone.get(name) ?? sendFirst(name);
  sentAlone.set(name, sent);
  return sent;
}

async function sendFirst(name: string) {
  const [before, chain] = [chainOf(name), chainOf(name)];
  const outcome = await chain.send(...instructions[name]!);
  const made = outcome.changed.map((at) => address(at)).filter((at) => !before.account(at));
  return {
    refusal: outcome.refusal,
    calls: calls(outcome),
    made: new Map(made.map((at) => [at, chain.account(at)!])),
  };
}

it('no other instruction creates an account', async () => {
  const creating: string[] = [];
  for (const name of Object.keys(instructions)) {
    if ((await sendAlone(name)).made.size > 0) creating.push(name);
  }
  expect(creating).toEqual(
    [
      ...Object.keys(CREATING),
      'bind-mint, with the source',
      'bind-mint, with the source, reading credentials',
      'bind-mint, with a takeover',
    ].sort(inOrderOf(instructions)),
  );
});

const inOrderOf = (names: object) => (one: string, other: string) =>
  Object.keys(names).indexOf(one) - Object.keys(names).indexOf(other);

describe.each(Object.entries(CREATING))('%s', (name, count) => {
  it('makes one call of the system program for each account, which gets its rent', async () => {
    const { refusal, made, ...alone } = await sendAlone(name);
    expect({ refusal, made: made.size, ...alone }).toEqual({ refusal: null, made: count, calls: count });
    for (const { lamports, owner, data } of made.values())
      expect({ lamports, owner }).toEqual({ lamports: chainOf(name).rentOf(data.length), owner: PROGRAM });
  });

  it.each<[string, (rent: bigint) => bigint, number]>([
    ['one lamport', () => 1n, 3],
    ['the rent of an empty account', () => chainOf(name).rentOf(0), 3],
    ['a lamport less than the rent', (rent) => rent - 1n, 3],
    ['exactly the rent', (rent) => rent, 2],
    ['a lamport more than the rent', (rent) => rent + 1n, 2],
    ['ten times the rent', (rent) => 10n * rent, 2],
  ])('creates the same account where somebody sent %s, and keeps it', async (_what, sentOf, expected) => {
    const { made } = await sendAlone(name);
    for (const [at, { data }] of made) {
      const chain = chainOf(name);
      const rent = chain.rentOf(data.length);
      const sent = sentOf(rent);
      // No transaction leaves fewer lamports than the rent of an empty account, so write them.
      chain.write(at, { lamports: sent, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
      const outcome = await chain.confirm(...instructions[name]!);
      expect(chain.account(at)).toEqual({ lamports: sent > rent ? sent : rent, owner: PROGRAM, data });
      expect(calls(outcome)).toBe(count - 1 + expected);
    }
  });
});

describe('prove', () => {
  it('creates the pass where somebody sent a lamport in the same transaction', async () => {
    const chain = chainOf('prove');
    const destination: Address = await passAt('outsider');
    const source = await noop('holder');
    await chain.confirm(
      getTransferSolInstruction({ source, destination, amount: 1n }),
      ...instructions.prove!,
    );
    expect(chain.account(destination)?.owner).toBe(PROGRAM);
    expect(chain.lamports(destination)).toBe(chain.rentOf(chain.data(destination).length));
  });

  it('creates the pass again where it was closed in the same transaction', async () => {
    const chain = chainOf('prove');
    const wallet = 'outsider';
    await chain.confirm(...instructions.prove!);
    chain.setTime(LATEST_EXPIRY);
    const expiresAt = LATEST_EXPIRY + MAX_PASS_AGE;
    await chain.confirm(closePass({ holder: wallet }), prove({ wallet, expiresAt }));
    expect(await passOf(chain, wallet)).toMatchObject({ expiresAt, issuedAt: LATEST_EXPIRY });
    expect(chain.lamports(await passAt(wallet))).toBe(chain.rentOf(chain.data(await passAt(wallet)).length));
  });
});

/**
 * Sequences of valid and nearly valid instructions, over wallets, rule sets, verifiers, circuits and both kinds of mint,
 * while time passes. After each step, the fees are correct, and only wallets that may have passes and tokens have them.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { RUNS_ALL } from '../../../../test/support/sample.ts';
import { Chain } from '../support/chain.ts';
import { eventsOf } from '../support/events.ts';
import { Ledger } from '../support/ledger.ts';
import { expectPlaces } from '../support/places.ts';
import { type Action, ATTRIBUTE_SETS, act, actions, sequenceChain } from '../support/sequence-actions.ts';
import { SEED } from './seed.ts';

const timeout = 24 * 3_600_000;
/** Sequences to run. One has as many transactions as 30 runs of the other properties. */
const RUNS = Math.ceil(Number(process.env.PROGRAM_FUZZ_RUNS ?? (RUNS_ALL ? 3_000 : 60)) / 30);
/** From so many sequences on, every kind of step must succeed. */
const ENOUGH_RUNS = 60;
/** A rare kind of step can be missing by chance. Then more sequences run, so many at a time, and at most so many times. */
const MORE = { runs: 25, times: 12 };

let saved: Uint8Array;

beforeAll(async () => {
  saved = (await sequenceChain()).save();
});

describe('a sequence of instructions', () => {
  const name = 'keeps fees, pass funds, passes, supplies and balances correct after each step';
  it(name, { timeout }, async () => {
    const done = new Map<string, number>();
    let takeovers = 0;
    const sequence = fc.array(actions, { minLength: 25, maxLength: 45 });
    const run = (numRuns: number, seed: number) =>
      fc.assert(
        fc.asyncProperty(sequence, async (steps) => {
          const chain = Chain.from(saved);
          const ledger = new Ledger(chain);
          for (const step of steps) {
            const outcome = await act(chain, ledger, step);
            if (outcome && !outcome.refusal) done.set(step.kind, (done.get(step.kind) ?? 0) + 1);
            if (outcome && eventsOf(outcome).some(({ event }) => event === 'placeTaken')) takeovers += 1;
            ledger.check();
            await expectPlaces(ledger.world, ATTRIBUTE_SETS);
          }
        }),
        { numRuns, seed, endOnFailure: true },
      );
    await run(RUNS, SEED);
    if (RUNS < ENOUGH_RUNS) return;
    // Each kind of step must succeed at least once, so that the sequences reach later states.
    const kinds: Action['kind'][] = [
      'prove',
      'provePlace',
      'close',
      'credential',
      'revoke',
      'discard',
      'issue',
      'transfer',
    ];
    kinds.push('burn', 'withdrawFees', 'withdrawPassFunds', 'circuit', 'retire', 'verifier', 'endPasses');
    kinds.push(
      'nominate',
      'accept',
      'ruleSet',
      'bind',
      'gate',
      'thaw',
      'freeze',
      'together',
      'suspend',
      'lift',
      'grant',
      'endGrant',
    );
    kinds.push('recover', 'redeem', 'nominateIssuer', 'acceptIssuer', 'announceRule', 'change');
    const isMissing = () => takeovers === 0 || kinds.some((kind) => !done.has(kind));
    for (let more = 1; more <= MORE.times && isMissing(); more += 1) await run(MORE.runs, SEED + more);
    for (const kind of kinds) expect(done.get(kind) ?? 0, kind).toBeGreaterThan(0);
    expect(takeovers, 'places taken from another wallet').toBeGreaterThan(0);
  });
});

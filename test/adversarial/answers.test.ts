/** The client's own RPC answers with every field spoilt in turn: each action then ends rightly or with a ServiceError. */
import { isServiceError } from '@service/sdk';
import { expect, it } from 'vitest';
import type { Edits } from '../support/node.ts';
import { sampled } from '../support/sample.ts';
import { useStillChain } from '../support/still-chain.ts';
import { ACTIONS, type Action, type Scene } from './answers/actions.ts';
import { type Path, pathsOf, SPOILT, spoil } from './answers/spoil.ts';

const chain = useStillChain();

/** One spoilt field: every result of the method has it. */
interface Case {
  readonly method: string;
  readonly path: Path;
  readonly kind: string;
}

/** Returns one case in a hundred, a tenth of them with `FULL=1`, and all of them in the campaign. */
function chosen(cases: readonly Case[]): readonly Case[] {
  return process.env.WHOLE === '1' ? cases : sampled(sampled(cases, { all: false }));
}

/** Real milliseconds after which an action hangs. Its pauses take none. */
const HANGS_MS = 20_000;

type Outcome = { readonly result: unknown } | { readonly error: unknown };

async function play({ run }: Scene): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), HANGS_MS);
  });
  try {
    return { result: await Promise.race([run(), hung]) };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

/** Runs an action on an honest RPC. Returns its outcome, and a case for each field that the RPC returned. */
async function rehearse(action: Action): Promise<{ honest: Outcome; cases: Case[] }> {
  const edits: Record<string, (result: never) => unknown> = {};
  const scene = await action(chain, edits);
  const paths = new Map<string, Path[]>();
  const methods = [...METHODS];
  for (const method of methods) {
    edits[method] = (result) => {
      const known = paths.get(method) ?? [];
      const texts = new Set(known.map((path) => path.join()));
      paths.set(method, [...known, ...pathsOf(result).filter((path) => !texts.has(path.join()))]);
      return result;
    };
  }
  const honest = await play(scene);
  const cases = [...paths].flatMap(([method, found]) =>
    found.flatMap((path) => Object.keys(SPOILT).map((kind) => ({ method, path, kind }))),
  );
  return { honest, cases };
}

const METHODS = [
  'getAccountInfo',
  'getBlockTime',
  'getEpochInfo',
  'getFirstAvailableBlock',
  'getGenesisHash',
  'getLatestBlockhash',
  'getMinimumBalanceForRentExemption',
  'getMultipleAccounts',
  'getRecentPrioritizationFees',
  'getSignaturesForAddress',
  'getSignatureStatuses',
  'getTransaction',
  'isBlockhashValid',
  'sendTransaction',
];

/** Returns whether a case is a lie of the right form, which the client must believe: its RPC shows no error. */
const isLie = ({ method, path, kind }: Case) =>
  method === 'getTransaction' && path.at(-1) === 'err' && (kind === 'null' || kind === 'not a number');

/** Returns what is wrong with an outcome, or null. */
function faultOf({ truth, honest, submitted }: Scene, outcome: Outcome, expected: Outcome): string | null {
  if (submitted?.some((wire) => `${wire.slice(65)}` !== `${honest}`)) return 'signed something else';
  if ('error' in outcome) {
    const { error } = outcome;
    if (!isServiceError(error)) return `bare ${error instanceof Error ? error.stack : String(error)}`;
    if (error.code !== 'OPERATION_FAILED') return null;
    return error.context.reason === (truth === 'FAILED' ? 'ON_CHAIN_ERROR' : truth)
      ? null
      : `believes ${error.context.reason}`;
  }
  if (truth && truth !== 'FINALIZED') return 'believes that it is final';
  if ('error' in expected && !submitted) return `resolves with ${shapeOf(outcome.result)}`;
  return null;
}

const shapeOf = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));

it.each(Object.entries(ACTIONS))('%s', async (_name, action) => {
  const { honest, cases } = await rehearse(action);
  expect('error' in honest ? honest.error : {}).not.toSatisfy(
    (error: unknown) => error instanceof Error && !isServiceError(error),
  );
  const faults: string[] = [];
  for (const { method, path, kind } of chosen(cases.filter((each) => !isLie(each)))) {
    const edits: Edits = {};
    const scene = await action(chain, edits);
    Object.assign(edits, { [method]: (result: never) => spoil(result, path, SPOILT[kind]) });
    const fault = faultOf(scene, await play(scene), honest);
    if (fault) faults.push(`${method} with ${path.join('.') || 'the result'} ${kind}: ${fault}`);
  }
  expect(faults).toEqual([]);
});

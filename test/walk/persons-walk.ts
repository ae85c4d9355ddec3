/**
 * One person with three wallets, in a walk at a running stack, after that of `walk`:
 *
 * 1. The three wallets are verified with the same document.
 * 2. A rule set has two places for each person. Two of the wallets prove. The third is refused.
 * 3. Nobody takes a place that a wallet has held for less than an hour.
 * 4. An hour later, the third wallet replaces a lost one. The issuer recovers the tokens of the lost one to it.
 *
 * Each step is confirmed on chain by plain RPC.
 */
import { bindMint, createMint, createRuleSet, fundPasses, issueTokens, openTokenAccount } from './issuing.ts';
import { fundWallets, signIn, verify } from './people.ts';
import {
  type PersonsState,
  prove,
  recoverFromLost,
  refuseEarlyTakeover,
  refuseLost,
  refuseTaken,
  refuseThird,
  replace,
  verifierOf,
} from './places.ts';
import { actor } from './walk.ts';
import type { WalkState } from './walk-state.ts';

/** Options of `personsWalk`. */
export interface PersonsWalkOptions {
  /** Moves the time of the chain forward by these seconds, or waits for them. Without it, the walk ends before the fourth part. */
  readonly skipTime?: ((seconds: bigint) => void | Promise<void>) | undefined;
  /** Sends the requests of the three clients. @default the global fetch */
  readonly fetch?: typeof fetch;
}

const PERSON = { region: 'FR', status: 'accredited', birthDate: '1991-06-15', document: 'P-1' };
const WALLETS_PER_PERSON = 2;

/** Runs the walk. Throws the error of the first step that fails. */
export async function personsWalk(walked: WalkState, { skipTime, ...options }: PersonsWalkOptions = {}) {
  const state = await start(walked, options);
  const { phone, laptop, spare } = state;
  const wallets = [phone, laptop, spare];
  await fundWallets(state, wallets);
  for (const wallet of wallets) await signIn(state, wallet);
  for (const wallet of wallets) await verify(state, wallet);
  const terms = { verifier: await verifierOf(state, phone), walletsPerPerson: WALLETS_PER_PERSON };
  await createRuleSet(state, `, with ${WALLETS_PER_PERSON} wallets for each person`, terms);
  await fundPasses(state);
  await createMint(state, 'security');
  await bindMint(state, { requireSource: false });
  await prove(state, phone);
  await prove(state, laptop);
  for (const step of [refuseThird, refuseTaken, refuseEarlyTakeover]) await step(state);
  const { issuer } = state;
  for (const { name, wallet } of [phone, spare])
    await openTokenAccount(state, { name, owner: wallet.address, payer: issuer });
  await issueTokens(state, phone);
  if (!skipTime) return;
  const evidence = await replace(state, skipTime);
  await refuseLost(state);
  await recoverFromLost(state, evidence);
}

async function start(walked: WalkState, options: Pick<PersonsWalkOptions, 'fetch'>): Promise<PersonsState> {
  const at = { deployment: walked.deployment, ...options };
  const [phone, laptop, spare] = await Promise.all(
    ['phone wallet', 'laptop wallet', 'spare wallet'].map((name) => actor(name, at, PERSON)),
  );
  return { ...walked, phone: phone!, laptop: laptop!, spare: spare! };
}

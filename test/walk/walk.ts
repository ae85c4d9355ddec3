/**
 * The whole service in one walk, through the SDK at a running stack:
 *
 * 1. Three wallets sign in and are verified.
 * 2. The issuer creates a rule set, funds its passes and binds a mint.
 * 3. Two wallets prove the rule set. Tokens are issued and transferred.
 * 4. The SDK and the program refuse three forbidden actions.
 *
 * Each step is confirmed on chain by plain RPC. `npm run demo` prints the walk, a test runs it, and
 * `npm run test:validator` runs it on a validator.
 */
import { programAddresses } from '@service/protocol';
import { ServiceClient } from '@service/sdk';
import { type PersonalData, passHostedPage } from '@service/test-support';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { walkCluster } from './cluster.ts';
import {
  bindMint,
  createMint,
  createRuleSet,
  fundPasses,
  issueTokens,
  openTokenAccounts,
  transferTokens,
} from './issuing.ts';
import { fundWallets, provePass, signIn, verify } from './people.ts';
import { refuseForgery, refuseIneligible, refuseOutsider } from './refusals.ts';
import type { Actor, Report, WalkState } from './walk-state.ts';

/** Options of `walk`. */
export interface WalkOptions {
  readonly deployment: WalkState['deployment'];
  readonly report: Report;
  /** Takes a person through the hosted page. @default with the form of the sandbox provider */
  readonly visit?: WalkState['visit'];
  /** Sends the requests of the three clients. @default the global fetch */
  readonly fetch?: typeof fetch;
}

/** Runs the walk. Returns its state at the end. Throws the error of the first step that fails. */
export async function walk(options: WalkOptions): Promise<WalkState> {
  const state = await start(options);
  const { issuer, holder, outsider } = state;
  await fundWallets(state, [issuer, holder, outsider]);
  for (const actor of [issuer, holder, outsider]) await signIn(state, actor);
  for (const actor of [issuer, holder, outsider]) await verify(state, actor);
  await createRuleSet(state);
  await fundPasses(state);
  await createMint(state);
  await bindMint(state);
  for (const actor of [issuer, holder]) await provePass(state, actor);
  await openTokenAccounts(state);
  await issueTokens(state);
  await transferTokens(state);
  for (const step of [refuseOutsider, refuseIneligible, refuseForgery]) await step(state);
  return state;
}

async function start(options: WalkOptions): Promise<WalkState> {
  const [issuer, holder, outsider] = await Promise.all([
    actor('issuer', options, { region: 'DE', status: 'institutional', birthDate: '1980-02-29' }),
    actor('holder', options, { region: 'FR', status: 'accredited', birthDate: '1991-06-15' }),
    actor('outsider', options, { region: 'US', status: 'retail', birthDate: '2001-12-31' }),
  ]);
  const { deployment, report, visit = passHostedPage } = options;
  const cluster = walkCluster(deployment.rpcUrl);
  const at = programAddresses(deployment.program);
  const unset = { rule: '' as Address, mint: '' as Address };
  return {
    deployment,
    report,
    visit,
    cluster,
    rpc: cluster.rpc,
    at,
    issuer,
    holder,
    outsider,
    proofs: new Map(),
    ...unset,
  };
}

/** Returns an actor with a new wallet. */
export async function actor(
  name: string,
  options: Pick<WalkOptions, 'deployment' | 'fetch'>,
  person: PersonalData,
): Promise<Actor> {
  const { deployment, fetch: send = fetch } = options;
  const posted: string[] = [];
  const recordingFetch: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'POST') posted.push(new URL(request.url).pathname);
    return send(request);
  };
  const client = new ServiceClient({ deployment, baseUrl: deployment.baseUrl, fetch: recordingFetch });
  return { name, wallet: await generateKeyPairSigner(), client, person, posted };
}

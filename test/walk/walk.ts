/**
 * The whole service in one walk, through the SDK against a running stack: three wallets sign in and are verified, the issuer
 * makes a rule set, funds it and binds a mint, two prove, tokens are issued and transferred, and three things are refused.
 * After each step the chain is looked at by plain RPC. The demo prints it, a test runs it.
 */
import { type Deployment, ServiceClient } from '@service/sdk';
import type { PersonalData } from '@service/test-support';
import { type Address, createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { bindMint, createMint, createRuleSet, fundPasses } from './issuing.ts';
import { provePass } from './passes.ts';
import { refuseForgery, refuseIneligible, refuseOutsider } from './refusals.ts';
import type { Report } from './report.ts';
import { fundWallets, signIn, verify } from './sign-in.ts';
import type { Actor, WalkState } from './state.ts';
import { issueTokens, openTokenAccounts, transferTokens } from './tokens.ts';

/** What a walk is given. */
export interface WalkOptions {
  readonly deployment: Deployment & { readonly baseUrl: string };
  readonly report: Report;
  /** Sees every request of the three clients and its answer. @default the global fetch */
  readonly fetch?: typeof fetch;
}

/** Takes the walk; resolves when every step came out as it should, throws the first that did not. */
export async function walk(options: WalkOptions): Promise<void> {
  const state = await start(options);
  const { issuer, holder, outsider } = state;
  await fundWallets(state);
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
  await refuseOutsider(state);
  await refuseIneligible(state);
  await refuseForgery(state);
}

async function start(options: WalkOptions): Promise<WalkState> {
  const actors = await Promise.all([
    actor('issuer', options, { region: 'DE', status: 'institutional', birthDate: '1980-02-29' }),
    actor('holder', options, { region: 'FR', status: 'accredited', birthDate: '1991-06-15' }),
    actor('outsider', options, { region: 'US', status: 'retail', birthDate: '2001-12-31' }),
  ]);
  const [issuer, holder, outsider] = actors;
  const none = '' as Address;
  const { deployment, report } = options;
  const rpc = createSolanaRpc(deployment.rpcUrl);
  return { deployment, report, rpc, issuer, holder, outsider, proofs: new Map(), rule: none, mint: none };
}

async function actor(name: string, options: WalkOptions, person: PersonalData): Promise<Actor> {
  const { deployment, fetch: outer = fetch } = options;
  const posted: string[] = [];
  const spy: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'POST') posted.push(new URL(request.url).pathname);
    return outer(request);
  };
  const client = new ServiceClient({ deployment, baseUrl: deployment.baseUrl, fetch: spy });
  return { name, wallet: await generateKeyPairSigner(), client, person, posted };
}

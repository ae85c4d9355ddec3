/** Runs every TypeScript block of the docs: on the stack of `npm start`, in a page with a DOM or in Node. */
import { rmSync } from 'node:fs';
import { type Clause, disposeProver } from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { simulatedWallet } from '@service/testing';
import { createSolanaRpc } from '@solana/kit';
import { getWallets } from '@wallet-standard/app';
import type { Wallet } from '@wallet-standard/base';
import { setupServer } from 'msw/node';
import { createElement as element, type FunctionComponent, type ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { killAll } from '../e2e/support/child-process.ts';
import { render } from '../query/support/render.ts';
import { type OpenPage, openPage } from './support/browser.ts';
import { type Block, blocksOf, PAGES } from './support/code-blocks.ts';
import type { Names } from './support/names.ts';
import { awaitedIn, runBlock } from './support/run-block.ts';
import { startWorld, type World } from './support/world.ts';

// Before React loads, which looks for a window.
await vi.hoisted(() => import('../query/support/page.ts'));

/** The blocks that do not run here, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/guides/holder-page.md 1': 'it renders a whole page, as test/query/pass-gate.test.ts does',
  'docs/quickstart.md 1': 'it is examples/01-quickstart.ts, which test/e2e/examples.slow.test.ts runs',
  'packages/sdk/docs/testing.md 1': 'it is test/docs/dapp.test.ts, which Vitest runs',
};

/** What happens before a block, and the names that it has instead of those of the page. */
const BEFORE: Readonly<Record<string, (names: Names) => Promise<unknown>>> = {
  async 'docs/guides/issuer.md 4'({ deployment, wallet, holder, rule, mint }) {
    const account = createTokenAccount(wallet, { deployment, mint, owner: holder.address });
    await Promise.all([world.proveAsHolder(rule), account]);
  },
  // The block before forgot the witness after its proof.
  async 'packages/sdk/docs/in-a-page.md 4'() {
    return { witness: first.witness };
  },
  async 'packages/sdk/docs/in-a-page.md 5'({ client, wallet, mint, source, destination }) {
    const { operationId, signature } = await client.transfer(wallet, {
      mint,
      source,
      destination,
      amount: 1n,
    });
    localStorage.setItem(`operation:${operationId}`, JSON.stringify({ wallet: wallet.address, signature }));
  },
  async 'docs/guides/issuer.md 9'() {
    await world.revokeHolder();
  },
  async 'docs/guides/issuer.md 10'({ deployment, wallet }) {
    // Its new token accounts are frozen, and it is not bound.
    return createBindableMint(wallet, { deployment, template: 'fund' });
  },
  // The blocks before proved the rule set of the page.
  'docs/guides/holder-page.md 8': withNewRule,
  'docs/guides/holder-page.md 12': withNewRule,
  async 'packages/sdk/docs/wallets.md 2'({ standard }) {
    getWallets().register(standard as Wallet);
  },
  async 'packages/sdk/docs/wallets.md 7'({ deployment, issuer }) {
    const rpc = createSolanaRpc(deployment.rpcUrl);
    return { wallet: simulatedWallet('phantom-2026-08', issuer, { rpc }).wallet };
  },
  // Block 1 proved its own rule set with the same credential.
  async 'packages/sdk/README.md 4'() {
    return { rule: first.rule };
  },
  'packages/sdk/README.md 6': (names) =>
    withNewRule(names, { regions: ['CH'], statuses: ['retail'], minAge: 21 }),
  'packages/sdk/README.md 9': withNewRule,
};

/** Returns a new rule set with funds, which the wallet meets unless another clause is given. */
async function withNewRule(
  { client, deployment, wallet }: Names,
  clause: Clause = { regions: ['FR'], statuses: ['professional'], minAge: 18 },
) {
  const request = { name: 'Another rule set', clauses: [clause], maxPassAgeSeconds: 86_400n };
  const { rule } = await client.createRuleSet(wallet, request);
  await fundRuleSet(wallet, { deployment, rule, lamports: 1_000_000n });
  return { rule };
}

const server = setupServer();
const home = process.cwd();
let world: World;
/** The names that the blocks of the page have so far. */
let names: Names;
let first: Names;
let page: OpenPage;

beforeAll(async () => {
  world = await startWorld(server);
  process.chdir(world.folder);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterAll(async () => {
  process.chdir(home);
  await disposeProver();
  await killAll();
  if (world) rmSync(world.folder, { recursive: true });
});

const idOf = ({ page, number }: Block) => `${page} ${number}`;
const all = PAGES.flatMap(blocksOf);
/** The page that ends the pass of the holder. */
const LAST = 'docs/guides/issuer.md';
const pages = [...new Set(all.map((block) => block.page))];
pages.sort((a, b) => Number(a === LAST) - Number(b === LAST));
/** The awaited expressions that the blocks reached. */
const reached = new Set<string>();

test('each block that does not run here exists', () => {
  const ids = all.map(idOf);
  expect(Object.keys(ELSEWHERE).filter((id) => !ids.includes(id))).toEqual([]);
  expect(Object.keys(BEFORE).filter((id) => !ids.includes(id))).toEqual([]);
});

describe.each(pages)('%s', (path) => {
  const blocks = blocksOf(path).filter((block) => ELSEWHERE[idOf(block)] === undefined);

  beforeAll(async () => {
    page = openPage(`${world.deployment.baseUrl}/verified`);
    const has = (text: string) => blocks.some(({ code }) => code.includes(text));
    // A page that takes the witness verifies the person itself. The service lets a wallet start 10 verifications a minute.
    const proves = has('rule, witness }');
    const provable = proves && !has('takeWitness') && !has('useWitness');
    first = await world.namesOf({ signedIn: !has('client.session()'), proves, provable });
    names = first;
  });
  afterAll(() => vi.unstubAllGlobals());
  afterEach(() => {
    server.close();
    vi.stubGlobal('location', window.location);
  });

  test.each(blocks.map((block) => [block.number, block] as const))('block %i', async (_number, block) => {
    const before = await BEFORE[idOf(block)]?.(names);
    await run(block, { ...names, ...(before as Partial<Names> | undefined) });
    if (!(await page.followRedirect())) return;
    // The person is back: the page takes the witness.
    for (const each of blocks) {
      if (each.number <= block.number && each.code.includes('takeWitness')) await run(each, names);
    }
  });

  test('each await is reached', () => {
    const awaited = blocks.flatMap((block) => awaitedIn(block).map((each) => `${idOf(block)}: ${each}`));
    expect(awaited.filter((each) => !reached.has(each))).toEqual([]);
  });
});

/** Runs a block, renders its components, and keeps the names that it declares. */
async function run(block: Block, given: Names): Promise<void> {
  if (isForNode(block)) vi.stubGlobal('location', undefined);
  if (block.code.includes('server.use(')) server.listen({ onUnhandledRequest: 'bypass' });
  const reach = (expression: string) => void reached.add(`${idOf(block)}: ${expression}`);
  const declared = await runBlock(block, { names: given, json: given.deployment, reach });
  names = { ...names, ...declared };
  for (const [name, value] of Object.entries(declared)) {
    if (typeof value === 'function' && /^([A-Z]|use[A-Z])/.test(name)) await show(name, value as never);
  }
}

const isForNode = ({ code }: Block) =>
  /from '(node:|msw|@service\/(testing|localnet|circuit|deploy))/.test(code) && !code.includes('confirm(');

/** Renders a component, or a component that calls a hook. Waits for the queries of the page. */
async function show(name: string, value: (props: object) => ReactNode | Promise<ReactNode>): Promise<void> {
  const props = { amount: 1n, to: names.holder.address, children: 'child' };
  const isAsync = value.constructor.name === 'AsyncFunction';
  const node = isAsync ? await value(props) : null;
  const Page: FunctionComponent = () => {
    if (name.startsWith('use')) value({});
    return isAsync
      ? node
      : name.startsWith('use')
        ? name
        : element(value as FunctionComponent<typeof props>, props);
  };
  const rendered = await render(names.client, Page);
  const errors = () =>
    rendered.cache
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.error);
  const isDone = () => {
    expect(document.body.lastElementChild?.innerHTML).not.toBe('');
    expect(rendered.cache.isFetching()).toBe(0);
  };
  // Twice in a row, because between two looks React starts the queries that wait for others.
  let looks = 0;
  const isDoneTwice = () => {
    looks += 1;
    try {
      isDone();
    } catch (error) {
      looks = 0;
      throw error;
    }
    expect(looks).toBeGreaterThan(1);
  };
  await vi.waitFor(isDoneTwice, { timeout: 30_000 });
  expect(errors().filter((error) => error !== null)).toEqual([]);
  await rendered.unmount();
}

/** People who can do every kind of write on a running service: each has a pass, a bound mint, tokens and spare mints. */
import {
  buildEligibilityContext,
  type Deployment,
  type EligibilityProof,
  generateEligibilityProof,
  latestPassExpiry,
  parseWitnessFragment,
  ServiceClient,
  type ServiceClientOptions,
  type Witness,
} from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { passHostedPage } from '@service/test-support';
import { type Address, createSolanaRpc, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { walkCluster } from '../walk/cluster.ts';
import { browser } from './browser.ts';

/** A deployment with a site. */
export type SiteDeployment = Deployment & { readonly baseUrl: string };

/** A person whose wallet the matrix simulates. One of their writes runs at a time. */
export interface Person {
  readonly signer: KeyPairSigner;
  /** The request of a rule set. */
  readonly ruleSet: typeof RULE_SET;
  /** A rule set on chain. */
  readonly rule: Address;
  /** A mint of this person, which is bound to the first rule set. */
  readonly mint: Address;
  /** This person's token account. It has tokens. */
  readonly source: Address;
  /** Somebody else's token account, whose owner has a pass. */
  readonly destination: Address;
  /** Mints that can be bound. A test takes the first one when it has bound it. */
  readonly spareMints: Address[];
  /** Opens a page of the site in this person's browser, which keeps the session. */
  openPage(options?: Partial<ServiceClientOptions>): ServiceClient;
  /** Returns a proof for a pass that this person does not have. */
  nextProof(): Promise<EligibilityProof>;
  /** Notes that the pass of the last proof was opened. */
  passOpened(): void;
}

/** A running service with its people. */
export interface Stage {
  readonly deployment: SiteDeployment;
  readonly rpc: ReturnType<typeof createSolanaRpc>;
  readonly people: readonly Person[];
}

/** How many of each a stage has. */
export interface StageOptions {
  readonly deployment: SiteDeployment;
  readonly people: number;
  /** Passes that each person can open, and mints that each can bind. */
  readonly spares: number;
  /** Called with each step. */
  readonly report?: (line: string) => void;
}

const RULE_SET = {
  name: 'Adults in France',
  clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
} as const;
const PERSONAL_DATA = { region: 'FR', status: 'retail', birthDate: '1990-05-17' };
/** Public faucets refuse larger requests. */
const START_LAMPORTS = 1_000_000_000n;
const PASS_FUNDS = 5_000_000n;
const TOKENS = 1_000_000n;

/** Creates the people through the SDK, with wallets that change nothing. */
export async function setStage(options: StageOptions): Promise<Stage> {
  const { deployment, report = () => undefined } = options;
  const signers = await Promise.all(Array.from({ length: options.people }, () => generateKeyPairSigner()));
  report(`${signers.length} wallets get SOL from the faucet`);
  await walkCluster(deployment.rpcUrl).fund(
    signers.map(({ address }) => address),
    START_LAMPORTS,
  );
  report('they sign in and are verified');
  const members = await Promise.all(signers.map((signer) => join(deployment, signer)));
  report(`they create ${options.spares + 1} rule sets`);
  const rules = (
    await Promise.all(
      members.map(async ({ client, signer }, index) => {
        const created: Address[] = [];
        for (let number = index; number <= options.spares; number += members.length) {
          const { rule } = await client.createRuleSet(signer, RULE_SET);
          await fundRuleSet(signer, { deployment, rule, lamports: PASS_FUNDS });
          created.push(rule);
        }
        return created;
      }),
    )
  ).flat();
  const [first, ...others] = rules as [Address, ...Address[]];
  report('each gets a pass, creates mints and binds one');
  const mints = await Promise.all(
    members.map(async ({ client, signer, proofOf }) => {
      const creating = Promise.all(
        Array.from({ length: options.spares + 1 }, () =>
          createBindableMint(signer, { deployment, decimals: 2 }).then(({ mint }) => mint),
        ),
      );
      await client.prove(signer, await proofOf(first));
      const [mint, ...spareMints] = (await creating) as [Address, ...Address[]];
      await client.bindMint(signer, { mint, rule: first, requireSource: false });
      return { mint, spareMints };
    }),
  );
  report('each creates token accounts and issues tokens');
  const people = await Promise.all(
    members.map(async ({ client, signer, openPage, proofOf }, index): Promise<Person> => {
      const { mint, spareMints } = mints[index]!;
      const friend = members[(index + 1) % members.length]!.signer.address;
      const [{ tokenAccount: source }, { tokenAccount: destination }] = await Promise.all([
        createTokenAccount(signer, { deployment, mint }),
        createTokenAccount(signer, { deployment, mint, owner: friend }),
      ]);
      await client.issue(signer, { mint, destination: source, amount: TOKENS });
      const left = others.slice();
      let proof: Promise<EligibilityProof> | null = null;
      return {
        signer,
        ruleSet: RULE_SET,
        rule: first,
        mint,
        source,
        destination,
        spareMints,
        openPage,
        nextProof() {
          if (left.length === 0) throw new Error('this person has opened every pass');
          proof ??= proofOf(left[0]!);
          return proof;
        },
        passOpened() {
          left.shift();
          proof = null;
        },
      };
    }),
  );
  return { deployment, rpc: createSolanaRpc(deployment.rpcUrl), people };
}

/** Signs a wallet in, and has its person verified. */
async function join(deployment: SiteDeployment, signer: KeyPairSigner) {
  const fetch = browser();
  const openPage = (options: Partial<ServiceClientOptions> = {}) =>
    new ServiceClient({ deployment, fetch, ...options });
  const client = openPage();
  await client.authenticate(signer, deployment.genesisHash);
  const session = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
  const witness = parseWitnessFragment(new URL(await passHostedPage(session.url, PERSONAL_DATA)).hash);
  if (!witness) throw new Error('The return URL has no witness.');
  await client.waitForCredential();
  return { signer, client, openPage, proofOf: (rule: Address) => proofFor(client, rule, witness) };
}

async function proofFor(client: ServiceClient, rule: Address, witness: Witness): Promise<EligibilityProof> {
  const facts = await client.proofContext({ rule });
  const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
  return generateEligibilityProof(context, witness, client.artifacts);
}

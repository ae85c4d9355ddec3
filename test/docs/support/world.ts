/** The stack of `npm start`, and the people of the docs on it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentSeed } from '@service/localnet';
import {
  type Deployment,
  parseWitnessFragment,
  preloadProver,
  ServiceClient,
  type Witness,
} from '@service/sdk';
import { createBindableMint, createTokenAccount, fetchCredential, fundRuleSet } from '@service/sdk/chain';
import { takeApprovalBack } from '@service/test-support';
import { groth16Prove } from '@service/test-support/groth16-prove';
import { readDeployment, simulatedWallet } from '@service/testing';
import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  devnet,
  getAddressEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
  lamports,
  partiallySignTransaction,
  signBytes,
} from '@solana/kit';
import { getOrCreateUiWalletForStandardWallet } from '@wallet-standard/ui-registry';
import type { SetupServer } from 'msw/node';
import { vi } from 'vitest';
import { bundleCommands } from '../../e2e/support/bundle-commands.ts';
import { startChild } from '../../e2e/support/child-process.ts';
import { verifyAt } from './browser.ts';
import type { Names } from './names.ts';

/** A person with SOL who is signed in and verified. */
interface Person {
  readonly client: ServiceClient;
  readonly wallet: KeyPairSigner;
  readonly witness: Witness;
  /** The page of the check, where the approval can be taken back. */
  readonly checkUrl: string;
}

/** The stack, and what does not change from page to page. */
export interface World {
  /** The working directory of the code, with the files that it reads. */
  readonly folder: string;
  readonly deployment: Deployment;
  /**
   * Returns the names for a page. The client is a new one. A page that `proves` gets a rule set of its own. `provable`
   * verifies its wallet again.
   */
  namesOf(page: { signedIn: boolean; proves: boolean; provable: boolean }): Promise<Names>;
  /** Lets the holder prove another rule set. */
  proveAsHolder(rule: Names['rule']): Promise<void>;
  /** Revokes the credential of the holder. Resolves when the chain shows it. */
  revokeHolder(): Promise<void>;
}

const OPTIONS = '--no-demo --site-port 0 --rpc-port 0 --verifier-port 0 --slot-ms 50 --finality-slots 2';
const TEN_SOL = lamports(10_000_000_000n);
const RULES = {
  name: 'French professionals',
  clauses: [{ regions: ['FR'], statuses: ['professional'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
} as const;

/** Starts the stack, which `killAll` ends. Creates the rule set and its mint, and lets the issuer and a holder get passes. */
export async function startWorld(server: SetupServer): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'blocks-'));
  const { bundles, remove } = await bundleCommands('packages/development/src/start.ts');
  const stack = startChild(bundles[0], { args: OPTIONS.split(' '), cwd: folder });
  await stack.printed('ready:');
  // Node has read it.
  remove();
  const deployment = await readDeployment(join(folder, 'deployment.json'));
  const rpc = createSolanaRpc(devnet(deployment.rpcUrl));
  // A page later replaces the global fetch by one whose cookies its clients share.
  const outsideThePage = globalThis.fetch;
  const [issuer, holder] = await Promise.all([newPerson('issuer'), newPerson('holder')]);
  await writeKey(join(folder, 'issuer.json'), 'issuer');

  /** Creates a person whose key is the same in every run. */
  async function newPerson(name: string): Promise<Person> {
    const wallet = await createKeyPairSignerFromPrivateKeyBytes(developmentSeed(name));
    await rpc.requestAirdrop(wallet.address, TEN_SOL).send();
    const client = new ServiceClient({ deployment, baseUrl: deployment.baseUrl!, fetch: outsideThePage });
    await client.authenticate(wallet, deployment.genesisHash);
    return { client, wallet, ...(await verify(client)) };
  }

  /** Verifies a person, also again. Resolves when the credential is final. */
  async function verify(client: ServiceClient): Promise<Pick<Person, 'witness' | 'checkUrl'>> {
    const { url } = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
    const { location, checkUrl } = await verifyAt(url);
    const witness = parseWitnessFragment(location)!;
    await client.waitForCredential({ witness });
    return { witness, checkUrl };
  }

  const { client, wallet } = issuer;
  const [{ rule, operationId }, { mint }] = await Promise.all([
    client.createRuleSet(wallet, RULES),
    createBindableMint(wallet, { deployment, decimals: 2 }),
    preloadProver(client.artifacts),
  ]);
  const [{ tokenAccount: source }, { tokenAccount: destination }] = await Promise.all([
    createTokenAccount(wallet, { deployment, mint }),
    createTokenAccount(holder.wallet, { deployment, mint }),
    client.bindMint(wallet, { mint, rule, requireSource: false }),
    fundRuleSet(wallet, { deployment, rule, lamports: 100_000_000n }),
  ]);
  await Promise.all([
    client.prove(wallet, { rule, witness: issuer.witness }),
    holder.client.prove(holder.wallet, { rule, witness: holder.witness }),
  ]);
  await client.issue(wallet, { mint, destination: source, amount: 10_000_00n });

  // Backpack changes nothing.
  const { standard } = simulatedWallet('backpack', wallet);
  await (standard.features['standard:connect'] as { connect(): Promise<unknown> }).connect();
  const same = {
    deployment,
    wallet,
    issuer: wallet,
    holder: holder.wallet,
    operationId,
    rule,
    mint,
    source,
    destination,
    server,
    standard,
    chosen: standard,
    account: standard.accounts[0]!,
    uiAccount: getOrCreateUiWalletForStandardWallet(standard).accounts[0]!,
    groth16Prove,
    useWallet: () => ({ wallet: { adapter: { standard: true, wallet: standard } } }) as const,
    device: {
      signBytes: async (bytes: Uint8Array) =>
        new Uint8Array(await signBytes(wallet.keyPair.privateKey, bytes)),
      async signWire(bytes: Uint8Array) {
        const signed = await partiallySignTransaction(
          [wallet.keyPair],
          getTransactionDecoder().decode(bytes),
        );
        return new Uint8Array(getTransactionEncoder().encode(signed));
      },
    },
  };
  let { witness } = issuer;
  return {
    folder,
    deployment,
    async namesOf({ signedIn, proves, provable }) {
      const client = new ServiceClient({ deployment, baseUrl: deployment.baseUrl! });
      if (signedIn) await client.authenticate(wallet, deployment.genesisHash);
      if (provable) ({ witness } = await verify(issuer.client));
      if (!proves) return { ...same, client, witness };
      // The wallet has proved the other rule set in the last hour.
      const { rule } = await issuer.client.createRuleSet(wallet, RULES);
      await fundRuleSet(wallet, { deployment, rule, lamports: 1_000_000n });
      return { ...same, client, witness, rule };
    },
    async proveAsHolder(rule) {
      await holder.client.prove(holder.wallet, { rule, witness: holder.witness });
    },
    async revokeHolder() {
      await takeApprovalBack(holder.checkUrl);
      await vi.waitFor(
        async () => {
          const credential = await fetchCredential({ deployment, wallet: holder.wallet.address });
          if (!credential?.revoked) throw new Error('the credential is not revoked');
        },
        { timeout: 60_000 },
      );
    },
  };
}

/** Writes a key in the form of solana-keygen. */
async function writeKey(file: string, role: string): Promise<void> {
  const seed = developmentSeed(role);
  const { address } = await createKeyPairSignerFromPrivateKeyBytes(seed);
  writeFileSync(file, JSON.stringify([...seed, ...getAddressEncoder().encode(address)]));
}

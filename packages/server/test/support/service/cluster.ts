/** A localnet with the program deployed. */
import type { readArtifacts } from '@service/circuit';
import { circuitOf, deployProtocol } from '@service/deploy';
import { type developmentKeys, Localnet } from '@service/localnet';
import { readProgram } from '@service/program';
import type { Address, KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit';

export const PASS_FEE = 50_000n;

/** A cluster whose slots pass only when the test advances them. */
export interface Cluster {
  readonly net: Localnet;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly program: Address;
  readonly keys: Record<'governance' | 'verifier' | 'payer', KeyPairSigner>;
  /** Advances slots until everything that has landed is final. */
  finalize(): Promise<void>;
}

type Keys = Awaited<ReturnType<typeof developmentKeys>>;
type Artifacts = Awaited<ReturnType<typeof readArtifacts>>;

/** The accounts after a deployment, by genesis hash. Transactions that deploy the program take half a second. */
const deployments = new Map<string, Promise<ReturnType<Localnet['accounts']>>>();

/**
 * Adds the program with the pass fee, the circuit and one verifier, as if genesis had them. Gives SOL to the keys that pay
 * for a deployment.
 */
export async function deployTo(net: Localnet, keys: Keys, artifacts: Artifacts): Promise<void> {
  const { genesisHash } = net;
  const deployment = deployments.get(genesisHash) ?? accountsOfDeployment(genesisHash, keys, artifacts);
  deployments.set(genesisHash, deployment);
  net.addAccounts(await deployment);
}

async function accountsOfDeployment(genesisHash: string, keys: Keys, artifacts: Artifacts) {
  const net = Localnet.start({ slotMs: 'manual', genesisHash });
  await deployByTransactions(net, keys, artifacts);
  await net.stop();
  return net.accounts();
}

/** Does the same as `deployTo` by transactions, which an index can follow. */
export async function deployByTransactions(net: Localnet, keys: Keys, artifacts: Artifacts): Promise<void> {
  for (const key of [keys.payer, keys.governance]) net.airdrop(key.address, 100_000_000_000n);
  const so = await readProgram();
  // The deployment waits for confirmations.
  const slots = setInterval(() => net.advanceSlots(1), 2);
  try {
    await deployProtocol({
      rpc: net.rpc,
      genesisHash: net.genesisHash,
      so,
      keys,
      circuit: circuitOf(artifacts),
      verifier: { authority: keys.verifier.address, name: 'Verifier' },
      passFee: PASS_FEE,
    });
  } finally {
    clearInterval(slots);
  }
}

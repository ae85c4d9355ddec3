import {
  addStandInGuardProgram,
  addStandInTokenAclProgram,
  developmentKeys,
  Localnet,
} from '@service/localnet';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { keptGenesisHash, newGenesisHash } from '../data-folder/genesis-hash.ts';
import type { Cluster } from './cluster.ts';

/** Options of a local cluster. */
export interface LocalClusterOptions {
  /** Port of the RPC on loopback; 0 takes a free one. */
  readonly port: number;
  readonly slotMs: number;
  readonly finalitySlots: number;
  readonly folder: DataFolder | null;
}

const START_LAMPORTS = 100_000_000_000n;
/** Several times the time to finality. */
const MAX_INDEX_LAG_SECONDS = 30;

/**
 * Starts a local chain with a genesis hash of its own. Its keys are public, and stand-ins take the place of Lighthouse
 * and Token ACL. Rejects when the port is taken.
 */
export async function startLocalCluster(options: LocalClusterOptions): Promise<Cluster & { slot: bigint }> {
  const { port, slotMs, finalitySlots, folder } = options;
  const genesisHash = folder ? await keptGenesisHash(folder) : newGenesisHash();
  const net = Localnet.start({
    slotMs,
    finalitySlots,
    journal: folder?.chain,
    ...(genesisHash === undefined ? {} : { genesisHash }),
  });
  try {
    // Wallets add guards on mainnet. With this program, a dApp can try them here.
    addStandInGuardProgram(net);
    addStandInTokenAclProgram(net);
    const { url } = await net.listen({ port });
    return {
      rpcUrl: url,
      genesisHash: net.genesisHash,
      keys: await developmentKeys(),
      rpc: net.rpc,
      maxIndexLagSeconds: MAX_INDEX_LAG_SECONDS,
      fund: async (address) => net.airdrop(address, START_LAMPORTS),
      skipTime(seconds) {
        net.setTime(BigInt(net.time) + seconds);
        net.advanceSlots(1);
      },
      close: () => net.stop(),
      slot: net.slot,
    };
  } catch (error) {
    await net.stop();
    throw error;
  }
}

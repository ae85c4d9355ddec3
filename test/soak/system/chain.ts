/** The chain of a campaign: a localnet with fast slots and the deployed program. The checks compare results with it. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { developmentKeys, developmentSeed, Localnet } from '@service/localnet';
import { deployTo } from '@service/server/test-service';
import { getAddressEncoder, type Rpc, type SolanaRpcApi } from '@solana/kit';

const SLOT_MS = 100;
export const FINALITY_SLOTS = 8;
const LAMPORTS = 1_000_000_000_000n;

/** A chain and what a server needs to use it. */
export type Chain = Awaited<ReturnType<typeof openChain>>;

/** Starts the chain, deploys the program and funds the fee payer. */
export async function openChain() {
  const net = Localnet.start({ slotMs: SLOT_MS, confirmSlots: 2, finalitySlots: FINALITY_SLOTS });
  const rpc = net.rpc as unknown as Rpc<SolanaRpcApi>;
  const [keys, artifacts] = await Promise.all([developmentKeys(), readArtifacts()]);
  net.airdrop(keys.feePayer.address, LAMPORTS);
  await deployTo(net, keys, artifacts);
  net.finalize();
  const { url } = await net.listen({ port: 0 });
  const feePayer = [...developmentSeed('fee-payer'), ...getAddressEncoder().encode(keys.feePayer.address)];
  return {
    net,
    rpc,
    url,
    keys,
    program: keys.program.address,
    finalize: async () => net.finalize(),
    /** The variables that do not differ between servers. */
    env: {
      PROGRAM: keys.program.address,
      GENESIS_HASH: net.genesisHash,
      ARTIFACTS_DIRECTORY: artifactsDirectory,
      ARTIFACTS_DIGEST: artifacts.digest,
      PUBLIC_RPC_URL: 'https://rpc.example',
      FEE_PAYER: JSON.stringify(feePayer),
    },
  };
}

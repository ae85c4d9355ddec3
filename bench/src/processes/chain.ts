/** A local chain with the program in its own process, so that its CPU time is not counted. */
import { readArtifacts } from '@service/circuit';
import { developmentKeys, Localnet } from '@service/localnet';
import { deployTo } from '@service/server/test-service';
import type { Address } from '@solana/kit';
import { answer } from './answer.mjs';

let milliseconds = Date.now();
const net = Localnet.start({ slotMs: 'manual', finalitySlots: 4, now: () => ++milliseconds });
const [keys, artifacts] = await Promise.all([developmentKeys(), readArtifacts()]);
net.airdrop(keys.feePayer.address, 100_000_000_000n);
await deployTo(net, keys, artifacts);
net.finalize();
const { url } = await net.listen({ port: 0 });

answer({
  start: () => ({ url, genesisHash: net.genesisHash }),
  /** Gives 10 SOL to each address. */
  fund(addresses: readonly Address[]) {
    for (const address of addresses) net.airdrop(address, 10_000_000_000n);
    net.finalize();
  },
  finalize: () => net.finalize(),
});

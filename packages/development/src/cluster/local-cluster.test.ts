import { TOKEN_ACL_PROGRAM } from '@service/protocol';
import { fetchEncodedAccount } from '@solana/kit';
import { expect, test } from 'vitest';
import { startLocalCluster } from './local-cluster.ts';

test('has a stand-in for Token ACL, so that an issuer can set a gate', async () => {
  const cluster = await startLocalCluster({ port: 0, slotMs: 50, finalitySlots: 1, folder: null });
  try {
    const found = await fetchEncodedAccount(cluster.rpc, TOKEN_ACL_PROGRAM, { commitment: 'finalized' });
    expect(found).toMatchObject({ exists: true, executable: true });
  } finally {
    await cluster.close();
  }
});

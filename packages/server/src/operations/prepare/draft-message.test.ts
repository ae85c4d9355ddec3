import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '@service/protocol';
import { generateKeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { createSharedReads } from '../../reads/shared-reads.ts';
import type { Service } from '../../service.ts';
import { draftMessage } from './draft-message.ts';

const lifetime = { blockhash: MEMO_PROGRAM, lastValidBlockHeight: 150n };
const rpc = {
  getLatestBlockhash: () => ({ send: async () => ({ context: { slot: 7n }, value: lifetime }) }),
} as unknown as Service['rpc'];
const { signal } = new AbortController();
const shared = createSharedReads({ clock: Date, signal, settings: {} });

test.each([
  [940, true],
  [1_300, false],
])('an instruction with %i bytes of data fits one transaction: %s', async (bytes, fits) => {
  const { address: wallet } = await generateKeyPairSigner();
  const instruction = { programAddress: SYSTEM_PROGRAM, data: new Uint8Array(bytes) };
  const id = '0b6f1c52-8f0e-4a55-9d0e-6f0e3a1f2b3c';
  const draft = draftMessage({ rpc, shared }, { id, wallet, instruction });
  const tooLarge = { code: 'INVALID_REQUEST', message: expect.stringMatching(/1232/) };
  if (fits) await expect(draft).resolves.toMatchObject({ draft_slot: 7n, last_valid_block_height: 150n });
  else await expect(draft).rejects.toMatchObject(tooLarge);
});

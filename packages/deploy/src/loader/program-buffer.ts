/** The buffer account that collects a program's bytes before it is deployed. */
import { createHash } from 'node:crypto';
import {
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  getAddressEncoder,
  getTransactionEncoder,
  type KeyPairSigner,
  signBytes,
} from '@solana/kit';
import { DeployError } from './deploy-error.ts';
import { BUFFER_HEADER_BYTES, writeInstruction } from './instructions.ts';
import { type Draft, type Lifetime, signDraft } from './sign-draft.ts';

/**
 * Derives the key of the buffer from the program's key and bytes, so that a second try finds the buffer of the first.
 * The rent of a buffer with a random key would be lost. The derived key does not reveal the program's key.
 */
export async function findBuffer(programKeypair: KeyPairSigner, so: Uint8Array): Promise<KeyPairSigner> {
  const text = `deployment buffer ${createHash('sha256').update(so).digest('hex')}`;
  const signature = await signBytes(programKeypair.keyPair.privateKey, new TextEncoder().encode(text));
  return createKeyPairSignerFromPrivateKeyBytes(createHash('sha256').update(signature).digest());
}

/** Throws REFUSED unless the data is that of a buffer for these bytes and this authority. */
export function assertResumable(
  data: Uint8Array,
  { buffer, authority, so }: { buffer: Address; authority: Address; so: Uint8Array },
): void {
  const header = Buffer.from([1, 0, 0, 0, 1, ...getAddressEncoder().encode(authority)]);
  const isSame =
    data.length === BUFFER_HEADER_BYTES + so.length && header.equals(data.subarray(0, BUFFER_HEADER_BYTES));
  if (isSame) return;
  throw new DeployError(
    'REFUSED',
    `The buffer ${buffer} of an earlier try does not belong to the upgrade authority ${authority}. ` +
      'Use the upgrade authority of that try, or close the buffer with solana program close.',
  );
}

/** Cuts the program into writes that each fill a transaction. Leaves out those that an earlier try has written. */
export async function writeDrafts(input: {
  payer: KeyPairSigner;
  upgradeAuthority: KeyPairSigner;
  buffer: Address;
  so: Uint8Array;
  written: Uint8Array | undefined;
}): Promise<Draft[]> {
  const { payer, upgradeAuthority, buffer, so, written } = input;
  const draft = (offset: number, bytes: Uint8Array): Draft => ({
    payer,
    signers: [upgradeAuthority],
    instructions: [writeInstruction({ buffer, authority: upgradeAuthority.address, offset, bytes })],
  });
  const size = await bytesPerWrite(draft(0, new Uint8Array()));
  const drafts: Draft[] = [];
  for (let offset = 0; offset < so.length; offset += size) {
    const bytes = so.subarray(offset, offset + size);
    const isWritten = written && Buffer.compare(bytes, written.subarray(offset, offset + size)) === 0;
    if (!isWritten) drafts.push(draft(offset, bytes));
  }
  return drafts;
}

const MAX_TRANSACTION_BYTES = 1232;
const ANY_LIFETIME = { blockhash: '11111111111111111111111111111111', lastValidBlockHeight: 0n } as Lifetime;

/** Computes the room in a write from the size of an empty one. The length prefix of a full one is a byte longer. */
async function bytesPerWrite(empty: Draft): Promise<number> {
  const bytes = getTransactionEncoder().encode(await signDraft(empty, ANY_LIFETIME)).length;
  return MAX_TRANSACTION_BYTES - bytes - 1;
}

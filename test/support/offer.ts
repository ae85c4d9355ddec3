/** Offers a transaction to signAndSubmit as a hostile service would, and watches what the client does with it. */

import type { PlainWallet } from '@service/sdk';
import type { KeyPairSigner } from '@solana/kit';
import { getTransactionDecoder, getTransactionEncoder } from '@solana/kit';
import type { HostileService } from './hostile-service.ts';
import type { Kind } from './kinds.ts';

/** A wallet that signs whatever it is given, and counts. */
export interface CountingWallet extends PlainWallet {
  readonly asked: number;
}

/** A counting wallet of a key. */
export function countingWallet(key: KeyPairSigner): CountingWallet {
  const wallet = {
    address: key.address,
    asked: 0,
    signMessage: async (): Promise<Uint8Array> => {
      throw new Error('no message is to be signed here');
    },
    async signTransaction(wire: Uint8Array) {
      wallet.asked += 1;
      const transaction = getTransactionDecoder().decode(wire);
      const [signed] = await key.signTransactions([transaction as never]);
      const signatures = { ...transaction.signatures, ...signed };
      return new Uint8Array(getTransactionEncoder().encode({ ...transaction, signatures }));
    },
  };
  return wallet;
}

/** What came of an offer. */
export interface OfferResult {
  /** The state of the submitted operation, or what was thrown. */
  readonly outcome: unknown;
  /** Times that the wallet was asked to sign. */
  readonly asked: number;
  /** Transactions that reached the service. */
  readonly submitted: number;
}

/** Prepares with this transaction as the service's answer, and calls signAndSubmit. */
export async function offer(options: {
  service: HostileService;
  kind: Kind;
  wallet: CountingWallet;
  wire: Uint8Array;
}): Promise<OfferResult> {
  const { service, kind, wallet, wire } = options;
  service.transaction = wire;
  const before = service.submitted.length;
  let outcome: unknown;
  try {
    const prepared = await kind.prepare(service.client);
    outcome = (await service.client.signAndSubmit(wallet, prepared)).state;
  } catch (error) {
    outcome = error;
  }
  return { outcome, asked: wallet.asked, submitted: service.submitted.length - before };
}

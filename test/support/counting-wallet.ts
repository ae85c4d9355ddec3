import type { PlainWallet } from '@service/sdk';
import { type KeyPairSigner, signBytes } from '@solana/kit';

/** Creates a wallet that signs every transaction, and counts them in `asked`. */
export function countingWallet({ address, keyPair }: KeyPairSigner) {
  const wallet = {
    address,
    asked: 0,
    signMessage: () => Promise.reject(new Error('no message is to be signed here')),
    async signTransaction(wire: Uint8Array) {
      wallet.asked += 1;
      const signed = wire.slice();
      signed.set(await signBytes(keyPair.privateKey, wire.slice(65)), 1);
      return signed;
    },
  };
  return wallet;
}

/** Returns a promise, and a function that resolves it. */
export function signal() {
  let send: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => (send = resolve));
  return { sent, send };
}

/** Creates a wallet whose prompt waits for `answer`. `opened` resolves when the wallet is asked to sign. */
export function slowWallet(wallet: PlainWallet) {
  const [open, answer, end] = [signal(), signal(), signal()];
  const signTransaction = async (wire: Uint8Array) => {
    open.send();
    await answer.sent;
    return wallet.signTransaction(wire).finally(end.send);
  };
  const prompt = { opened: open.sent, answer: answer.send, answered: end.sent };
  return { wallet: { ...wallet, signTransaction }, ...prompt };
}

/** The simulated wallets as a site finds them: in the registry of the Wallet Standard, and through the SDK. */
import { isServiceError, standardWallet } from '@service/sdk';
import { errorOf } from '@service/test-support';
import { getBase58Decoder, type SignatureBytes, verifySignature } from '@solana/kit';
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { describe, expect, it, test } from 'vitest';
import { prepared, simulated, solTransfer, stage, useStage } from '../../test/support/wallet-stage.ts';
import { SIMULATED_WALLETS, simulatedWallet } from '../index.ts';

useStage();

const SIGNING = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'];
const LACKS: Record<string, string> = {
  'ledger-without-messages': 'solana:signMessage',
  'signs-and-sends-only': 'solana:signTransaction',
};
const message = new TextEncoder().encode('a message');

type Call<Output> = (input: object) => Promise<readonly Output[]>;
/** Returns the function of a feature, which has the name of the feature. */
function featureOf<Output>(
  wallet: { features: Readonly<Record<string, unknown>> },
  name: string,
): Call<Output> {
  const feature = wallet.features[name] as Record<string, Call<Output>>;
  return feature[name.slice(name.indexOf(':') + 1)]!;
}

describe.each(SIMULATED_WALLETS)('$id', ({ id, label }) => {
  it('is a wallet of the registry, with an account after it connected', async () => {
    const { standard, account } = simulated(id);
    // The types of the Wallet Standard accept both.
    const [wallet, expected]: [Wallet, WalletAccount] = [standard, account];
    const registry = getWallets();
    const unregister = registry.register(wallet);
    try {
      expect(registry.get().at(-1)).toBe(standard);
      expect([wallet.name, wallet.accounts]).toEqual([label, []]);
      const changes: object[] = [];
      const events = wallet.features['standard:events'] as {
        on(event: string, listener: (change: object) => void): () => void;
      };
      const off = events.on('change', (change) => changes.push(change));
      await featureOf(wallet, 'standard:connect')({});
      expect(wallet.accounts).toEqual([expected]);
      expect(changes).toEqual([{ accounts: [expected] }]);
      off();
      await featureOf(wallet, 'standard:disconnect')({});
      expect([wallet.accounts, changes.length]).toEqual([[], 1]);
    } finally {
      unregister();
    }
  });

  it('has the features of the wallet that it simulates', () => {
    const { standard, account } = simulated(id);
    expect(account.features).toEqual(SIGNING.filter((name) => name !== LACKS[id]));
    expect(Object.keys(standard.features)).toEqual(expect.arrayContaining([...account.features]));
  });
});

test('the SDK uses a wallet through the Wallet Standard as it uses it directly', async () => {
  const { standard, account } = simulated('backpack');
  const wallet = standardWallet(standard, account);
  const wire = await prepared(solTransfer());
  expect(await wallet.signTransaction(wire)).toEqual(
    await simulated('backpack').wallet.signTransaction(wire),
  );
  if (!('signMessage' in wallet)) throw new Error('The wallet has no signMessage.');
  const signature = (await wallet.signMessage(message)) as SignatureBytes;
  expect(await verifySignature(stage.holder.keyPair.publicKey, signature, message)).toBe(true);
});

test('the SDK finds that a Ledger signs no messages, and that a wallet only sends', async () => {
  const ledger = simulated('ledger-without-messages');
  expect('signMessage' in ledger.wallet).toBe(false);
  expect('signMessage' in standardWallet(ledger.standard, ledger.account)).toBe(false);
  const sending = simulated('signs-and-sends-only');
  expect(() => standardWallet(sending.standard, sending.account)).toThrow('has no solana:signTransaction');
  const error = await errorOf(sending.wallet.signTransaction(await prepared(solTransfer())));
  expect(String(error)).toContain('does not sign transactions without sending them');
});

test('a wallet that signs and sends returns the signature of what landed', async () => {
  const wallet = simulated('signs-and-sends-only');
  const transaction = await prepared(solTransfer());
  const send = featureOf<{ signature: Uint8Array }>(wallet.standard, 'solana:signAndSendTransaction');
  const [output] = await send({ account: wallet.account, transaction, chain: 'solana:mainnet' });
  const signature = getBase58Decoder().decode(output!.signature);
  expect(wallet.sent).toEqual([signature]);
  expect(await stage.net.statusOf(signature as never)).toMatchObject({ err: null });
});

test('a kind that needs an RPC, or does not exist, is an invalid argument', () => {
  const needing = SIMULATED_WALLETS.filter(({ needsRpc }) => needsRpc);
  expect(needing.length).toBeGreaterThan(5);
  for (const { id } of needing) expect(isInvalid(() => simulatedWallet(id, stage.holder))).toBe(true);
  for (const { id } of SIMULATED_WALLETS.filter(({ needsRpc }) => !needsRpc)) {
    expect(simulatedWallet(id, stage.holder).account.features).not.toContain('solana:signAndSendTransaction');
  }
  expect(isInvalid(() => simulatedWallet('unknown' as never, stage.holder))).toBe(true);
});

function isInvalid(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch (error) {
    return isServiceError(error, 'INVALID_ARGUMENT');
  }
}

test('a wallet rejects a transaction that it need not sign', async () => {
  const wallet = simulatedWallet('backpack', stage.other);
  const wire = await prepared(solTransfer());
  expect(String(await errorOf(wallet.wallet.signTransaction(wire)))).toContain('needs no signature');
});

/** The SDK rejects handles of `@wallet-standard/ui`, which `@wallet-standard/react` returns, and says what to pass instead. */
import {
  generateKeyPairSigner,
  type KeyPairSigner,
  type MessageModifyingSigner,
  signBytes,
  type TransactionModifyingSigner,
} from '@solana/kit';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { getWalletFeature, useWallets } from '@wallet-standard/react';
import type { UiWallet, UiWalletAccount } from '@wallet-standard/ui';
import { getOrCreateUiWalletForStandardWallet } from '@wallet-standard/ui-registry';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYMENT } from '../../test/support/deployment.ts';
import { parseDeployment, ServiceClient } from '../index.ts';
import { signerOf } from './signer.ts';
import { standardWallet } from './standard-wallet.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests call as JavaScript does, without types
type Untyped = any;

const FEATURES = ['solana:signTransaction', 'solana:signMessage'] as const;
const REMEDY =
  '{ ...useWalletAccountMessageSigner(account), ...useWalletAccountTransactionSigner(account, chain) } of @solana/react';

let key: KeyPairSigner;
let wallet: Wallet;
let uiWallet: UiWallet;
let uiAccount: UiWalletAccount;

beforeAll(async () => {
  key = await generateKeyPairSigner();
  wallet = registered(key);
  uiWallet = getOrCreateUiWalletForStandardWallet(wallet);
  uiAccount = uiWallet.accounts[0]!;
});

/** A wallet of the Wallet Standard with one account, which signs messages with a key. */
function registered({ address, keyPair }: KeyPairSigner): Wallet {
  const account: WalletAccount = {
    address,
    publicKey: new Uint8Array(32),
    chains: ['solana:devnet'],
    features: FEATURES,
  };
  const signMessage = async ({ message }: { message: Uint8Array }) => [
    { signedMessage: message, signature: await signBytes(keyPair.privateKey, message) },
  ];
  return {
    version: '1.0.0',
    name: 'Example',
    icon: 'data:image/png;base64,',
    chains: ['solana:devnet'],
    features: {
      'solana:signMessage': { version: '1.1.0', signMessage },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async () => [],
      },
    },
    accounts: [account],
  };
}

const refusal = (field: string, text: string) => ({
  name: 'ServiceError',
  code: 'INVALID_ARGUMENT',
  context: { field },
  message: expect.stringContaining(text),
});

/** Returns what a call throws. */
async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

describe('a handle of @wallet-standard/ui', () => {
  it('is what the hook of @wallet-standard/react returns', () => {
    let seen: readonly UiWallet[] | undefined;
    renderToString(
      createElement(() => {
        seen = useWallets();
        return null;
      }),
    );
    // On a server nothing is registered.
    expect(seen).toEqual([]);
    expect(getWalletFeature(uiWallet, 'solana:signMessage')).toBe(wallet.features['solana:signMessage']);
    expect(uiAccount.address).toBe(key.address);
  });

  it.each<[string, () => unknown]>([
    ['a UiWallet and a UiWalletAccount', () => standardWallet(uiWallet as Untyped, uiAccount)],
    ['a UiWallet and a WalletAccount', () => standardWallet(uiWallet as Untyped, wallet.accounts[0]!)],
    ['a UiWalletAccount alone', () => (standardWallet as Untyped)(uiAccount)],
  ])('is rejected by standardWallet: %s', async (_name, call) => {
    expect(await thrownBy(call)).toMatchObject(refusal('wallet', REMEDY));
  });

  it.each<[string, (client: Untyped) => unknown]>([
    ['authenticate', (client) => client.authenticate(uiAccount, DEPLOYMENT.genesisHash)],
    ['signerOf', () => signerOf(uiAccount as Untyped)],
  ])('is rejected as the wallet of %s', async (_name, call) => {
    const client = new ServiceClient({ deployment: parseDeployment(DEPLOYMENT) });
    const error = await thrownBy(() => call(client));
    expect(error).toMatchObject(refusal('wallet', `only the account ${key.address}`));
    expect(error).toMatchObject(refusal('wallet', REMEDY));
  });

  it('is a wallet once the signers that the message names are put together', async () => {
    // What the hooks of @solana/react return: signers that may change what they sign.
    const { address, keyPair } = key;
    const messageSigner: MessageModifyingSigner = {
      address,
      modifyAndSignMessages: (messages) =>
        Promise.all(
          messages.map(async ({ content }) => ({
            content,
            signatures: { [address]: await signBytes(keyPair.privateKey, content) },
          })),
        ),
    };
    const transactionSigner: TransactionModifyingSigner = {
      address,
      modifyAndSignTransactions: async (transactions) => transactions as never,
    };
    const message = new TextEncoder().encode('sign in');
    const wallet = { ...messageSigner, ...transactionSigner };
    expect(await signerOf(wallet).signMessage(message)).toHaveLength(64);
  });
});

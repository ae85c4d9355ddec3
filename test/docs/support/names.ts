/** The names that a block may use without declaring them, such as the dApp's client. */
import type { Deployment, ServiceClient, Witness } from '@service/sdk';
import type { Address, KeyPairSigner } from '@solana/kit';
import type { UiWalletAccount } from '@wallet-standard/ui';
import type { SetupServer } from 'msw/node';

/** A wallet of the Wallet Standard, as a registry gives it. */
interface Standard {
  readonly name: string;
  readonly features: Readonly<Record<string, unknown>>;
  readonly accounts: readonly Account[];
}

interface Account {
  readonly address: string;
  readonly features: readonly `${string}:${string}`[];
}

type Sign = (bytes: Uint8Array) => Promise<Uint8Array>;

export interface Names {
  readonly deployment: Deployment;
  /** Signed in with `wallet`. */
  readonly client: ServiceClient;
  /** A verified person, who has a pass, created `rule` and bound `mint`. */
  readonly wallet: KeyPairSigner;
  /** The same key, where a block names it so. */
  readonly issuer: KeyPairSigner;
  /** Another verified person with a pass. */
  readonly holder: KeyPairSigner;
  /** The witness of the newest credential of `wallet`. */
  readonly witness: Witness;
  /** An operation of `wallet` that is final. */
  readonly operationId: string;
  readonly rule: Address;
  readonly mint: Address;
  /** The token account of `wallet`, with tokens. */
  readonly source: Address;
  /** The token account of `holder`. */
  readonly destination: Address;
  /** Without handlers. */
  readonly server: SetupServer;
  /** The wallet as the browser lists it: with its account, as the person chose it, and as frameworks give it. */
  readonly standard: Standard;
  readonly chosen: Standard;
  readonly account: Account;
  readonly uiAccount: UiWalletAccount;
  readonly useWallet: () => {
    readonly wallet: {
      readonly adapter: { readonly name: string } | { readonly standard: true; readonly wallet: Standard };
    } | null;
  };
  /** The function of rapidsnark for React Native, made with snarkjs. It takes base64, and returns JSON. */
  readonly groth16Prove: (
    zkey: string,
    wtns: string,
  ) => Promise<{ readonly proof: string; readonly pub_signals: string }>;
  /** Signing code of one's own, with the key of `wallet`. */
  readonly device: { readonly signBytes: Sign; readonly signWire: Sign };
}

const NAMES: Readonly<Record<keyof Names, true>> = {
  deployment: true,
  client: true,
  wallet: true,
  issuer: true,
  holder: true,
  witness: true,
  operationId: true,
  rule: true,
  mint: true,
  source: true,
  destination: true,
  server: true,
  standard: true,
  chosen: true,
  account: true,
  uiAccount: true,
  useWallet: true,
  groth16Prove: true,
  device: true,
};

/** Declares the names for the compiler, in a file of a folder beside this one. */
export const DECLARATIONS = Object.keys(NAMES)
  .map((name) => `declare const ${name}: import('../support/names.ts').Names['${name}'];\n`)
  .join('');

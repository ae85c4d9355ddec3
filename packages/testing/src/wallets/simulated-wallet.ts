/** Simulations of real wallets, and hostile wallets, for tests of dApps. */
import { type PlainWallet, ServiceError, type TransactionWallet } from '@service/sdk';
import { type Address, type KeyPairSigner, type Signature, signBytes } from '@solana/kit';
import { UNKNOWN_ADDRESS } from '../tampering/hostile-mode.ts';
import { HONEST_WALLETS } from './honest.ts';
import { HOSTILE_WALLETS } from './hostile.ts';
import { type WalletKind, walletKinds } from './kinds.ts';
import type { SimulatedWalletRpc } from './outcome.ts';
import { answerTo, sendWire, type WalletRecord, type WalletSettings } from './prompt.ts';
import {
  createStandardWallet,
  type SimulatedStandardAccount,
  type SimulatedStandardWallet,
} from './standard.ts';

/** The id of a kind in {@link SIMULATED_WALLETS}. */
export type SimulatedWalletId = keyof typeof HONEST_WALLETS | keyof typeof HOSTILE_WALLETS;

/** One kind of simulated wallet. */
export interface SimulatedWalletKind {
  /** Kebab-case; unique. */
  readonly id: SimulatedWalletId;
  /** The wallet, as a test names it. */
  readonly label: string;
  /** What the wallet does to a transaction, in one sentence. */
  readonly does: string;
  /** Whether the kind is hostile: no wallet should do so. */
  readonly isHostile: boolean;
  /** Whether it needs an RPC, to simulate or to send. */
  readonly needsRpc: boolean;
}

const KINDS: readonly WalletKind[] = [
  ...walletKinds(false, HONEST_WALLETS),
  ...walletKinds(true, HOSTILE_WALLETS),
];

/** Every kind of {@link simulatedWallet}: the honest ones first. */
export const SIMULATED_WALLETS: readonly SimulatedWalletKind[] = KINDS.map(
  ({ id, label, does, isHostile, needsRpc }) => ({
    id: id as SimulatedWalletId,
    label,
    does,
    isHostile,
    needsRpc,
  }),
);

/** A nonce account on chain. */
export interface SimulatedNonce {
  /** Its address. The wallet is its authority. */
  readonly account: Address;
  /** The nonce that it holds, in base58. */
  readonly value: string;
}

/** Options of {@link simulatedWallet}. */
export interface SimulatedWalletOptions {
  /** The RPC that the wallet simulates and sends with. Kinds with `needsRpc` require it. */
  readonly rpc?: SimulatedWalletRpc | undefined;
  /** Whether the wallet treats the cluster as mainnet, where wallets add guards. @default true */
  readonly mainnet?: boolean | undefined;
  /** The price of wallets that set one, in micro-lamports for each compute unit. @default 20_000n */
  readonly microLamports?: bigint | undefined;
  /** The address that hostile kinds name. @default an address that no test uses */
  readonly accomplice?: Address | undefined;
  /** The nonce account of the kind `durable-nonce`, and its nonce. @default an account that does not exist */
  readonly nonce?: SimulatedNonce | undefined;
}

/** A simulated wallet, in the forms in which a dApp uses wallets. */
export interface SimulatedWallet {
  /** What it simulates. */
  readonly kind: SimulatedWalletKind;
  /** Its address. */
  readonly address: Address;
  /** The wallet as the SDK takes it. If it only signs and sends, its `signTransaction` rejects. */
  readonly wallet: PlainWallet | TransactionWallet;
  /** The same wallet as a site finds it in the registry of the Wallet Standard. */
  readonly standard: SimulatedStandardWallet;
  /** The account that `standard` has after `standard:connect`. */
  readonly account: SimulatedStandardAccount;
  /** Resolves when the wallet is asked to sign a transaction for the first time. */
  readonly opened: Promise<void>;
  /** The transactions that it signed, in wire form and in their order. */
  readonly signed: readonly Uint8Array[];
  /** The signatures of the transactions that it sent itself. */
  readonly sent: readonly Signature[];
  /** Lets a wallet of the kind `answers-late` answer. Other kinds do not wait for it. */
  answer(): void;
}

/**
 * Creates a wallet that behaves like a real one, or a hostile one: it signs with the given key, and changes transactions
 * as {@link SIMULATED_WALLETS} says. It computes guards from the accounts at its RPC.
 *
 * @throws ServiceError INVALID_ARGUMENT if there is no such kind, or if the kind needs `rpc`
 * @example
 * const { wallet } = simulatedWallet('phantom-2026-08', await testWallet('holder'), { rpc });
 * await client.transfer(wallet, request);
 */
export function simulatedWallet(
  id: SimulatedWalletId,
  signer: KeyPairSigner,
  options: SimulatedWalletOptions = {},
): SimulatedWallet {
  const kind = KINDS.find((each) => each.id === id);
  if (!kind) throw invalidArgument('id', `There is no simulated wallet ${id}. SIMULATED_WALLETS lists all.`);
  const { rpc } = options;
  if (kind.needsRpc && !rpc) throw invalidArgument('rpc', `The simulated wallet ${id} needs the option rpc.`);
  const settings: WalletSettings = {
    rpc,
    mainnet: options.mainnet ?? true,
    microLamports: options.microLamports ?? 20_000n,
    accomplice: options.accomplice ?? UNKNOWN_ADDRESS,
    nonce: options.nonce ?? { account: UNKNOWN_ADDRESS, value: UNKNOWN_ADDRESS },
  };
  const record: WalletRecord = { signed: [], sent: [] };
  const [opened, released] = [signal(), signal()];

  const sign = (wire: Uint8Array) => {
    opened.resolve();
    return answerTo(wire, kind.answer, { signer, settings, record, released: released.promise });
  };
  const signMessage = async (message: Uint8Array) =>
    new Uint8Array(await signBytes(signer.keyPair.privateKey, message));
  const rejectSigning = async () => {
    throw new Error(`${kind.label} does not sign transactions without sending them.`);
  };
  const signAndSend = async (wire: Uint8Array) => {
    const sent = await sendWire(rpc!, await sign(wire));
    record.sent.push(sent);
    return sent;
  };
  const { address } = signer;
  const { standard, accounts } = createStandardWallet({
    name: kind.label,
    accounts: [{ address }],
    actions: {
      signMessage: kind.signsMessages ? signMessage : undefined,
      signTransaction: kind.signsTransactions ? sign : undefined,
      signAndSend: rpc && signAndSend,
    },
  });
  return {
    kind: SIMULATED_WALLETS.find((each) => each.id === id)!,
    address,
    wallet: {
      address,
      signTransaction: kind.signsTransactions ? sign : rejectSigning,
      ...(kind.signsMessages && { signMessage }),
    },
    standard,
    account: accounts()[0]!,
    opened: opened.promise,
    signed: record.signed,
    sent: record.sent,
    answer: () => released.resolve(),
  };
}

/** Creates a promise, and a function that resolves it. */
function signal() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise));
  return { promise, resolve };
}

function invalidArgument(field: string, message: string): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', { message, context: { field } });
}

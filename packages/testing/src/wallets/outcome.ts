/** Simulates a message, and reads the accounts that matter to a wallet before and after it. */
import {
  type Address,
  address,
  type Base64EncodedWireTransaction,
  type GetLatestBlockhashApi,
  type GetMultipleAccountsApi,
  getAddressDecoder,
  getAddressEncoder,
  getBase64Decoder,
  getBase64Encoder,
  getProgramDerivedAddress,
  type Rpc,
  type SendTransactionApi,
  type SimulateTransactionApi,
} from '@solana/kit';
import { compileMessage, type Message } from '../transaction-message.ts';
import { countSigners, writableAccounts } from './message.ts';

/** The calls that simulated wallets make. A client of `createSolanaRpc` has them. */
export type SimulatedWalletRpc = Rpc<
  GetLatestBlockhashApi & GetMultipleAccountsApi & SendTransactionApi & SimulateTransactionApi
>;

/** The state of an account. */
export interface AccountState {
  readonly address: Address;
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
}

/** A token account of the wallet. */
export interface TokenAccount extends AccountState {
  readonly amount: bigint;
  readonly delegate: Address | null;
  readonly delegatedAmount: bigint;
  /** Whether it is the associated token account of its owner. */
  readonly isDerived: boolean;
}

/** An account before and after a transaction. */
export interface Change<State> {
  readonly before: State;
  readonly after: State;
}

/** What a transaction does, if it runs now. */
export interface Outcome {
  readonly computeUnits: number;
  /** The fee payer. Its state before the transaction includes the fee. */
  readonly payer: Change<AccountState>;
  /** The first token account of the wallet that the transaction may write to. */
  readonly token: Change<TokenAccount> | null;
}

const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
const ASSOCIATED_TOKEN_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const TOKEN_ACCOUNT_BYTES = 165;
/** The type that Token-2022 writes after the fields of a token account that has extensions. */
const TOKEN_ACCOUNT_TYPE = 2;
const INITIALIZED = 1;

/** Simulates a message on the newest state. Returns null if it fails. */
export async function outcomeOf(
  rpc: SimulatedWalletRpc,
  message: Message,
  wallet: Address,
): Promise<Outcome | null> {
  const addresses = writableAccounts(message);
  const options = { encoding: 'base64', commitment: 'processed' } as const;
  const [before, simulated] = await Promise.all([
    rpc.getMultipleAccounts([...addresses], options).send(),
    rpc
      .simulateTransaction(unsignedWire(message), {
        ...options,
        sigVerify: false,
        replaceRecentBlockhash: true,
        accounts: { encoding: 'base64', addresses: [...addresses] },
      })
      .send(),
  ]);
  if (simulated.value.err) return null;
  const states = [before.value, simulated.value.accounts].map((accounts) =>
    addresses.map((key, index) => stateOf(key, accounts[index] ?? null)),
  );
  const changes = addresses.flatMap((_, index): Change<AccountState>[] => {
    const [old, now] = [states[0]![index], states[1]![index]];
    return old && now ? [{ before: old, after: now }] : [];
  });
  const payer = changes.find((change) => change.after.address === message.feePayer);
  if (!payer) return null;
  const tokens = await Promise.all(
    changes.map(async (change) => {
      const [old, now] = [
        await tokenAccount(change.before, wallet),
        await tokenAccount(change.after, wallet),
      ];
      return old && now ? { before: old, after: now } : null;
    }),
  );
  return {
    computeUnits: Number(simulated.value.unitsConsumed ?? 0n),
    payer,
    token: tokens.find((change) => change !== null) ?? null,
  };
}

/** Encodes a message with zeros in place of its signatures. */
function unsignedWire(message: Message): Base64EncodedWireTransaction {
  const signers = countSigners(message);
  const wire = [signers, ...new Uint8Array(64 * signers), ...compileMessage(message)];
  return getBase64Decoder().decode(Uint8Array.from(wire)) as Base64EncodedWireTransaction;
}

interface EncodedAccount {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: readonly [string, string];
}

function stateOf(key: Address, account: unknown): AccountState | null {
  if (!account) return null;
  const { lamports, owner, data } = account as EncodedAccount;
  return { address: key, lamports, owner, data: new Uint8Array(getBase64Encoder().encode(data[0])) };
}

/** Reads a token account of a wallet. Returns null for every other account. */
async function tokenAccount(state: AccountState, wallet: Address): Promise<TokenAccount | null> {
  const { data } = state;
  if (!TOKEN_PROGRAMS.includes(state.owner) || data.length < TOKEN_ACCOUNT_BYTES) return null;
  if (data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] !== TOKEN_ACCOUNT_TYPE) return null;
  const keyAt = (offset: number) => getAddressDecoder().decode(data, offset);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data[108] !== INITIALIZED || keyAt(32) !== wallet) return null;
  const seeds = [wallet, state.owner, keyAt(0)].map((key) => getAddressEncoder().encode(key));
  const [derived] = await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds });
  return {
    ...state,
    amount: view.getBigUint64(64, true),
    delegate: view.getUint32(72, true) === 1 ? keyAt(76) : null,
    delegatedAmount: view.getBigUint64(121, true),
    isDerived: derived === state.address,
  };
}

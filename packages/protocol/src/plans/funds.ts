/** The lamports that the wallet of an operation needs: fees, and rent of the accounts that it creates. */
import { type Address, fetchEncodedAccounts, type MaybeEncodedAccount } from '@solana/kit';
import { programAddresses, RENT_SYSVAR } from '../addresses.ts';
import { getMintBindingDecoder } from '../generated/accounts/mintBinding';
import { getPassDecoder } from '../generated/accounts/pass';
import { getPlaceDecoder } from '../generated/accounts/place';
import { EXTRA_ACCOUNT_META_LIST_BYTES, RULE_SET_BYTES } from '../generated/sizes';
import { isProved } from '../state/pass-times.ts';
import { type ChainReader, decodeAccount } from '../state/read.ts';
import { rentOf } from '../state/rent.ts';
import type { BindMintIntent, PostedIntent, PostedProveIntent } from './intent.ts';

/** Lamports that clusters charge for one signature. Operations have one. */
export const SIGNATURE_FEE_LAMPORTS = 5_000n;

/** What a wallet needs for an operation, in lamports. */
export interface Funds {
  readonly wallet: Address;
  /** What the wallet has. */
  readonly balance: bigint;
  /** The fee of the signature. */
  readonly fee: bigint;
  /** The most that the transaction pays for priority. */
  readonly priorityFee: bigint;
  /** The rent of the accounts that the operation creates. */
  readonly rent: bigint;
  /** What clusters require to stay in the wallet, unless nothing stays. */
  readonly minimum: bigint;
}

/** The accounts that decide whether a wallet can pay for an operation. */
export interface FundsQuery {
  readonly addresses: readonly Address[];
  /** Returns what the wallet has and needs. Takes the accounts of the addresses, in their order. Throws without the rent. */
  readonly fundsOf: (accounts: readonly MaybeEncodedAccount[]) => Funds;
}

/** Returns the accounts to read, so that callers can read others with them. */
export async function fundsQuery(
  program: Address,
  { intent, priorityFee }: { readonly intent: PostedIntent; readonly priorityFee: bigint },
): Promise<FundsQuery> {
  const { wallet } = intent;
  const created = await accountsToCreate(program, intent);
  return {
    addresses: [wallet, RENT_SYSVAR, ...created.map(({ address }) => address)],
    fundsOf([payer, sysvar, ...existing]) {
      const rent = rentOf(sysvar);
      const missing = created.map(({ bytes }, index) => {
        const account = existing[index];
        const there: bigint = account?.exists && !isBought(program, intent, account) ? account.lamports : 0n;
        return there < rent(bytes) ? rent(bytes) - there : 0n;
      });
      return {
        wallet,
        balance: payer?.exists ? payer.lamports : 0n,
        fee: SIGNATURE_FEE_LAMPORTS,
        priorityFee,
        rent: missing.reduce((sum, lamports) => sum + lamports, 0n),
        minimum: rent(0),
      };
    },
  };
}

/** Reads what the wallet of an operation has and needs, in one request. Throws the errors of the RPC. */
export async function readFunds(
  { rpc, program, commitment, signal }: ChainReader,
  cost: { readonly intent: PostedIntent; readonly priorityFee: bigint },
): Promise<Funds> {
  const { addresses, fundsOf } = await fundsQuery(program, cost);
  const options = { commitment, ...(signal ? { abortSignal: signal } : {}) };
  return fundsOf(await fetchEncodedAccounts(rpc, [...addresses], options));
}

/**
 * Returns whether a wallet can pay. Clusters check twice that a wallet keeps nothing or its minimum: after the fees, and
 * after the operation. They make no exception for a wallet that had less than its minimum before.
 */
export function canPay({ balance, fee, priorityFee, rent, minimum }: Funds): boolean {
  const afterFees = balance - fee - priorityFee;
  return [afterFees, afterFees - rent].every((left) => left === 0n || left >= minimum);
}

/** Returns the lamports with which a wallet can certainly pay. */
export function neededLamports({ fee, priorityFee, rent, minimum }: Funds): bigint {
  return fee + priorityFee + rent + minimum;
}

/** Returns what a wallet has and needs, as sentences. */
export function fundsMessage(funds: Funds): string {
  const { wallet, balance, fee, priorityFee, rent, minimum } = funds;
  const parts = [
    `${fee + priorityFee} for fees`,
    ...(rent > 0n ? [`${rent} for the rent of new accounts`] : []),
    `${minimum} that must stay in it`,
  ];
  const needed = neededLamports(funds);
  return `The wallet has ${balance} lamports and needs ${needed}: ${parts.join(', ')}. Send ${needed - balance} lamports to ${wallet}.`;
}

/**
 * Returns whether an operation pays the rent of a pass to the wallet that proved it: a grant replaces the pass. The creator
 * needs it for its own pass as well: it pays itself, and the system program requires that it has what it pays.
 */
function isBought(program: Address, { kind }: PostedIntent, account: MaybeEncodedAccount): boolean {
  const pass = kind === 'GRANT' && decodeAccount(program, 'pass', account);
  return Boolean(pass && isProved(pass.data));
}

/** Returns the bytes of the list of a bound mint. It names Config, and the records of each owner that a transfer reads. */
function listBytes({ requireSource, readsCredential }: BindMintIntent): number {
  const owners = requireSource ? 2 : 1;
  const records = readsCredential ? 2 : 1;
  const { empty, meta } = EXTRA_ACCOUNT_META_LIST_BYTES;
  return empty + meta * (1 + owners * records);
}

/** Returns the place that a proof takes. The first wallet that takes it pays its rent. */
async function placeOf(program: Address, { rule, place }: PostedProveIntent) {
  if (!place) return [];
  const address = await programAddresses(program).place(rule, place.tag);
  return [{ address, bytes: getPlaceDecoder().fixedSize }];
}

/** Returns the accounts that an operation creates or fills up to their rent, with their size. */
async function accountsToCreate(
  program: Address,
  intent: PostedIntent,
): Promise<readonly { readonly address: Address; readonly bytes: number }[]> {
  const at = programAddresses(program);
  const passOf = async (wallet: Address, rule: Address) => ({
    address: await at.pass(rule, wallet),
    bytes: getPassDecoder().fixedSize,
  });
  switch (intent.kind) {
    case 'CREATE_RULE_SET': {
      const bytes = RULE_SET_BYTES.empty + RULE_SET_BYTES.clause * intent.clauses.length;
      return [{ address: await at.ruleSet(intent.wallet, intent.nonce), bytes }];
    }
    case 'BIND_MINT':
      return [
        { address: await at.mintBinding(intent.mint), bytes: getMintBindingDecoder().fixedSize },
        {
          address: await at.extraAccountMetaList(intent.mint),
          bytes: listBytes(intent),
        },
      ];
    case 'PROVE':
      return [await passOf(intent.wallet, intent.rule), ...(await placeOf(program, intent))];
    case 'SUSPEND':
      return intent.until ? [await passOf(intent.holder, intent.rule)] : [];
    case 'GRANT':
      return intent.expiresAt ? [await passOf(intent.holder, intent.rule)] : [];
    default:
      return [];
  }
}

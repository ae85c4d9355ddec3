/** Messages as the service prepares them and as wallets change them. */
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  type CompiledTransactionMessage,
  compileTransactionMessage,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import type { AdditionLimits } from '../../src/additions/adoptable.ts';
import { budgetInstructions } from '../../src/additions/compute-budget.ts';
import { LIGHTHOUSE_PROGRAM } from '../../src/additions/guard.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../../src/addresses.ts';
import { memoText } from '../../src/memo.ts';
import { operationMessage } from '../../src/plans/message.ts';

export const WALLET = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
export const OTHER = address('9fuKLiXcdyKy1xHdSFHw4z7jyTnPkKQsVZVVdNPnPM9f');
export const TOKEN_ACCOUNT = address('SysvarRent111111111111111111111111111111111');
export const THIRD = address('SysvarC1ock11111111111111111111111111111111');
export const BLOCKHASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
export const OPERATION = '3f2b8a3e-5b7e-4c1a-9d3e-0a1b2c3d4e5f';
export const LIMITS: AdditionLimits = { guards: true, maxPriorityFeeLamports: 10_000n };

export const action: Instruction = {
  programAddress: SYSTEM_PROGRAM,
  accounts: [
    { address: WALLET, role: AccountRole.WRITABLE_SIGNER },
    { address: TOKEN_ACCOUNT, role: AccountRole.READONLY },
  ],
  data: Uint8Array.of(1, 2, 3),
};
export const memo = getAddMemoInstruction({ memo: memoText(OPERATION) }, { programAddress: MEMO_PROGRAM });
export const prepared = operationMessage({
  wallet: WALLET,
  operationId: OPERATION,
  blockhash: BLOCKHASH,
  instruction: action,
});

export const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
export const guard = (data: string | Uint8Array, ...accounts: Address[]): Instruction => ({
  programAddress: LIGHTHOUSE_PROGRAM,
  accounts: accounts.map((key) => ({ address: key, role: AccountRole.READONLY })),
  data: typeof data === 'string' ? hex(data) : data,
});
export const U64 = '0102030405060708';
export const KEY = '11'.repeat(32);
/** The fee payer belongs to the system program, as Solflare asserts it. */
export const OWNER_GUARD = guard('060401 030000', WALLET);
/** Guards of the sizes that Phantom adds: 17, 52 and 16 bytes before the action, 27 after it. */
export const PHANTOM_BEFORE = [
  guard(`0a0403 02${U64}00 030000 08`, TOKEN_ACCOUNT),
  guard(`060403 00${U64}04 030200 08${KEY}00a501`, TOKEN_ACCOUNT),
  guard(`060402 00${U64}04 030000`, WALLET),
];
export const PHANTOM_AFTER = guard(`0a0404 02${U64}04 06${U64}00 030000 08`, TOKEN_ACCOUNT);
export const budget = (limit: number, price: bigint) => budgetInstructions({ limit, price });

/** Compiles instructions as a wallet does. */
export function compiled(
  instructions: readonly Instruction[],
  { payer = WALLET, blockhash = BLOCKHASH }: { payer?: Address; blockhash?: string } = {},
): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(payer, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
        draft,
      ),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  return new Uint8Array(getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message)));
}

export type Version0 = Extract<CompiledTransactionMessage, { version: 0 }>;

/** Changes the compiled form of a message. */
export function changed(message: Uint8Array, change: (compiled: Version0) => object): Uint8Array {
  const read = getCompiledTransactionMessageDecoder().decode(message) as Version0;
  return new Uint8Array(
    getCompiledTransactionMessageEncoder().encode({ ...read, ...change(read) } as typeof read),
  );
}

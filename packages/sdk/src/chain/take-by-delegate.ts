/** Takes tokens of a mint that has a gate and no binding. Its permanent delegate does that with Token-2022. */
import {
  burnAuthorityOf,
  decodeAccount,
  isMintPaused,
  MEMO_PROGRAM,
  TOKEN_2022_PROGRAM,
  transferHookOf,
} from '@service/protocol';
import { AccountRole, type Address, getU64Encoder, type Instruction } from '@solana/kit';
import { invalidArgument } from '../lib/check-arguments.ts';
import { refusalOf } from '../preflight/check-receiver.ts';
import { mintPaused } from '../preflight/receivers.ts';
import { reasonsOfAccount } from '../preflight/transfer-reasons.ts';
import { type MintState, otherWallet } from './bound-mint.ts';
import { passRequired, readGateState, readLivePass, requireGate } from './gate-state.ts';
import type { RecoverOptions, RedeemOptions } from './take-options.ts';

const [TRANSFER_CHECKED, BURN_CHECKED, PERMISSIONED_BURN] = [12, 15, 46];
const PERMISSIONED_BURN_CHECKED = 2;

/**
 * Returns what moves tokens to another holder, and records the reason.
 *
 * @throws ServiceError MINT_PAUSED, INVALID_ARGUMENT, GATE_UNUSABLE, ACCOUNT_NOT_FOUND and PASS_REQUIRED of the destination,
 *   RPC_ERROR, ABORTED
 */
export async function transferByDelegate(state: MintState, options: RecoverOptions): Promise<Instruction[]> {
  checkNotPaused(state);
  const { source, destination, amount, reason } = options;
  const hook = transferHookOf(state.mint);
  if (hook) {
    throw invalidArgument(
      'mint',
      `The program ${hook} decides about each transfer of this mint. Move its tokens with a client of Token-2022. Nothing was signed.`,
    );
  }
  await checkReceiver(state, options);
  return [
    // A destination can require a memo right before each transfer.
    memo(`recover: ${reason}`),
    takingBy(state, [TRANSFER_CHECKED], amount, [
      [source, AccountRole.WRITABLE],
      [state.address, AccountRole.READONLY],
      [destination, AccountRole.WRITABLE],
    ]),
  ];
}

/**
 * Returns what burns tokens, and records the reason.
 *
 * @throws ServiceError MINT_PAUSED; INVALID_ARGUMENT if another key must sign, too
 */
export function burnByDelegate(state: MintState, { source, amount, reason }: RedeemOptions): Instruction[] {
  checkNotPaused(state);
  const authority = burnAuthorityOf(state.mint);
  if (authority && authority !== state.wallet)
    throw otherWallet(`${authority} must sign whenever tokens of the mint are burned.`);
  const accounts = [
    [source, AccountRole.WRITABLE],
    [state.address, AccountRole.WRITABLE],
  ] as const;
  return [
    authority
      ? takingBy(state, [PERMISSIONED_BURN, PERMISSIONED_BURN_CHECKED], amount, [
          ...accounts,
          [authority, AccountRole.READONLY_SIGNER],
        ])
      : takingBy(state, [BURN_CHECKED], amount, accounts),
    memo(`redeem: ${reason}`),
  ];
}

/** Returns an instruction of Token-2022 that the permanent delegate signs. */
function takingBy(
  { mint, wallet }: MintState,
  discriminator: readonly number[],
  amount: bigint,
  accounts: readonly (readonly [Address, AccountRole])[],
): Instruction {
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [...accounts, [wallet, AccountRole.READONLY_SIGNER] as const].map(([address, role]) => ({
      address,
      role,
    })),
    data: Uint8Array.of(...discriminator, ...getU64Encoder().encode(amount), mint.decimals),
  };
}

/** Token-2022 records no reason. The text differs from the memo of an operation. */
const memo = (text: string): Instruction => ({
  programAddress: MEMO_PROGRAM,
  data: new TextEncoder().encode(text),
});

function checkNotPaused({ mint, address }: MintState): void {
  if (isMintPaused(mint)) throw mintPaused(address);
}

/** Checks that the destination is thawed, cannot change hands, and belongs to a holder whose pass the gate counts. */
async function checkReceiver(
  { chain, address: mint }: MintState,
  { destination, amount, signal }: RecoverOptions,
): Promise<void> {
  const state = await readGateState(chain, mint, destination, { signal, restricts: true });
  const gate = requireGate(state);
  const account = decodeAccount(chain.deployment.program, 'tokenAccount', state.other);
  const row = { destination, amount };
  const of = { address: destination, who: 'recipient', mint } as const;
  const reasons = reasonsOfAccount(account, of);
  if (account && !account.data.immutableOwner)
    reasons.push({ code: 'TOKEN_ACCOUNT_OWNER_MUTABLE', who: 'recipient', address: destination });
  if (!account || reasons.length > 0) throw refusalOf(mint, { row, reasons });
  const { owner } = account.data;
  if (!(await readLivePass(chain, gate, owner, signal))) throw passRequired(gate, owner);
}

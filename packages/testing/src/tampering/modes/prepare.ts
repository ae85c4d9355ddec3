/** Modes of prepared operations (SPEC.md section 4). */
import type { OperationKind } from '@service/contract';
import { type Address, createNoopSigner } from '@solana/kit';
import { getAdvanceNonceAccountInstruction } from '@solana-program/system';
import type { MessageInstruction } from '../../transaction-message.ts';
import {
  addInstruction,
  drain,
  inAction,
  opposite,
  otherPlace,
  withAccount,
  withAmount,
} from '../edits/instructions.ts';
import { changeDraft, changeTransaction } from '../edits/prepared.ts';
import { askService } from '../edits/responses.ts';
import { type HostileMode, UNKNOWN_ADDRESS } from '../hostile-mode.ts';

const OF_AMOUNTS: readonly OperationKind[] = ['ISSUE', 'TRANSFER', 'RECOVER', 'REDEEM'];
const OF_OPPOSITES: readonly OperationKind[] = ['RECOVER', 'SUSPEND', 'GRANT'];
const MISMATCH = { category: 'prepare', call: 'signAndSubmit', code: 'PREPARED_MISMATCH' } as const;

export const PREPARE_MODES: readonly HostileMode[] = [
  {
    ...MISMATCH,
    id: 'prepare-other-amount',
    description: 'The transaction has ten times the amount.',
    page: 'Show the amount that was asked for and the one in the transaction, and say that nothing was signed.',
    kinds: OF_AMOUNTS,
    start: () => inAction((action) => withAmount(action, (amount) => amount * 10n), OF_AMOUNTS),
  },
  {
    ...MISMATCH,
    id: 'prepare-other-destination',
    description: 'The transaction pays to another token account.',
    page: 'Name the recipient that was asked for, and say that nothing was signed.',
    kinds: ['ISSUE', 'TRANSFER', 'RECOVER'],
    start: () => inAccount({ ISSUE: 4, TRANSFER: 2, RECOVER: 5 }),
  },
  {
    ...MISMATCH,
    id: 'prepare-other-rule',
    description: 'The transaction has another rule set.',
    page: 'Name the rule set that was asked for, and say that nothing was signed.',
    kinds: ['BIND_MINT', 'PROVE', 'SUSPEND', 'GRANT'],
    start: () => inAccount({ BIND_MINT: 2, PROVE: 3, SUSPEND: 1, GRANT: 2 }),
  },
  {
    ...MISMATCH,
    id: 'prepare-other-holder',
    description:
      'The transaction suspends another holder, grants to another one, or takes tokens of another one.',
    page: 'Name the holder that was asked for, and say that nothing was signed.',
    kinds: ['RECOVER', 'REDEEM', 'SUSPEND', 'GRANT'],
    start: () => inAccount({ RECOVER: 4, REDEEM: 4, SUSPEND: 2, GRANT: 3 }),
  },
  {
    ...MISMATCH,
    id: 'prepare-other-place',
    description: 'The transaction takes another place, or replaces a wallet that nobody named.',
    page: 'Say that another wallet of the person could have lost its pass, and that nothing was signed.',
    kinds: ['PROVE'],
    start: () => inAction(otherPlace, ['PROVE']),
  },
  {
    ...MISMATCH,
    id: 'prepare-opposite-act',
    description: 'The transaction lifts a suspension, ends a grant, or burns what should be recovered.',
    page: 'Name the act that was asked for, and say that nothing was signed.',
    kinds: OF_OPPOSITES,
    start: () => inAction(opposite, OF_OPPOSITES),
  },
  {
    ...MISMATCH,
    id: 'prepare-instruction-after',
    description: 'An instruction that takes SOL follows the action.',
    page: 'Say that the transaction would have done more than was asked for.',
    start: () => addInstruction(2, drain),
  },
  {
    ...MISMATCH,
    id: 'prepare-durable-nonce',
    description: 'A durable nonce keeps the transaction valid forever.',
    page: 'Say that the transaction could have been sent at any later time.',
    start: () => addInstruction(0, advanceNonce),
  },
  {
    ...MISMATCH,
    id: 'prepare-dead-blockhash',
    description: 'The blockhash is the first one of the cluster, which expired long ago.',
    page: 'Offer to try again. Name the service if it happens again.',
    code: 'BLOCKHASH_INVALID',
    start: () =>
      changeTransaction(async (draft, { exchange }) => {
        const { genesisHash } = await askService(exchange, '/api/config');
        return { ...draft, blockhash: String(genesisHash) };
      }),
  },
  {
    ...MISMATCH,
    id: 'prepare-expired-draft',
    description: 'The draft has expired when it arrives.',
    page: 'Offer to prepare it again. Nothing was signed.',
    code: 'DRAFT_EXPIRED',
    start: () => changeDraft((draft) => ({ ...draft, expiresAt: draft.createdAt })),
  },
  {
    ...MISMATCH,
    id: 'prepare-already-finalized',
    description: 'A new operation is called final.',
    page: 'Do not show success. Show what the chain has, such as the balance.',
    call: 'prepare',
    code: 'OPERATION_ALREADY_SIGNED',
    start: () =>
      changeDraft(({ transaction: _, ...rest }) => {
        const final = { state: 'FINALIZED', signature: '2'.repeat(88), slot: '1', indexed: true };
        return { ...rest, ...final };
      }),
  },
];

/** Replaces an account of the action, which has another index for each kind. */
function inAccount(indexes: Partial<Record<OperationKind, number>>) {
  const kinds = Object.keys(indexes) as OperationKind[];
  return inAction((action, kind) => withAccount(action, indexes[kind]!, { address: UNKNOWN_ADDRESS }), kinds);
}

function advanceNonce(wallet: Address): MessageInstruction {
  const nonceAuthority = createNoopSigner(wallet);
  return getAdvanceNonceAccountInstruction({ nonceAccount: UNKNOWN_ADDRESS, nonceAuthority }) as never;
}

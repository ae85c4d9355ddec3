/** Reads the transaction of an operation from an RPC: verifies the wallet's signature over it, and names its action. */
import { REMOVAL_REASONS, type RemovalReason } from '@service/contract/removal-reasons';
import {
  addressesByName,
  BIND_MINT_ACCOUNTS,
  CREATE_RULE_SET_ACCOUNTS,
  END_GRANT_ACCOUNTS,
  GRANT_PASS_ACCOUNTS,
  ISSUE_TOKENS_ACCOUNTS,
  MEMO_PROGRAM,
  type MessageInstruction,
  PROVE_ACCOUNTS,
  programAddresses,
  RECOVER_ACCOUNTS,
  REDEEM_ACCOUNTS,
  readAccount,
  readOperationInstructions,
  SUSPEND_PASS_ACCOUNTS,
  splitWireTransaction,
  TOKEN_2022_PROGRAM,
  TRANSFER_CHECKED_ACCOUNTS,
} from '@service/protocol';
import { fetchTransaction } from '@service/protocol/absence/finalized-reads';
import { sha256Hex } from '@service/protocol/eligibility/sha256';
import {
  BIND_MINT_INSTRUCTION,
  CREATE_RULE_SET_INSTRUCTION,
  END_GRANT_INSTRUCTION,
  GRANT_PASS_INSTRUCTION,
  getBindMintInstructionDataDecoder,
  getCreateRuleSetInstructionDataDecoder,
  getEndGrantInstructionDataDecoder,
  getGrantPassInstructionDataDecoder,
  getIssueTokensInstructionDataDecoder,
  getProveInstructionDataDecoder,
  getRecoverInstructionDataDecoder,
  getRedeemInstructionDataDecoder,
  getSuspendPassInstructionDataDecoder,
  ISSUE_TOKENS_INSTRUCTION,
  PROVE_INSTRUCTION,
  RECOVER_INSTRUCTION,
  REDEEM_INSTRUCTION,
  SUSPEND_PASS_INSTRUCTION,
} from '@service/protocol/generated';
import {
  type Address,
  getBase58Decoder,
  getBase64Encoder,
  isSolanaError,
  type Signature,
  type TransactionError,
  unwrapOption,
} from '@solana/kit';
import {
  getTransferCheckedInstructionDataDecoder,
  TRANSFER_CHECKED_DISCRIMINATOR,
} from '@solana-program/token';
import { unexpectedError } from '../lib/unexpected-error.ts';
import { callRpc, type OwnRpc } from '../rpc/chain.ts';
import { verifySignature } from '../wallet/verify-signature.ts';
import { type CommonReceiptField, type Receipt, receiptInvalid } from './receipt.ts';

/** A finalized transaction of two instructions, the memo and what follows it, with what a wallet may add to them. */
export interface Landed {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly error: TransactionError | null;
  /** The only signer, which pays. */
  readonly wallet: Address;
  /** Text of the memo. */
  readonly memo: string;
  readonly action: MessageInstruction;
  /** The programs of all instructions in their order. */
  readonly programs: readonly Address[];
  /** SHA-256 of the message, hex. */
  readonly messageDigest: string;
}

/**
 * Reads a finalized transaction, or returns null if the RPC has none with this signature. The RPC is not trusted: the
 * signature must verify over the message under the key that the message names as the wallet.
 *
 * @throws ServiceError RECEIPT_INVALID if it does not have the shape of an operation, or its wallet did not sign it;
 *   RPC_ERROR, ABORTED
 */
export async function readLanded(
  own: OwnRpc,
  signature: Signature,
  signal: AbortSignal | undefined,
): Promise<Landed | null> {
  const found = await callRpc(own, 'getTransaction', signal, async (rpc, options) => {
    const answer = await fetchTransaction(rpc, signature, options);
    if (!answer?.meta) return null;
    const bytes = new Uint8Array(getBase64Encoder().encode(answer.transaction[0]));
    return { slot: answer.slot, err: answer.meta.err, bytes };
  });
  if (!found) return null;
  const wire = splitWireTransaction(found.bytes);
  if (!wire || getBase58Decoder().decode(wire.signature) !== signature) {
    throw receiptInvalid('signature', 'the only one of its transaction', 'that of another transaction');
  }
  const message = decode(wire.message);
  if (!message)
    throw receiptInvalid('signature', 'that of a memo and one action', 'that of another transaction');
  // Only the wallet can have made this signature over this message, whatever the RPC says.
  if (!(await verifySignature(message.wallet, wire.message, wire.signature))) {
    throw receiptInvalid(
      'signature',
      `the wallet's signature over the message that the RPC shows`,
      'a signature over another message',
    );
  }
  return {
    ...message,
    signature,
    slot: found.slot,
    error: found.err,
    messageDigest: await sha256Hex(wire.message),
  };
}

/**
 * Returns what a landed transaction did under a program, or null if it is not one of its operations. A transfer counts if
 * the program has bound the mint, because then the program's hook has checked it.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export async function actionUnder(
  own: OwnRpc,
  program: Address,
  landed: Landed,
  signal: AbortSignal | undefined,
): Promise<Action | null> {
  const action = readAction(program, landed.action);
  if (action?.kind !== 'TRANSFER') return action;
  const address = await programAddresses(program).mintBinding(action.mint);
  const binding = await callRpc(own, 'Reading the mint binding', signal, (rpc, { abortSignal }) =>
    readAccount({ rpc, program, commitment: 'finalized', signal: abortSignal }, 'mintBinding', address),
  );
  return binding?.data.mint === action.mint ? action : null;
}

function decode(bytes: Uint8Array): Pick<Landed, 'wallet' | 'memo' | 'action' | 'programs'> | null {
  const message = readOperationInstructions(bytes);
  if (!message) return null;
  const [memo, action, ...others] = message.instructions;
  if (!action || others.length > 0 || memo?.program !== MEMO_PROGRAM) return null;
  const { wallet, programs } = message;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return { wallet, memo: decoder.decode(memo.data), action, programs };
  } catch {
    return null;
  }
}

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** The part of a receipt that says what was done. */
export type Action = DistributiveOmit<Receipt, CommonReceiptField>;

/** Returns the action in an instruction, or null if it is not an operation of `program`. A transfer is of Token-2022. */
export function readAction(program: Address, instruction: MessageInstruction): Action | null {
  try {
    return instruction.program === program
      ? actionOfProgram(instruction)
      : instruction.program === TOKEN_2022_PROGRAM
        ? transfer(instruction)
        : null;
  } catch (error) {
    // Too few accounts or bytes, or a reason of a newer program.
    if (error instanceof RangeError || isSolanaError(error)) return null;
    throw unexpectedError('Reading the action of a transaction', error);
  }
}

function actionOfProgram({ accounts, data }: MessageInstruction): Action | null {
  switch (data[0]) {
    case CREATE_RULE_SET_INSTRUCTION: {
      const { ruleSet: rule } = addressesByName(CREATE_RULE_SET_ACCOUNTS, accounts);
      // Throws if the data is not that of the instruction.
      getCreateRuleSetInstructionDataDecoder().decode(data);
      return { kind: 'CREATE_RULE_SET', rule };
    }
    case BIND_MINT_INSTRUCTION: {
      const { mint, ruleSet: rule } = addressesByName(BIND_MINT_ACCOUNTS, accounts);
      const { requireSource, terms } = getBindMintInstructionDataDecoder().decode(data);
      const chosen = unwrapOption(terms);
      // Receipts of older clients do not have them.
      const honoursGranted = chosen?.honoursGranted ? (true as const) : undefined;
      const readsCredential = chosen && unwrapOption(chosen.readsCredential) ? (true as const) : undefined;
      return { kind: 'BIND_MINT', mint, rule, requireSource, honoursGranted, readsCredential };
    }
    case PROVE_INSTRUCTION: {
      const { ruleSet: rule, pass } = addressesByName(PROVE_ACCOUNTS, accounts);
      const { expiresAt } = getProveInstructionDataDecoder().decode(data);
      // Without a limit of wallets there are no more accounts. The program accepts no others.
      const [place, replaced] = accounts.slice(Object.keys(PROVE_ACCOUNTS).length);
      return { kind: 'PROVE', rule, pass, passExpiresAt: `${expiresAt}`, place, replaced };
    }
    case ISSUE_TOKENS_INSTRUCTION: {
      const { mint, destination } = addressesByName(ISSUE_TOKENS_ACCOUNTS, accounts);
      const { amount } = getIssueTokensInstructionDataDecoder().decode(data);
      return { kind: 'ISSUE', mint, destination, amount: `${amount}` };
    }
    case RECOVER_INSTRUCTION: {
      const { mint, source, destination } = addressesByName(RECOVER_ACCOUNTS, accounts);
      const { amount, reason } = getRecoverInstructionDataDecoder().decode(data);
      return { kind: 'RECOVER', mint, source, destination, amount: `${amount}`, reason: reasonOf(reason) };
    }
    case REDEEM_INSTRUCTION: {
      const { mint, source } = addressesByName(REDEEM_ACCOUNTS, accounts);
      const { amount, reason } = getRedeemInstructionDataDecoder().decode(data);
      return { kind: 'REDEEM', mint, source, amount: `${amount}`, reason: reasonOf(reason) };
    }
    case SUSPEND_PASS_INSTRUCTION: {
      const { ruleSet: rule, wallet: holder, pass } = addressesByName(SUSPEND_PASS_ACCOUNTS, accounts);
      const { until } = getSuspendPassInstructionDataDecoder().decode(data);
      return { kind: 'SUSPEND', rule, holder, pass, until: `${until}` };
    }
    case GRANT_PASS_INSTRUCTION: {
      const { ruleSet: rule, wallet: holder, pass } = addressesByName(GRANT_PASS_ACCOUNTS, accounts);
      const { expiresAt } = getGrantPassInstructionDataDecoder().decode(data);
      return { kind: 'GRANT', rule, holder, pass, passExpiresAt: `${expiresAt}` };
    }
    case END_GRANT_INSTRUCTION: {
      const { sender, ruleSet: rule, creator, pass } = addressesByName(END_GRANT_ACCOUNTS, accounts);
      getEndGrantInstructionDataDecoder().decode(data);
      // Anyone can end a grant that has expired. Only the creator does it as an operation.
      if (sender !== creator) return null;
      return { kind: 'GRANT', rule, holder: undefined, pass, passExpiresAt: '0' };
    }
    default:
      return null;
  }
}

/** Returns the reason of a code. A landed transaction has one that the program knows. */
function reasonOf(code: number): RemovalReason {
  const reason = REMOVAL_REASONS[code - 1];
  if (!reason) throw new RangeError(`There is no reason ${code}.`);
  return reason;
}

function transfer({ accounts, data }: MessageInstruction): Action | null {
  if (data[0] !== TRANSFER_CHECKED_DISCRIMINATOR) return null;
  const { source, mint, destination } = addressesByName(TRANSFER_CHECKED_ACCOUNTS, accounts);
  const { amount } = getTransferCheckedInstructionDataDecoder().decode(data);
  return { kind: 'TRANSFER', mint, source, destination, amount: `${amount}` };
}

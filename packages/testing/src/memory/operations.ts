/** Operations of the service in memory: prepared, submitted, and brought to their end (SPEC.md sections 3 and 4). */
import {
  type Clause,
  clauseMasks,
  DRAFT_LIFETIME_SECONDS,
  type Operation,
  type OperationKind,
  PENDING_STATES,
} from '@service/contract';
import {
  type Intent,
  memoText,
  operationMessage,
  PlanError,
  planInstruction,
  programAddresses,
  readAccount,
  splitWireTransaction,
  wireTransaction,
} from '@service/protocol';
import {
  type Address,
  getBase58Decoder,
  getBase64Decoder,
  getBase64Encoder,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit';
import { type Answers, type Call, Refusal } from './call.ts';
import type { MemoryState } from './state.ts';

interface Kept {
  operation: Operation;
  readonly intent: Intent;
  readonly message: Uint8Array;
  /** The wallet, the idempotency key and what it stands for. */
  readonly key: string;
  readonly body: string;
  error: unknown;
}

/** The operations of all wallets. */
export class MemoryOperations {
  readonly #state: MemoryState;
  readonly #operations = new Map<string, Kept>();

  constructor(state: MemoryState) {
    this.#state = state;
  }

  readonly answers: Answers = {
    createRuleSet: (call) => this.#prepare('CREATE_RULE_SET', call),
    bindMint: (call) => this.#prepare('BIND_MINT', call),
    prove: (call) => this.#prepare('PROVE', call),
    issue: (call) => this.#prepare('ISSUE', call),
    transfer: (call) => this.#prepare('TRANSFER', call),
    submit: async ({ wallet, body }) => {
      const { operationId, transaction } = body as { operationId: string; transaction: string };
      const kept = this.#find(operationId, wallet!);
      const wire = new Uint8Array(getBase64Encoder().encode(transaction));
      const split = splitWireTransaction(wire);
      if (
        !split ||
        `${split.message}` !== `${kept.message}` ||
        !(await isSignedBy(wallet!, split.signature, split.message))
      ) {
        throw new Refusal('TRANSACTION_MISMATCH');
      }
      this.#expire(kept);
      if (kept.operation.state === 'EXPIRED') throw new Refusal('DRAFT_EXPIRED');
      if (kept.operation.state !== 'DRAFT') return kept.operation;
      this.#assertNothingPending(wallet!);
      const { transaction: _, ...common } = kept.operation;
      const signature = getBase58Decoder().decode(split.signature);
      kept.operation = { ...common, state: 'QUEUED', signature };
      kept.error = await this.#state.program.apply(kept.intent);
      this.#state.chain.land(wire, { wallet: wallet!, memo: memoText(operationId), error: kept.error });
      return kept.operation;
    },
    operation: ({ wallet, id }) => {
      const kept = this.#find(id, wallet!);
      this.#expire(kept);
      const told = kept.operation;
      if (told.state === 'QUEUED') kept.operation = { ...told, state: 'SUBMITTED' };
      else if (told.state === 'SUBMITTED') kept.operation = this.#final(told, kept.error);
      return told;
    },
  };

  #final(told: Extract<Operation, { state: 'SUBMITTED' }>, error: unknown): Operation {
    const { slot } = this.#state.chain.outcomeOf(told.signature)!;
    if (!error) return { ...told, state: 'FINALIZED', slot, indexed: true };
    const failure = { reason: 'ON_CHAIN_ERROR', instruction: 1, message: 'The chain refused it.' } as const;
    return { ...told, state: 'FAILED', slot, failure };
  }

  async #prepare(kind: OperationKind, { body, wallet, key }: Call): Promise<Operation> {
    const text = JSON.stringify([kind, body], (_key, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    const replay = [...this.#operations.values()].find((each) => each.key === `${wallet} ${key}`);
    if (replay) {
      if (replay.body !== text) throw new Refusal('IDEMPOTENCY_CONFLICT');
      this.#expire(replay);
      return replay.operation;
    }
    this.#assertNothingPending(wallet!);
    const intent = intentOf(kind, body, wallet!);
    const operationId = await this.#state.uuid();
    const message = operationMessage({
      wallet: wallet!,
      operationId,
      blockhash: this.#state.chain.blockhash,
      instruction: await this.#plan(intent),
    });
    const createdAt = this.#state.now();
    const operation: Operation = {
      operationId,
      kind,
      wallet: wallet!,
      createdAt,
      expiresAt: createdAt + BigInt(DRAFT_LIFETIME_SECONDS),
      ...(intent.kind === 'CREATE_RULE_SET'
        ? { rule: await programAddresses(this.#state.deployment.program).ruleSet(wallet!, intent.nonce) }
        : {}),
      state: 'DRAFT',
      transaction: getBase64Decoder().decode(wireTransaction(message)),
    };
    this.#operations.set(operationId, {
      operation,
      intent,
      message,
      key: `${wallet} ${key}`,
      body: text,
      error: null,
    });
    return operation;
  }

  async #plan(intent: Intent) {
    if ('rule' in intent && !(await readAccount(this.#state.reader, 'ruleSet', intent.rule))) {
      throw new Refusal('NOT_FOUND', 'There is no rule set at this address.');
    }
    try {
      return await planInstruction(this.#state.reader, intent, { circuitId: this.#state.manifest.circuit });
    } catch (error) {
      if (error instanceof PlanError) throw new Refusal(error.code, error.message);
      throw error;
    }
  }

  #expire(kept: Kept): void {
    const { operation } = kept;
    if (operation.state !== 'DRAFT' || operation.expiresAt > this.#state.now()) return;
    const { transaction: _, ...common } = operation;
    kept.operation = { ...common, state: 'EXPIRED' };
  }

  #find(id: string, wallet: Address): Kept {
    const kept = this.#operations.get(id);
    if (kept?.operation.wallet !== wallet) throw new Refusal('NOT_FOUND');
    return kept;
  }

  #assertNothingPending(wallet: Address): void {
    for (const { operation } of this.#operations.values()) {
      if (operation.wallet === wallet && (PENDING_STATES as readonly string[]).includes(operation.state)) {
        throw new Refusal('SIGNED_OPERATION_PENDING');
      }
    }
  }
}

/** The intent of a decoded request. */
function intentOf(kind: OperationKind, body: object, wallet: Address): Intent {
  const { clauses, proof } = body as { clauses?: Clause[]; proof?: string };
  return {
    ...body,
    kind,
    wallet,
    ...(clauses && { clauses: clauses.map(clauseMasks) }),
    ...(proof && { proof: new Uint8Array(getBase64Encoder().encode(proof)) }),
  } as Intent;
}

/** Whether a signature is the wallet's signature of a message. */
export async function isSignedBy(
  wallet: Address,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  return verifySignature(await getPublicKeyFromAddress(wallet), signature as SignatureBytes, message);
}

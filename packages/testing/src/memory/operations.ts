/** Operations of the service in memory: preparing, submitting and finalizing them (SPEC.md sections 3 and 4). */
import {
  DRAFT_LIFETIME_SECONDS,
  OPERATION_KINDS,
  type Operation,
  type OperationKind,
  PENDING_STATES,
  PREPARING_ROUTES,
  type PreparingRequests,
} from '@service/contract';
import {
  adoptable,
  COMPUTE_UNIT_LIMITS,
  checkPlace,
  checkPower,
  checkRemoval,
  type Intent,
  memoText,
  operationMessage,
  PlanError,
  planInstruction,
  postedIntent,
  priorityFeeLamports,
  programAddresses,
  readAccount,
  splitWireTransaction,
  wireTransaction,
} from '@service/protocol';
import { dateCodeAt } from '@service/protocol/eligibility/date-code';
import { type Address, getBase58Decoder, getBase64Decoder, getBase64Encoder } from '@solana/kit';
import { MAX_PRIORITY_FEE_LAMPORTS } from './fixtures.ts';
import { type Call, type Handlers, Refusal } from './handlers.ts';
import { isSignedBy } from './sign-in.ts';
import type { MemoryState } from './state.ts';

interface StoredOperation {
  operation: Operation;
  readonly intent: Intent;
  readonly message: Uint8Array;
  /** The message that the wallet signed in place of the prepared one. */
  adopted?: Uint8Array;
  /** The wallet and the idempotency key. */
  readonly key: string;
  /** The request that the key belongs to. */
  readonly request: string;
  /** The error of the transaction on chain, or null. */
  error: unknown;
}

/** The operations of all wallets. */
export class MemoryOperations {
  readonly #state: MemoryState;
  readonly #stored = new Map<string, StoredOperation>();

  constructor(state: MemoryState) {
    this.#state = state;
  }

  readonly handlers: Handlers = {
    ...Object.fromEntries(
      OPERATION_KINDS.map((kind) => [PREPARING_ROUTES[kind], (call: Call) => this.#prepare(kind, call)]),
    ),
    adopt: ({ wallet, body }) => {
      const asked = body as { operationId: string; message: string };
      const stored = this.#find(asked.operationId, wallet!);
      const message = new Uint8Array(getBase64Encoder().encode(asked.message));
      if (stored.operation.state === 'EXPIRED') throw new Refusal('DRAFT_EXPIRED');
      if (`${stored.adopted}` === `${message}`) return stored.operation;
      const limits = { guards: true, maxPriorityFeeLamports: MAX_PRIORITY_FEE_LAMPORTS };
      const adoption = adoptable(stored.message, message, { wallet: wallet!, limits });
      if (stored.operation.state !== 'DRAFT' || stored.adopted || !adoption.isAdoptable)
        throw new Refusal('TRANSACTION_MISMATCH');
      this.#assertNothingPending(wallet!);
      stored.adopted = message;
      return stored.operation;
    },
    submit: async ({ wallet, body }) => {
      const { operationId, transaction } = body as { operationId: string; transaction: string };
      const stored = this.#find(operationId, wallet!);
      const wire = new Uint8Array(getBase64Encoder().encode(transaction));
      const split = splitWireTransaction(wire);
      const isPrepared = split && `${split.message}` === `${stored.adopted ?? stored.message}`;
      if (!isPrepared || !(await isSignedBy(wallet!, split.signature, split.message))) {
        throw new Refusal('TRANSACTION_MISMATCH');
      }
      if (stored.operation.state === 'EXPIRED') throw new Refusal('DRAFT_EXPIRED');
      if (stored.operation.state !== 'DRAFT') return stored.operation;
      this.#assertNothingPending(wallet!);
      const { transaction: _, ...common } = stored.operation;
      const signature = getBase58Decoder().decode(split.signature);
      stored.operation = { ...common, state: 'QUEUED', signature };
      stored.error = await this.#state.program.apply(stored.intent);
      this.#state.chain.land(wire, { wallet: wallet!, memo: memoText(operationId), error: stored.error });
      return stored.operation;
    },
    // Each read moves a submitted operation one state on.
    operation: ({ wallet, id }) => {
      const stored = this.#find(id, wallet!);
      const { operation, error } = stored;
      if (operation.state === 'QUEUED') stored.operation = { ...operation, state: 'SUBMITTED' };
      else if (operation.state === 'SUBMITTED') stored.operation = this.#final(operation, error);
      return operation;
    },
  };

  #final(operation: Extract<Operation, { state: 'SUBMITTED' }>, error: unknown): Operation {
    const { slot } = this.#state.chain.landed(operation.signature)!;
    if (!error) return { ...operation, state: 'FINALIZED', slot, indexed: true };
    const message = 'The transaction failed on chain.';
    const failure = { reason: 'ON_CHAIN_ERROR', instruction: 1, message } as const;
    return { ...operation, state: 'FAILED', slot, failure };
  }

  async #prepare<K extends OperationKind>(kind: K, call: Call): Promise<Operation> {
    const wallet = call.wallet!;
    const key = `${wallet} ${call.key}`;
    const request = JSON.stringify([kind, call.body], (_key, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    const earlier = [...this.#stored.values()].find((each) => each.key === key);
    if (earlier) {
      if (earlier.request !== request) throw new Refusal('IDEMPOTENCY_CONFLICT');
      return this.#expire(earlier).operation;
    }
    this.#assertNothingPending(wallet);
    const { chain, deployment } = this.#state;
    const { computeUnitPrice: price, ...asked } = call.body as { computeUnitPrice?: bigint };
    const posted = postedIntent(kind, wallet, asked as PreparingRequests[K]);
    const intent: Intent = posted.kind === 'PROVE' ? { ...posted, asOf: dateCodeAt(chain.time) } : posted;
    const operationId = await this.#state.uuid();
    const instruction = await this.#plan(intent);
    const budget = price ? { limit: COMPUTE_UNIT_LIMITS[kind], price } : undefined;
    if (budget && priorityFeeLamports(budget) > MAX_PRIORITY_FEE_LAMPORTS)
      throw new Refusal('INVALID_REQUEST');
    const draft = { wallet, operationId, blockhash: chain.blockhash, instruction, budget };
    const message = operationMessage(draft);
    const createdAt = this.#state.now();
    const operation: Operation = {
      operationId,
      kind,
      wallet,
      createdAt,
      expiresAt: createdAt + BigInt(DRAFT_LIFETIME_SECONDS),
      ...(intent.kind === 'CREATE_RULE_SET' && {
        rule: await programAddresses(deployment.program).ruleSet(wallet, intent.nonce),
      }),
      state: 'DRAFT',
      transaction: getBase64Decoder().decode(wireTransaction(message)),
    };
    this.#stored.set(operationId, { operation, intent, message, key, request, error: null });
    return operation;
  }

  async #plan(intent: Intent) {
    const { reader, chain } = this.#state;
    const rule = 'rule' in intent ? await readAccount(reader, 'ruleSet', intent.rule) : undefined;
    if (rule === null) throw new Refusal('NOT_FOUND', 'There is no such rule set. Check the address.');
    try {
      if (intent.kind === 'RECOVER' || intent.kind === 'REDEEM') await checkRemoval(reader, intent);
      if (intent.kind === 'PROVE' && rule)
        await checkPlace(reader, intent, { ruleSet: rule.data, chainTime: chain.time });
      if (intent.kind === 'SUSPEND' || intent.kind === 'GRANT') await checkPower(reader, intent, chain.time);
      return await planInstruction(reader, intent, { circuitId: this.#state.manifest.circuit });
    } catch (error) {
      if (error instanceof PlanError) throw new Refusal(error.code, error.message);
      throw error;
    }
  }

  /** Expires a draft whose time is over. */
  #expire(stored: StoredOperation): StoredOperation {
    const { operation } = stored;
    if (operation.state === 'DRAFT' && operation.expiresAt <= this.#state.now()) {
      const { transaction: _, ...common } = operation;
      stored.operation = { ...common, state: 'EXPIRED' };
    }
    return stored;
  }

  #find(id: string, wallet: Address): StoredOperation {
    const stored = this.#stored.get(id);
    if (stored?.operation.wallet !== wallet) throw new Refusal('NOT_FOUND');
    return this.#expire(stored);
  }

  #assertNothingPending(wallet: Address): void {
    for (const { operation } of this.#stored.values()) {
      if (operation.wallet === wallet && (PENDING_STATES as readonly string[]).includes(operation.state)) {
        throw new Refusal('SIGNED_OPERATION_PENDING');
      }
    }
  }
}

import { type Address, getAddressDecoder, getBase58Decoder, lamports, type Transaction } from '@solana/kit';
import {
  EpochSchedule,
  FailedTransactionMetadata,
  LiteSVM,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm';
import type { AccountState, BaseAccounts } from './account-versions.ts';
import { SYSTEM_PROGRAM } from './addresses.ts';
import type { Execution } from './history.ts';
import { SLOTS_PER_EPOCH } from './slots.ts';
import { type TransactionErrorJson, transactionErrorJson } from './svm-errors.ts';

export interface SimulatedExecution extends Execution {
  /** The writable accounts after the transaction; empty if it failed. */
  postAccounts: Map<Address, AccountState>;
}

/** Returns the result of a transaction that is rejected before it runs. */
export function rejected(err: TransactionErrorJson): SimulatedExecution {
  return {
    err,
    logs: [],
    unitsConsumed: 0n,
    innerInstructions: [],
    returnData: null,
    postAccounts: new Map(),
  };
}

/** The Solana virtual machine (litesvm). It runs transactions on its accounts, without slots or history. */
export class Svm implements BaseAccounts {
  /** litesvm accepts only its own newest blockhash, so `Slots` checks blockhashes instead. */
  readonly #svm = new LiteSVM().withNativeMints().withBlockhashCheck(false).withTransactionHistory(0n);

  constructor() {
    this.#svm.setEpochSchedule(new EpochSchedule(SLOTS_PER_EPOCH, SLOTS_PER_EPOCH, false, 0n, 0n));
  }

  read(address: Address): AccountState | null {
    const account = this.#svm.getAccount(address);
    return account.exists ? stateOf(account) : null;
  }

  ownedBy(owner: Address): { address: Address; state: AccountState }[] {
    return this.#svm
      .getProgramAccounts(owner)
      .map((account) => ({ address: account.address, state: stateOf(account) }));
  }

  /** Overwrites an account without the checks of the runtime. null removes it. */
  write(address: Address, state: AccountState | null): void {
    const { lamports: balance, data, owner, executable } = state ?? EMPTY;
    this.#svm.setAccount({
      address,
      lamports: lamports(balance),
      data,
      programAddress: owner,
      executable,
      space: BigInt(data.length),
    });
  }

  /** Overwrites many accounts. Programs come last, because litesvm loads their code from another account. */
  restore(accounts: ReadonlyMap<Address, AccountState | null>): void {
    for (const [address, state] of accounts) if (!state?.executable) this.write(address, state);
    for (const [address, state] of accounts) if (state?.executable) this.write(address, state);
  }

  rentExemptMinimum(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  /** Verifies the signatures of a transaction, executes it and applies its writes. */
  execute(transaction: Transaction): Execution {
    const result = this.#svm.sendTransaction(transaction);
    return result instanceof FailedTransactionMetadata ? failure(result) : execution(result, null);
  }

  /** Executes a transaction without any effect. */
  simulate(transaction: Transaction, { verify }: { verify: boolean }): SimulatedExecution {
    this.#svm.withSigverify(verify);
    try {
      const result = this.#svm.simulateTransaction(transaction);
      if (result instanceof FailedTransactionMetadata) return { ...failure(result), postAccounts: new Map() };
      return { ...execution(result.meta(), null), postAccounts: postAccounts(result) };
    } finally {
      this.#svm.withSigverify(true);
    }
  }
}

const EMPTY: AccountState = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: SYSTEM_PROGRAM,
  executable: false,
};

type SvmAccount = ReturnType<LiteSVM['getProgramAccounts']>[number];

function stateOf(account: SvmAccount): AccountState {
  const { lamports, data, programAddress, executable } = account;
  return { lamports, data: data as Uint8Array, owner: programAddress, executable };
}

function postAccounts(result: SimulatedTransactionInfo): Map<Address, AccountState> {
  return new Map(result.postAccounts().map((account) => [account.address, stateOf(account)]));
}

function failure(failed: FailedTransactionMetadata): Execution {
  return execution(failed.meta(), transactionErrorJson(failed.err()));
}

function execution(meta: TransactionMetadata, err: Execution['err']): Execution {
  const returned = meta.returnData();
  const data = new Uint8Array(returned.data());
  return {
    err,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    innerInstructions: meta
      .innerInstructions()
      .map((instructions, index) => ({
        index,
        instructions: instructions.map((inner) => {
          const instruction = inner.instruction();
          return {
            programIdIndex: instruction.programIdIndex(),
            accounts: [...instruction.accounts()],
            data: getBase58Decoder().decode(instruction.data()),
            stackHeight: inner.stackHeight(),
          };
        }),
      }))
      .filter(({ instructions }) => instructions.length > 0),
    returnData:
      data.length > 0 ? { programId: getAddressDecoder().decode(returned.programId()), data } : null,
  };
}

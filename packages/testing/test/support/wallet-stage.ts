/** A cluster with the stand-in for Lighthouse, and a holder of tokens whose wallet is simulated. */
import { addStandInGuardProgram } from '@service/localnet';
import {
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  operationMessage,
  splitWireTransaction,
  TOKEN_2022_PROGRAM,
  wireTransaction,
} from '@service/protocol';
import {
  createMint,
  memoInstruction,
  type StillLocalnet,
  stillLocalnet,
  tokenAccountOf,
  transferInstruction,
} from '@service/test-support';
import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase64Decoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { getTransferCheckedInstruction } from '@solana-program/token';
import { afterEach, beforeEach } from 'vitest';
import {
  type SimulatedWalletId,
  type SimulatedWalletOptions,
  type SimulatedWalletRpc,
  simulatedWallet,
} from '../../src/index.ts';
import { compileMessage, type Message } from '../../src/transaction-message.ts';
import { readMessage } from '../../src/wallets/message.ts';

export const OPERATION = '3f2b8a3e-5b7e-4c1a-9d3e-0a1b2c3d4e5f';
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';

export interface Stage {
  readonly net: StillLocalnet;
  readonly rpc: SimulatedWalletRpc;
  /** Holds 1.5 tokens, and signs with the simulated wallet. */
  readonly holder: KeyPairSigner;
  readonly other: KeyPairSigner;
  readonly mint: Address;
  /** Token accounts of the holder and of the other. */
  readonly source: Address;
  readonly destination: Address;
}

export let stage: Stage;

/** Gives each test of a file its own stage. */
export function useStage(): void {
  beforeEach(async () => {
    const net = stillLocalnet();
    addStandInGuardProgram(net);
    const [holder, other] = [await net.wallet(), await net.wallet()];
    const mint = await createMint(net, holder, { program: TOKEN_2022_PROGRAM, holders: [other.address] });
    const [source, destination] = await Promise.all(
      [holder, other].map(({ address }) => tokenAccountOf(TOKEN_2022_PROGRAM, mint, address)),
    );
    net.advanceSlots(1);
    stage = { net, rpc: net.rpc as never, holder, other, mint, source: source!, destination: destination! };
  });
  afterEach(() => stage.net.stop());
}

export const simulated = (id: SimulatedWalletId, options: SimulatedWalletOptions = {}) =>
  simulatedWallet(id, stage.holder, { rpc: stage.rpc, ...options });

/** A transfer of a tenth of a token, by default of the holder. */
export function tokenTransfer(authority = stage.holder): Instruction {
  const { holder, mint, source: mine, destination: theirs } = stage;
  const [source, destination] = authority === holder ? [mine, theirs] : [theirs, mine];
  const input = { source, mint, destination, authority, amount: 100_000n, decimals: 6 };
  return getTransferCheckedInstruction(input, { programAddress: TOKEN_2022_PROGRAM });
}

/** The holder's transfer of 1,000 lamports. */
export const solTransfer = (): Instruction =>
  transferInstruction(stage.holder.address, stage.other.address, 1_000n);

async function newestBlockhash(): Promise<string> {
  const { value } = await stage.net.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
  return value.blockhash;
}

/** Returns the unsigned transaction of an operation as the service prepares it: the memo, then the action. */
export async function prepared(instruction: Instruction): Promise<Uint8Array> {
  const { address: wallet } = stage.holder;
  const blockhash = await newestBlockhash();
  return wireTransaction(operationMessage({ wallet, operationId: OPERATION, blockhash, instruction }));
}

/** Returns an unsigned transaction with instructions in this order. */
export async function transactionOf(instructions: readonly Instruction[]): Promise<Uint8Array> {
  const blockhash = await newestBlockhash();
  const message = {
    version: 0,
    feePayer: stage.holder.address,
    blockhash,
    instructions,
  } as unknown as Message;
  return wireTransaction(compileMessage(message));
}

export const memo = (): Instruction => memoInstruction('a memo');

/** Reads a transaction with one signature. */
export function read(wire: Uint8Array): Message {
  return readMessage(splitWireTransaction(wire)!.message)!;
}

/** Returns a short name of each instruction, and the bytes of its data. */
export function shapeOf(wire: Uint8Array): string[] {
  const names: Record<string, string> = {
    [COMPUTE_BUDGET_PROGRAM]: 'budget',
    [LIGHTHOUSE_PROGRAM]: 'guard',
    [MEMO_PROGRAM]: 'memo',
  };
  return read(wire).instructions.map(
    ({ programAddress, data }) => `${names[programAddress] ?? 'action'} ${data.length}`,
  );
}

/** Returns the instructions that the service prepared: neither guards nor budget. */
export function operationOf(wire: Uint8Array) {
  return read(wire).instructions.filter(
    ({ programAddress }) =>
      programAddress !== COMPUTE_BUDGET_PROGRAM && programAddress !== LIGHTHOUSE_PROGRAM,
  );
}

/** Sends a signed transaction. Returns its error, null if it succeeded, or `dropped` if it did not land. */
export async function land(wire: Uint8Array): Promise<unknown> {
  const encoded = getBase64Decoder().decode(wire) as Base64EncodedWireTransaction;
  await stage.net.sendRaw({ wire: encoded });
  const status = await stage.net.statusOf(getSignatureFromTransaction(getTransactionDecoder().decode(wire)));
  return status ? status.err : 'dropped';
}

/** Moves tokens to the other, paid by the holder, without the simulated wallet. */
export async function spendTokens(times = 1): Promise<void> {
  for (let done = 0; done < times; done++) {
    stage.net.advanceSlots(1);
    await stage.net.land([stage.holder], [tokenTransfer()]);
  }
}

/** Moves tokens to the holder, paid by the other. */
export async function receiveTokens(): Promise<void> {
  await stage.net.land([stage.other], [tokenTransfer(stage.other)]);
}

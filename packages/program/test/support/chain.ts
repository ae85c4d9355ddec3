/**
 * A chain with the committed program.so and nothing else: keys from fixed seeds, a clock that does not move until it is
 * moved, transactions that say what they did, and the state of all accounts to compare.
 *
 * The program is deployed by the loader's own instruction, with every feature of the runtime active: a cluster activates
 * them one after the other, and the strictest rules come last.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addressBytes } from '@service/contract';
import { deployInstruction } from '@service/deploy';
import { DEVELOPMENT_PROGRAM, TOKEN_2022_PROGRAM, UPGRADEABLE_LOADER } from '@service/protocol';
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createNoopSigner,
  createTransactionMessage,
  getAddressDecoder,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  type ReadonlyUint8Array,
  setTransactionMessageFeePayer,
  signBytes,
} from '@solana/kit';
import { FeatureSet, LiteSVM } from 'litesvm';
import { LiteSvm } from 'litesvm/dist/internal.js';
import { type ExpectedError, expectDone, expectRejected, type Outcome, outcomeOf } from './outcome.ts';

export const PROGRAM = DEVELOPMENT_PROGRAM;
/** Unix seconds at which every chain begins: 2025-10-09T08:53:20Z. */
export const NOW = 1_760_000_000n;
export const HOUR = 3_600n;
export const DAY = 86_400n;
export const SOL = 1_000_000_000n;
/** Genesis hash that initialize is given. */
export const GENESIS_HASH = new Uint8Array(32).fill(7);

/** How the state of a buffer begins. */
const BUFFER_TAG = [1, 0, 0, 0];
export const SO = new URL('../../artifact/program.so', import.meta.url);

const keys = new Map<string, Promise<KeyPairSigner>>();
const signers = new Map<Address, KeyPairSigner>();

/** Returns the key of a name, the same in every run. It signs every transaction that names it as a signer. */
export async function keyOf(name: string): Promise<KeyPairSigner> {
  const made = keys.get(name) ?? createKeyPairSignerFromPrivateKeyBytes(seedOf(name));
  keys.set(name, made);
  const signer = await made;
  signers.set(signer.address, signer);
  return signer;
}

/** The ed25519 seed of the key of a name, 32 bytes. */
export function seedOf(name: string): Uint8Array {
  return createHash('sha256').update(`program test ${name}`).digest();
}

export async function addressOf(name: string): Promise<Address> {
  return (await keyOf(name)).address;
}

/** Returns the key of a name as a signer for the builders of instructions; {@link Chain.send} makes the signature. */
export async function noop(name: string) {
  return createNoopSigner(await addressOf(name));
}

const addresses = new Map<string, Address>();

/** Base58 is slow, and the same addresses come again after each transaction. */
function addressFrom(bytes: Uint8Array): Address {
  const key = Buffer.from(bytes).toString('latin1');
  const address = addresses.get(key) ?? getAddressDecoder().decode(bytes);
  addresses.set(key, address);
  return address;
}

export interface Account {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
}

/** What can be sent: instructions, or a promise of them. */
export type Sendable = Instruction | readonly Instruction[] | Promise<Instruction | readonly Instruction[]>;

const FEE_PAYER = await keyOf('fee payer');
/** A wallet without any right. */
export const UNRELATED_WALLET = await addressOf('unrelated wallet');
/** The account in which the loader keeps the program's code and its upgrade authority. */
export const [PROGRAM_DATA] = await getProgramDerivedAddress({
  programAddress: UPGRADEABLE_LOADER,
  seeds: [addressBytes(PROGRAM)],
});

export class Chain {
  #svm: LiteSVM;
  /** The state after the last transaction, until something else changes it. */
  #state: Record<string, string> | null = null;
  readonly feePayer = FEE_PAYER;

  constructor(svm = new LiteSVM().withTransactionHistory(0n)) {
    this.#svm = svm;
  }

  /** A chain without the program. */
  static empty(svm = withAllFeatures()): Chain {
    const chain = new Chain(svm.withTransactionHistory(0n));
    chain.setTime(NOW);
    chain.fund(chain.feePayer.address, 1_000n * SOL);
    return chain;
  }

  /** A chain on which the loader has deployed the program, with an upgrade authority, and nothing is set up. */
  static async deployed(upgradeAuthority: Address, svm?: LiteSVM): Promise<Chain> {
    const chain = Chain.empty(svm);
    await chain.deploy(readFileSync(SO), upgradeAuthority);
    return chain;
  }

  /** Deploys a program as the loader does, from a buffer that is written here. */
  async deploy(elf: Uint8Array, authority: Address): Promise<void> {
    const buffer = await addressOf('buffer');
    const written = Uint8Array.of(...BUFFER_TAG, 1, ...addressBytes(authority));
    const accounts: [Address, Uint8Array][] = [
      [buffer, Buffer.concat([written, elf])],
      [PROGRAM, new Uint8Array(36)],
    ];
    for (const [address, data] of accounts)
      this.write(address, { lamports: this.rentOf(data.length), owner: UPGRADEABLE_LOADER, data });
    const outcome = await this.submit(
      deployInstruction({
        payer: this.feePayer.address,
        programData: PROGRAM_DATA,
        program: PROGRAM,
        buffer,
        authority,
        maxDataLength: elf.length,
      }),
    );
    if (outcome.refusal) throw new Error(`the loader rejects the program: ${outcome.refusal.text}`);
    // A program can be called from the slot after its deployment.
    this.#svm.warpToSlot(this.#svm.getClock().slot + 1n);
  }

  addProgram(address: Address, elf: Uint8Array): void {
    this.#state = null;
    this.#svm.addProgram(address, elf);
  }

  /** Returns the state of the chain, for {@link Chain.from} and {@link Chain.load}. */
  save(): Uint8Array {
    return this.#svm.toBytes();
  }

  static from(saved: Uint8Array): Chain {
    return new Chain(read(saved));
  }

  load(saved: Uint8Array): void {
    this.#state = null;
    this.#svm = read(saved);
  }

  /** Writes the upgrade authority into ProgramData; null: the program cannot be upgraded any more. */
  setUpgradeAuthority(authority: Address | null): void {
    this.patch(PROGRAM_DATA, 12, authority ? [1, ...addressBytes(authority)] : new Uint8Array(33));
  }

  get time(): bigint {
    return this.#svm.getClock().unixTimestamp;
  }

  setTime(unixSeconds: bigint): void {
    const clock = this.#svm.getClock();
    clock.unixTimestamp = unixSeconds;
    this.#svm.setClock(clock);
  }

  rentOf(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  fund(address: Address, amount: bigint): void {
    this.#state = null;
    this.#svm.airdrop(address, lamports(amount));
  }

  account(address: Address): Account | null {
    const found = this.#svm.getAccount(address);
    if (!found.exists) return null;
    return { lamports: found.lamports, owner: found.programAddress, data: Uint8Array.from(found.data) };
  }

  /** The data of an account that must be there. */
  data(address: Address): Uint8Array {
    const account = this.account(address);
    if (!account) throw new Error(`No account exists at ${address}. Create it first.`);
    return account.data;
  }

  lamports(address: Address): bigint {
    return this.account(address)?.lamports ?? 0n;
  }

  /** Returns the lamports of an account above the rent of its size. */
  aboveRent(address: Address): bigint {
    return this.lamports(address) - this.rentOf(this.data(address).length);
  }

  /** Writes an account that no transaction can create. */
  write(address: Address, account: Account): void {
    const { owner, data } = account;
    this.#state = null;
    this.#svm.setAccount({
      address,
      lamports: lamports(account.lamports),
      data,
      programAddress: owner,
      executable: false,
      space: BigInt(data.length),
    });
  }

  patch(address: Address, offset: number, bytes: ReadonlyUint8Array | number[]): void {
    const account = this.account(address)!;
    const data = Uint8Array.from(account.data);
    data.set(bytes, offset);
    this.write(address, { ...account, data });
  }

  /**
   * Sends one transaction. A fee payer that no instruction names pays, so that an account signs and is writable only
   * when its instruction says so; every known key signs where its signature is asked for.
   */
  async send(...instructions: readonly Sendable[]): Promise<Outcome> {
    const all = (await Promise.all(instructions)).flat();
    const before = this.#state ?? this.state();
    const outcome = await this.submit(...all);
    const after = this.state();
    this.#state = after;
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (at) => before[at] !== after[at],
    );
    return { ...outcome, changed };
  }

  /** Sends one transaction. Fails the test, with the logs, unless it succeeds. */
  async confirm(...instructions: readonly Sendable[]): Promise<Outcome> {
    return expectDone(await this.send(...instructions));
  }

  /** Sends one transaction. Fails the test unless its last instruction is rejected and no account changes. */
  async reject(error: ExpectedError, ...instructions: readonly Sendable[]): Promise<void> {
    const all = (await Promise.all(instructions)).flat();
    await this.rejectAt(all.length - 1, error, ...all);
  }

  /** Like {@link Chain.reject}, for the instruction at `index`. */
  async rejectAt(index: number, error: ExpectedError, ...instructions: readonly Sendable[]): Promise<void> {
    expectRejected(await this.send(...instructions), error, index);
  }

  /** Sends one transaction like {@link Chain.send}, but does not return what it changed. */
  async submit(...instructions: readonly Instruction[]): Promise<Omit<Outcome, 'changed'>> {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayer(this.feePayer.address, draft),
      (draft) => this.#svm.setTransactionMessageLifetimeUsingLatestBlockhash(draft),
      (draft) => appendTransactionMessageInstructions(instructions.map(unsigned), draft),
    );
    const compiled = compileTransaction(message);
    const signatures = { ...compiled.signatures };
    for (const at of Object.keys(signatures) as Address[]) {
      const signer = signers.get(at);
      // kit's own signing exports the public key of each signer each time, which takes longer than the signature.
      if (signer) signatures[at] = await signBytes(signer.keyPair.privateKey, compiled.messageBytes);
    }
    const transaction = { ...compiled, signatures };
    this.#state = null;
    const outcome = outcomeOf(this.#svm.sendTransaction(transaction));
    this.#svm.expireBlockhash();
    return outcome;
  }

  /** Every account that a program owns, with its address. */
  accountsOf(owner: Address): [Address, Account][] {
    const { inner } = this.#svm as unknown as { inner: LiteSvm };
    return inner.getProgramAccounts(addressBytes(owner)).map((found) => {
      const account = found.account();
      const data = Uint8Array.from(account.data());
      return [addressFrom(found.address), { lamports: account.lamports(), owner, data }];
    });
  }

  /** Every account of the program and of Token-2022 by address, each written out. */
  state(): Record<string, string> {
    const accounts = [PROGRAM, TOKEN_2022_PROGRAM].flatMap((owner) => this.accountsOf(owner));
    return Object.fromEntries(
      accounts.map(([address, { owner, lamports: balance, data }]) => [
        address,
        `${owner} ${balance} ${createHash('sha256').update(data).digest('hex')}`,
      ]),
    );
  }
}

/** A runtime with every feature. What depends on features is added again. */
function withAllFeatures(): LiteSVM {
  return new LiteSVM()
    .withFeatureSet(FeatureSet.allEnabled())
    .withBuiltins()
    .withPrecompiles()
    .withDefaultPrograms();
}

function read(saved: Uint8Array): LiteSVM {
  // LiteSVM.fromBytes first makes a new chain and drops it, which takes longer than reading the saved one.
  const svm = Object.create(LiteSVM.prototype) as { inner: unknown };
  svm.inner = LiteSvm.fromBytes(saved);
  return svm as unknown as LiteSVM;
}

/** The same instruction without signers attached: what must sign is said by the roles alone. */
function unsigned(instruction: Instruction): Instruction {
  const accounts = (instruction.accounts ?? []).map(({ address, role }) => ({ address, role }));
  return { ...instruction, accounts } as Instruction;
}

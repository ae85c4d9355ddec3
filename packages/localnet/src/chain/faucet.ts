import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { COMPUTE_BUDGET, SYSTEM_PROGRAM } from './addresses.ts';
import type { Chain } from './chain.ts';
import { type DecodedTransaction, decodeTransaction } from './transaction.ts';

/** Enough compute units for a transfer and for setting the limit. */
const MIN_UNIT_LIMIT = 1_000;
const ED25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Initial balance of the faucet: 500 million SOL, as on a test validator. */
const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n;

/** The account that pays airdrops, by ordinary signed transfers. */
export class Faucet {
  readonly address: Address;
  readonly #chain: Chain;
  readonly #key: KeyObject;
  #repeats = 0;

  constructor(chain: Chain, seed: string) {
    const secret = createHash('sha256').update(`faucet:${seed}`).digest();
    this.#chain = chain;
    this.#key = createPrivateKey({
      key: Buffer.concat([ED25519_PKCS8_PREFIX, secret]),
      format: 'der',
      type: 'pkcs8',
    });
    const publicKey = createPublicKey(this.#key).export({ format: 'der', type: 'spki' });
    this.address = getAddressDecoder().decode(publicKey.subarray(-32));
    // A chain from a journal already has the account.
    if (!chain.account(this.address, chain.slots.open)) chain.endow(this.address, FAUCET_LAMPORTS);
  }

  /**
   * Returns a signed transfer to an account. If the same airdrop has already landed in this slot, it adds a compute unit
   * limit, because the same message lands only once.
   */
  transfer(to: Address, lamports: bigint): DecodedTransaction {
    const instructions = [transferInstruction(this.address, to, lamports)];
    const plain = this.#sign(instructions);
    if (!this.#chain.slots.hasLanded(plain.message.lifetimeToken, plain.messageHash)) return plain;
    this.#repeats += 1;
    return this.#sign([unitLimitInstruction(MIN_UNIT_LIMIT + this.#repeats), ...instructions]);
  }

  #sign(instructions: Instruction[]): DecodedTransaction {
    const { slots } = this.#chain;
    const compiled = pipe(
      createTransactionMessage({ version: 'legacy' }),
      (message) => setTransactionMessageFeePayer(this.address, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(slots.latestBlockhash(slots.open), message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      (message) => compileTransaction(message),
    );
    const signature = new Uint8Array(sign(null, Buffer.from(compiled.messageBytes), this.#key));
    const signed = { ...compiled, signatures: { [this.address]: signature as SignatureBytes } };
    return decodeTransaction(new Uint8Array(getTransactionEncoder().encode(signed)));
  }
}

function transferInstruction(from: Address, to: Address, lamports: bigint): Instruction {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, 2, true);
  view.setBigUint64(4, lamports, true);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: from, role: AccountRole.WRITABLE_SIGNER },
      { address: to, role: AccountRole.WRITABLE },
    ],
    data,
  };
}

function unitLimitInstruction(units: number): Instruction {
  const data = new Uint8Array(5);
  data[0] = 2;
  new DataView(data.buffer).setUint32(1, units, true);
  return { programAddress: COMPUTE_BUDGET, data };
}

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  type Signature,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Chain } from './chain.ts';
import { BLOCKHASH_LIFETIME_SLOTS } from './slots.ts';
import { type DecodedTransaction, decodeTransaction } from './transaction.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;
const ED25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** What the faucet starts with: 500 million SOL, as on a test validator. */
const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n;

/** The account that airdrops are paid from, by ordinary signed transfers. */
export class Faucet {
  readonly address: Address;
  readonly #chain: Chain;
  readonly #key: KeyObject;

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
    chain.endow(this.address, FAUCET_LAMPORTS);
  }

  /**
   * A signed transfer to an account. Equal airdrops in one slot take different blockhashes, so that
   * each is a transaction of its own. Throws when 151 equal ones came within 151 slots.
   */
  transfer(to: Address, lamports: bigint): DecodedTransaction {
    const { slots } = this.#chain;
    const oldest = slots.open - BLOCKHASH_LIFETIME_SLOTS;
    for (let slot = slots.open; slot >= oldest && slot >= slots.genesisSlot; slot--) {
      const decoded = this.#sign(to, lamports, slots.latestBlockhash(slot));
      if (!slots.hasLanded(decoded.message.lifetimeToken, decoded.messageHash)) return decoded;
    }
    throw new Error('Too many equal airdrops within the life of a blockhash: ask for another amount');
  }

  #sign(to: Address, lamports: bigint, lifetime: ReturnType<Chain['slots']['latestBlockhash']>) {
    const compiled = pipe(
      createTransactionMessage({ version: 'legacy' }),
      (message) => setTransactionMessageFeePayer(this.address, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstruction(this.#instruction(to, lamports), message),
      (message) => compileTransaction(message),
    );
    const signature = new Uint8Array(sign(null, Buffer.from(compiled.messageBytes), this.#key));
    const signed = { ...compiled, signatures: { [this.address]: signature as SignatureBytes } };
    return decodeTransaction(new Uint8Array(getTransactionEncoder().encode(signed)));
  }

  #instruction(to: Address, lamports: bigint): Instruction {
    const data = new Uint8Array(12);
    const view = new DataView(data.buffer);
    view.setUint32(0, 2, true);
    view.setBigUint64(4, lamports, true);
    return {
      programAddress: SYSTEM_PROGRAM,
      accounts: [
        { address: this.address, role: AccountRole.WRITABLE_SIGNER },
        { address: to, role: AccountRole.WRITABLE },
      ],
      data,
    };
  }

  /** Lands a transfer in the open slot. */
  airdrop(to: Address, lamports: bigint): Signature {
    const decoded = this.transfer(to, lamports);
    const landed = this.#chain.land(decoded);
    if (!landed || landed.err !== null)
      throw new Error(`The faucet could not send ${lamports} lamports to ${to}`);
    return landed.signature;
  }
}

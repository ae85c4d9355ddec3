/** The witness in encrypted form, for a file or a storage of the browser. */
import type { Witness } from '@service/contract';
import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { type Deployment, parseDeployment } from '../deployment.ts';
import { parseWitness, unusable } from '../eligibility/witness.ts';
import { checkWitnessOf } from '../eligibility/witness-owner.ts';
import { ServiceError } from '../errors.ts';
import { addressOf, checkAddresses, checkObject, invalidArgument } from '../lib/check-arguments.ts';
import { requirePlatform } from '../platform/check-platform.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { keyOfPassphrase, keyOfSignature } from './keys.ts';

/** What opens a saved witness: a passphrase, or a signature of the wallet. */
export type WitnessLock =
  | {
      /** At least 12 characters. Nobody can recover it. */
      readonly passphrase: string;
      /** Cannot be combined with a passphrase. */
      readonly signer?: undefined;
    }
  | {
      /** The wallet, which signs a fixed message twice when it saves, and once when it opens. */
      readonly signer: Wallet;
      /** Cannot be combined with a signer. */
      readonly passphrase?: undefined;
      /** The origin that the message names. @default that of the page */
      readonly origin?: string | undefined;
    };

/** Options of {@link saveWitness}. */
export type SaveWitnessOptions = WitnessLock & {
  /** The witness to save. */
  readonly witness: Witness;
  /** The deployment that you pin. */
  readonly deployment: Deployment;
};

/** Options of {@link openWitness}. */
export type OpenWitnessOptions = WitnessLock & {
  /** What `saveWitness` returned. */
  readonly saved: string;
  /** The deployment that you pin. */
  readonly deployment: Deployment;
  /** Base58 address of the wallet that the witness must belong to. */
  readonly wallet: Address;
};

/** Begins each saved witness, and names its version. */
const PREFIX = 'witness1.';
const [PASSPHRASE, SIGNATURE] = [1, 2];
/** The header: kind of the lock, salt, nonce, wallet, genesis hash, program. All of it is authenticated. */
const [SALT, NONCE, WALLET, HEADER] = [1, 17, 29, 125];
/** Each witness is filled up to this, so that the length says nothing about the person. */
const PLAIN = 510;
const TAG = 16;
const TOTAL = HEADER + PLAIN + TAG;
/** A multiple of 3 bytes is base64 without padding, so each text has one form. */
const TEXT = new RegExp(`^[\\w-]{${(TOTAL / 3) * 4}}$`);

/**
 * Encrypts a witness under a passphrase (PBKDF2-SHA-256, 600,000 rounds) or under a signature of the wallet (HKDF-SHA-256),
 * with AES-256-GCM. Returns text for a file, for `localStorage` or for IndexedDB. It shows which wallet on which deployment it
 * belongs to, and nothing else. Whoever has both the text and what opens it knows the witness (SPEC.md section 1).
 *
 * Use a wallet only if it signs deterministically, as RFC 8032 says: the call asks it twice, and refuses one that does not.
 *
 * @throws ServiceError INVALID_ARGUMENT (also for a short passphrase, and for a wallet that signs differently each time),
 *   WITNESS_INVALID, WALLET_MISMATCH if the witness belongs to another wallet than `signer`, WALLET_REJECTED,
 *   WALLET_SIGNATURE_INVALID, WALLET_CANNOT_SIGN_MESSAGES, UNSUPPORTED_PLATFORM
 * @example
 * localStorage.setItem('witness', await saveWitness({ witness, deployment, passphrase: 'correct horse battery' }));
 */
export async function saveWitness(options: SaveWitnessOptions): Promise<string> {
  requirePlatform();
  checkObject('options', options, 'an object: { witness, deployment, passphrase }');
  const deployment = parseDeployment(options.deployment);
  const witness = parseWitness(options.witness);
  const wallet = witness.wallet as Address;
  const header = new Uint8Array(HEADER);
  header[0] = options.signer ? SIGNATURE : PASSPHRASE;
  crypto.getRandomValues(header.subarray(SALT, WALLET));
  header.set(headerFacts(wallet, deployment), WALLET);
  const plain = new Uint8Array(PLAIN).fill(32); // spaces, which JSON ignores
  const bytes = new TextEncoder().encode(JSON.stringify(witness));
  if (bytes.length > PLAIN) throw unusable(`it has ${bytes.length} bytes, and no witness has over ${PLAIN}`);
  plain.set(bytes);
  bytes.fill(0);
  const key = await keyOf(options, { wallet, deployment, salt: header.subarray(SALT, NONCE), isNew: true });
  const sealed = await crypto.subtle.encrypt(parametersOf(header), key, plain);
  plain.fill(0);
  return PREFIX + toText(Uint8Array.from([...header, ...new Uint8Array(sealed)]));
}

/**
 * Decrypts what {@link saveWitness} returned, with the same passphrase or wallet. Refuses a text of another wallet or
 * deployment before it asks for a signature (SPEC.md section 1).
 *
 * @throws ServiceError INVALID_ARGUMENT, WALLET_MISMATCH if it belongs to another wallet, WITNESS_LOCKED whose `reason` says why
 *   it cannot be opened, WITNESS_INVALID if something other than a witness was saved in this form, WALLET_REJECTED, WALLET_SIGNATURE_INVALID, WALLET_CANNOT_SIGN_MESSAGES, UNSUPPORTED_PLATFORM
 * @example
 * const saved = localStorage.getItem('witness') ?? '';
 * const witness = await openWitness({ saved, deployment, wallet: wallet.address, passphrase: 'correct horse battery' });
 */
export async function openWitness(options: OpenWitnessOptions): Promise<Witness> {
  requirePlatform();
  checkObject('options', options, 'an object: { saved, deployment, wallet, passphrase }');
  const deployment = parseDeployment(options.deployment);
  const { saved, wallet } = options;
  checkAddresses({ wallet });
  const bytes = fromText(saved);
  if (!bytes || (bytes[0] !== PASSPHRASE && bytes[0] !== SIGNATURE)) throw locked('malformed');
  const header = bytes.slice(0, HEADER);
  const owner = getAddressDecoder().decode(header, WALLET);
  if (owner !== wallet) checkWitnessOf(wallet, { wallet: owner } as Witness);
  if (!isEqual(header.subarray(WALLET), headerFacts(wallet, deployment))) throw locked('deployment');
  if ((header[0] === SIGNATURE) !== (options.signer !== undefined)) {
    throw invalidArgument(
      header[0] === SIGNATURE ? 'signer' : 'passphrase',
      `This witness was saved with a ${header[0] === SIGNATURE ? 'signature of the wallet: pass signer' : 'passphrase: pass it'}.`,
    );
  }
  const key = await keyOf(options, { wallet, deployment, salt: header.subarray(SALT, NONCE), isNew: false });
  let plain: Uint8Array;
  try {
    plain = new Uint8Array(await crypto.subtle.decrypt(parametersOf(header), key, bytes.slice(HEADER)));
  } catch {
    throw locked('key');
  }
  // Bytes that are not UTF-8 become characters that no witness has.
  const witness = parseWitness(new TextDecoder().decode(plain));
  plain.fill(0);
  checkWitnessOf(wallet, witness);
  return witness;
}

/** Returns what the header says of the wallet and the deployment. */
function headerFacts(wallet: Address, { genesisHash, program }: Deployment): Uint8Array {
  const encode = (text: string) => getAddressEncoder().encode(text as Address);
  return Uint8Array.from([...encode(wallet), ...encode(genesisHash), ...encode(program)]);
}

interface KeyFor {
  readonly wallet: Address;
  readonly deployment: Deployment;
  readonly salt: Uint8Array<ArrayBuffer>;
  /** Whether the wallet must show that it signs deterministically. */
  readonly isNew: boolean;
}

function keyOf(lock: WitnessLock, { wallet, deployment, salt, isNew }: KeyFor): Promise<CryptoKey> {
  if (lock.signer === undefined) return keyOfPassphrase(lock.passphrase, salt);
  if (lock.passphrase !== undefined) throw invalidArgument('signer', 'Pass either passphrase or signer.');
  const signer = addressOf(lock.signer);
  if (typeof signer === 'string' && signer !== wallet)
    checkWitnessOf(signer as Address, { wallet } as Witness);
  return keyOfSignature(lock.signer, { wallet, deployment, salt, isNew, origin: lock.origin });
}

const parametersOf = (header: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv: header.slice(NONCE, WALLET),
  additionalData: Uint8Array.from([...new TextEncoder().encode(PREFIX), ...header]),
  tagLength: 8 * TAG,
});

const REASONS = {
  malformed:
    'The text is not a saved witness, or a part of it is missing. Use the whole text that saveWitness returned.',
  deployment:
    'The witness was saved for another deployment: another program or cluster. Open it there, or verify again.',
  key: 'The passphrase or the wallet is wrong, or the text was changed. Try again, or verify again.',
} as const;

function locked(reason: keyof typeof REASONS): ServiceError {
  return new ServiceError('WITNESS_LOCKED', { message: REASONS[reason], context: { reason } });
}

function toText(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

function fromText(text: unknown): Uint8Array<ArrayBuffer> | null {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) return null;
  const encoded = text.slice(PREFIX.length);
  if (!TEXT.test(encoded)) return null;
  const base64 = encoded.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

const isEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

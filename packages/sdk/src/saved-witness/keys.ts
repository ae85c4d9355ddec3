/** The keys of saved witnesses. */
import type { Address } from '@solana/kit';
import type { Deployment } from '../deployment.ts';
import { invalidArgument } from '../lib/check-arguments.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';

/** Rounds of PBKDF2 with SHA-256: what OWASP asks for. Version 1 has exactly these. */
const ROUNDS = 600_000;
const MIN_CHARACTERS = 12;
const AES = { name: 'AES-GCM', length: 256 };
const USES: KeyUsage[] = ['encrypt', 'decrypt'];

/** Returns the key of a passphrase. Throws ServiceError INVALID_ARGUMENT. */
export async function keyOfPassphrase(
  passphrase: unknown,
  salt: Uint8Array<ArrayBuffer>,
): Promise<CryptoKey> {
  // The same text typed on another keyboard can have other code points.
  const text = typeof passphrase === 'string' ? passphrase.normalize('NFKC') : '';
  if ([...text].length < MIN_CHARACTERS) {
    throw invalidArgument(
      'passphrase',
      `passphrase must be a string of at least ${MIN_CHARACTERS} characters.`,
    );
  }
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(text), 'PBKDF2', false, [
    'deriveKey',
  ]);
  const rounds = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS };
  return crypto.subtle.deriveKey(rounds, secret, AES, false, USES);
}

/** What the message of {@link keyOfSignature} names. */
interface Named {
  readonly wallet: Address;
  readonly deployment: Deployment;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly isNew: boolean;
  readonly origin: string | undefined;
}

/**
 * Returns the key of a wallet's signature. RFC 8032 makes a signature the same each time, but a wallet in hardware or of several
 * parties can add randomness, and could never open what it saved. So a new key asks the wallet twice.
 *
 * @throws ServiceError INVALID_ARGUMENT, WALLET_REJECTED, WALLET_SIGNATURE_INVALID, WALLET_CANNOT_SIGN_MESSAGES
 */
export async function keyOfSignature(
  wallet: Wallet,
  { wallet: address, deployment, salt, isNew, origin = globalThis.location?.origin }: Named,
): Promise<CryptoKey> {
  const signer = signerOf(wallet);
  if (!/^https?:\/\/[^/]+$/.test(origin ?? '')) {
    throw invalidArgument('origin', 'origin must be the origin of your site, such as https://app.example.');
  }
  const message = new TextEncoder().encode(unlockMessage(origin!, address, deployment));
  const signature = await signer.signMessage(message);
  if (isNew) {
    const again = await signer.signMessage(message);
    if (again.some((byte, index) => byte !== signature[index])) {
      throw invalidArgument(
        'signer',
        'This wallet signs the same message differently each time, so it could never open the witness again. Use a passphrase.',
      );
    }
  }
  const secret = await crypto.subtle.importKey('raw', new Uint8Array(signature), 'HKDF', false, [
    'deriveKey',
  ]);
  const info = new TextEncoder().encode('saved witness 1');
  return crypto.subtle.deriveKey({ name: 'HKDF', hash: 'SHA-256', salt, info }, secret, AES, false, USES);
}

/** Returns the message. A sign-in message begins with other words, and no transaction begins with a letter. */
function unlockMessage(origin: string, wallet: Address, { genesisHash, program }: Deployment): string {
  return [
    `Open the witness that ${origin} saved on this device.`,
    '',
    `The signature is the key to your personal data. Sign only if you are on ${origin}.`,
    'It does not sign you in, and it moves nothing.',
    '',
    `Wallet: ${wallet}`,
    `Program: ${program}`,
    `Genesis hash: ${genesisHash}`,
    'Version: 1',
  ].join('\n');
}

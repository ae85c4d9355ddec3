/** Keys that stay in a key service, which signs over HTTP. */
import { addressBytes } from '@service/contract';
import type { Address } from '@solana/kit';
import nacl from 'tweetnacl';
import { type ApiCall, ApiError, callApi } from '../call-api.ts';
import { type AttestationKey, KeyError, type PersonKey } from './keys.ts';

const LIMITS = { timeoutMs: 5_000, maxBytes: 1_000 };
const MAC_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** A key service. It gets `POST {url}` with `{"message": base64}` and the token as a bearer token. */
export interface KeyService {
  readonly url: string;
  readonly token: string;
  /** @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Creates an attestation key whose service responds with `{"signature": base64}`. Each signature is verified, so that a
 * service with another key signs nothing that is then reported.
 */
export function serviceAttestationKey(service: KeyService, address: Address): AttestationKey {
  return {
    address,
    async sign(message) {
      const signature = await ask(service, { message, field: 'signature', length: SIGNATURE_BYTES });
      if (!nacl.sign.detached.verify(message, signature, addressBytes(address))) {
        throw new KeyError(`The key service did not sign with the key ${address}. Check which key it has.`);
      }
      return signature;
    },
  };
}

/** Creates a person key whose service responds with `{"mac": base64}`: the HMAC-SHA256 of the message. */
export function servicePersonKey(service: KeyService): PersonKey {
  return { mac: (message) => ask(service, { message, field: 'mac', length: MAC_BYTES }) };
}

interface Question {
  readonly message: Uint8Array;
  readonly field: 'signature' | 'mac';
  /** Bytes of the answer. */
  readonly length: number;
}

async function ask(
  { url, token, fetch }: KeyService,
  { message, field, length }: Question,
): Promise<Uint8Array> {
  const call: ApiCall = {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ message: Buffer.from(message).toString('base64') }),
    ...(fetch ? { fetch } : {}),
  };
  const answer = await callApi(call, LIMITS).catch((error) => {
    if (!(error instanceof ApiError)) throw error;
    throw new KeyError(`The key service ${error.message}. Check that it runs, and its URL and token.`, {
      cause: error,
    });
  });
  const value = (answer as Record<string, unknown> | null)?.[field];
  const bytes = typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : null;
  if (bytes?.length === length) return bytes;
  throw new KeyError(`The key service did not respond with a ${field} of ${length} bytes.`);
}

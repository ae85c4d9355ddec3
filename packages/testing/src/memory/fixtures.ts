/** Keys, a witness and a credential that are the same in every run. They are public: anybody can derive them. */
import { regionIndexOf, statusIndexOf } from '@service/contract';
import { DEVELOPMENT_PROGRAM, programAddresses } from '@service/protocol';
import { bytesToField, commitmentOf, fieldToBytes, parseBirthDate } from '@service/protocol/eligibility';
import type { Credential, Deployment, Witness } from '@service/sdk';
import {
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  getAddressDecoder,
  getBase16Decoder,
  type KeyPairSigner,
} from '@solana/kit';

/** The id of the circuit of the test deployment. */
export const TEST_CIRCUIT = 'eligibility-test';

/** Returns the SHA-256 digest of a text. */
export async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/**
 * Creates a wallet from a name: the same name gives the same key. The wallet is a kit signer of messages and
 * transactions.
 *
 * @example
 * const wallet = await testWallet('holder');
 */
export async function testWallet(seed: string): Promise<KeyPairSigner> {
  const bytes = await digestOf(`@service/testing wallet ${seed}`);
  const create = () => createKeyPairSignerFromPrivateKeyBytes(bytes);
  // Node 22 can throw an OpenSSL error that TLS left behind, as under msw 3. Throwing removes the error, so try again.
  return create().catch(create);
}

/**
 * The digest that the test deployment pins. Its manifest lists files that do not exist.
 */
export const TEST_ARTIFACTS_DIGEST = 'd15d09f4a83ead28875c0712a30124757bcfad276af9ee635f00f8df367af52c';

/** Returns the deployment that `serviceHandlers` uses by default. */
export async function testDeployment(baseUrl = 'https://service.test'): Promise<Deployment> {
  return {
    program: DEVELOPMENT_PROGRAM,
    genesisHash: getAddressDecoder().decode(await digestOf('@service/testing cluster')),
    artifactsDigest: TEST_ARTIFACTS_DIGEST,
    acceptedSetups: ['development'],
    rpcUrl: `${baseUrl}/rpc`,
    verifierOrigins: ['https://verifier.test'],
    baseUrl,
  };
}

/** A witness with its credential. */
export interface TestCredential {
  /** The attributes, with salt and person. */
  readonly witness: Witness;
  /** The credential on the chain of `serviceHandlers`. */
  readonly credential: Credential;
}

/** Options of {@link testCredential}. */
export interface TestCredentialOptions {
  /** Unix seconds. @default 1_767_225_600n, which is 1 January 2026 */
  readonly issuedAt?: bigint | undefined;
  /** A wallet of the same person. @default the wallet itself, so that it is the only one of its person */
  readonly personOf?: Address | undefined;
}

/**
 * Returns the witness and the credential that a wallet has with `serviceHandlers`: a professional in France, born in
 * 1990, with a fixed salt. Times in Unix seconds.
 */
export async function testCredential(
  wallet: Address,
  { issuedAt = 1_767_225_600n, personOf = wallet }: TestCredentialOptions = {},
): Promise<TestCredential> {
  const person = await digestOf(`@service/testing person ${personOf}`);
  person[0]! &= 0x1f;
  const witness: Witness = {
    wallet,
    region: 'FR',
    status: 'professional',
    birthDate: '1990-05-17',
    salt: '314159265358979323846264338327950288419716939937510',
    person: bytesToField(person).toString(),
  };
  const commitment = commitmentOf({
    region: regionIndexOf(witness.region) ?? 0,
    status: statusIndexOf(witness.status) ?? 0,
    birthDate: parseBirthDate(witness.birthDate),
    salt: BigInt(witness.salt),
    person: BigInt(witness.person),
  });
  const at = programAddresses(DEVELOPMENT_PROGRAM);
  return {
    witness,
    credential: {
      address: await at.credential(wallet),
      wallet,
      verifier: await at.verifier((await testWallet('verifier')).address),
      commitment: getBase16Decoder().decode(fieldToBytes(commitment)),
      issuedAt,
      expiresAt: issuedAt + 4_000_000_000n,
      revoked: false,
    },
  };
}

/** The most lamports that an operation may pay for priority. */
export const MAX_PRIORITY_FEE_LAMPORTS = 1_000_000n;

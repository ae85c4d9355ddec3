/** A whole verifier with the sandbox provider, in one call: for development and for tests. */
import type { OpenDatabaseOptions } from '@service/database';
import { databaseImage } from '@service/database/image';
import { type OpenPort, openPort } from '@service/process';
import { getAddressFromPublicKey, type KeyPairSigner, signBytes } from '@solana/kit';
import type { Logger } from 'pino';
import { createVerifier } from './create-verifier.ts';
import { openDatabase } from './database/database.ts';
import { MIGRATIONS } from './database/migrations/index.ts';
import { filePersonKey } from './keys/file-keys.ts';
import type { DecisionRecords } from './providers/decision-records.ts';
import { SANDBOX_POLICY, sandboxProvider } from './providers/sandbox.ts';
import type { SignedFor } from './sites/agreed-sites.ts';

/** Options of a sandbox verifier. */
export interface SandboxVerifierOptions extends SignedFor {
  /** The key of the verifier authority. */
  readonly authority: KeyPairSigner['keyPair'];
  /** The origins of the site. */
  readonly siteOrigins: readonly string[];
  /** Where the service gets messages. */
  readonly webhookUrl: string;
  /** The Standard Webhooks secret that it shares with the service. */
  readonly webhookSecret: string;
  /** 32 bytes. Another key makes everyone another person. */
  readonly personKey: Uint8Array;
  readonly log: Logger;
  /** Unix milliseconds. @default the clock of this machine */
  readonly clock?: { now(): number };
  /** Sends messages to the service. @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** @default in memory */
  readonly database?: OpenDatabaseOptions;
  /** @default in memory */
  readonly records?: DecisionRecords;
  /** @default a free port of 127.0.0.1 */
  readonly port?: OpenPort;
}

/** A running sandbox verifier. */
export interface SandboxVerifier {
  readonly url: string;
  /** Does the background work that is due, such as sending a revocation. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sandbox verifier. Its page accepts any region, status and birth date, so it checks nobody. */
export async function startSandboxVerifier(options: SandboxVerifierOptions): Promise<SandboxVerifier> {
  const { authority, personKey, log, program, genesisHash, siteOrigins, webhookUrl, webhookSecret } = options;
  const { clock, fetch, records } = options;
  const port = options.port ?? (await openPort({ port: 0 }));
  const database = await openDatabase(
    options.database ?? { memory: true, image: await databaseImage(MIGRATIONS) },
  );
  const { url: origin } = port;
  const created = await createVerifier({
    settings: {
      origin,
      program,
      genesisHash,
      sites: [{ origins: [...siteOrigins], webhookUrl, webhookSecrets: [webhookSecret] }],
      policy: SANDBOX_POLICY,
      allowSandbox: true,
    },
    database,
    provider: sandboxProvider({ origin, ...(records ? { records } : {}), ...(clock ? { clock } : {}) }),
    attestationKey: {
      address: await getAddressFromPublicKey(authority.publicKey),
      sign: (message) => signBytes(authority.privateKey, message),
    },
    personKey: filePersonKey(personKey),
    log,
    ...(clock ? { clock } : {}),
    ...(fetch ? { fetch } : {}),
  });
  await created.listen(port);
  return {
    url: origin,
    settle: () => created.background.tick(),
    async close() {
      await created.close();
      await database.close();
    },
  };
}

/** A service in this process, on a chain in another one. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { developmentKeys } from '@service/localnet';
import { type CreatedService, createService, type Database, openRpc } from '@service/server';
import { ORIGIN, ruleSetBody, Visitor, WEBHOOK_SECRET } from '@service/server/test-service';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import pino from 'pino';
import { startProcess } from '../measured-process.ts';
import { timed } from './answer.mjs';

/** A chain in another process. */
export async function startChain() {
  const process = startProcess('chain.ts');
  const { url, genesisHash } = await process.ask<{ url: string; genesisHash: string }>('start');
  return {
    url,
    genesisHash,
    finalize: () => process.ask<void>('finalize'),
    /** Returns new wallets with SOL. */
    async wallets(count: number): Promise<KeyPairSigner[]> {
      const signers = await Promise.all(Array.from({ length: count }, () => generateKeyPairSigner()));
      await process.ask<void>(
        'fund',
        signers.map(({ address }) => address),
      );
      return signers;
    },
  };
}

/** Creates and starts a service whose background work runs only in tick(). It logs as in production, to nowhere. */
export async function startService(chain: { url: string; genesisHash: string }, database: Database) {
  const [keys, artifacts] = await Promise.all([developmentKeys(), readArtifacts()]);
  const created = createService({
    settings: {
      origin: ORIGIN,
      program: keys.program.address,
      genesisHash: chain.genesisHash,
      publicRpcUrl: 'https://rpc.example',
      artifacts: {
        directory: artifactsDirectory,
        manifest: artifacts.manifest as never,
        digest: artifacts.digest,
      },
      verifier: { name: 'main', url: 'https://verifier.example', webhookSecret: WEBHOOK_SECRET },
      maxIndexLagSeconds: 3_600,
      pollIntervalMs: 'manual',
    },
    database,
    rpc: openRpc(chain.url),
    feePayer: keys.feePayer,
    log: pino({ level: 'info' }, { write: () => undefined }),
  });
  await created.start();
  await created.tick();
  return created;
}

/** Returns visitors of a service, each from its own address, because the service limits requests by address. */
export function visitorsOf({ app }: CreatedService, signers: readonly KeyPairSigner[]): Visitor[] {
  return signers.map((signer, index) => {
    const remoteAddress = `10.${index >> 8}.${index & 255}.1`;
    const incoming = { headers: {}, connection: { remoteAddress }, socket: { remoteAddress } };
    const request = (path: string, init: RequestInit) => app.request(path, init, { incoming });
    return new Visitor({ request } as never, signer, ORIGIN);
  });
}

/** An operation of a visitor, and its transaction in base64, signed or not. */
export interface WalletOperation {
  readonly visitor: Visitor;
  readonly operationId: string;
  readonly transaction: string;
}

/** Prepares a rule set and signs it. Throws Error if the service refuses. */
export async function prepareSigned(visitor: Visitor): Promise<WalletOperation> {
  return sign(await prepare(visitor));
}

async function prepare(visitor: Visitor): Promise<WalletOperation> {
  const draft = await visitor.prepare('/api/rules', ruleSetBody());
  if (draft.status !== 200) throw new Error(`prepare: ${draft.message}`);
  const { operationId, transaction } = draft.body;
  return { visitor, operationId, transaction };
}

async function sign({ visitor, operationId, transaction }: WalletOperation): Promise<WalletOperation> {
  return { visitor, operationId, transaction: await visitor.signTransaction(transaction) };
}

/** Submits a signed operation. Throws Error if the service refuses. */
export async function submit({ visitor, operationId, transaction }: WalletOperation): Promise<void> {
  const submitted = await visitor.submit(operationId, transaction);
  if (submitted.body.state !== 'QUEUED') throw new Error(`submit: ${submitted.message}`);
}

/**
 * Prepares and submits an operation of each visitor, ten at a time. Returns milliseconds per operation, without the
 * signatures of the wallets.
 */
export async function timePrepareAndSubmit(visitors: readonly Visitor[]) {
  const prepared: WalletOperation[] = [];
  const preparing = await timed(() =>
    tenAtATime(visitors, async (visitor) => void prepared.push(await prepare(visitor))),
  );
  const signed = await Promise.all(prepared.map(sign));
  const submitting = await timed(() => tenAtATime(signed, submit));
  return {
    value: (preparing.value + submitting.value) / visitors.length,
    cpu: (preparing.cpu + submitting.cpu) / visitors.length,
  };
}

/** Runs a function for each item, ten at a time. */
export async function tenAtATime<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await run(item);
  };
  await Promise.all(Array.from({ length: 10 }, worker));
}

/** A service that returns any transaction that a test gives it. */
import { type Operation, type OperationKind, operationRecord } from '@service/contract';
import { splitWireTransaction } from '@service/protocol';
import { type Clock, ServiceClient } from '@service/sdk';
import { type Address, getBase58Decoder, type Signature } from '@solana/kit';
import * as z from 'zod/mini';
import { OPERATION_ID, type StillChain } from './still-chain.ts';

export const ORIGIN = 'http://service.test';

/** Returns the response of a rejected request, as the contract has it. */
export function refusal(code: string, status: number): Response {
  return Response.json({ error: { code, message: code, requestId: 'request-1' } }, { status });
}

const PREPARING: Record<string, OperationKind> = {
  '/api/rules': 'CREATE_RULE_SET',
  '/api/mint-bindings': 'BIND_MINT',
  '/api/proofs': 'PROVE',
  '/api/mints/issue': 'ISSUE',
  '/api/transfers': 'TRANSFER',
  '/api/mints/recover': 'RECOVER',
  '/api/mints/redeem': 'REDEEM',
  '/api/suspensions': 'SUSPEND',
  '/api/grants': 'GRANT',
};

export type HostileService = ReturnType<typeof hostileService>;

interface HostileOptions {
  /** The address that the service returns for rule sets. */
  readonly rule?: Address;
  readonly operationId?: string;
  readonly transaction?: Uint8Array;
  readonly clock?: Clock;
}

/** Creates a hostile service, and a client of it that reads the chain through `net`. */
export function hostileService(
  { deployment, manifest, wallet, net }: Pick<StillChain, 'deployment' | 'manifest' | 'wallet' | 'net'>,
  { rule, operationId = OPERATION_ID, transaction = new Uint8Array(), clock }: HostileOptions = {},
) {
  let kind: OperationKind = 'TRANSFER';

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/transactions/submit') {
      const body = (await request.json()) as { transaction: string };
      service.submitted.push(new Uint8Array(Buffer.from(body.transaction, 'base64')));
    }
    return service.instead.get(pathname)?.() ?? honest(pathname);
  }

  function honest(pathname: string): Response {
    if (pathname === '/api/auth/session') return Response.json({ wallet: wallet.address });
    if (pathname === '/api/config') {
      const { program, rpcUrl, genesisHash, artifactsDigest: digest } = deployment;
      const artifacts = { digest, baseUrl: ORIGIN, manifest };
      return Response.json({
        program,
        rpcUrl,
        genesisHash,
        artifacts,
        regions: [],
        statuses: [],
        maxPriorityFeeLamports: '0',
      });
    }
    if (pathname.startsWith('/artifacts/')) return new Response(null, { status: 404 });
    if (pathname === '/api/transactions/submit') return service.operation('QUEUED');
    const preparing = PREPARING[pathname];
    if (!preparing) throw new Error(`nothing at ${pathname}`);
    kind = preparing;
    return service.operation('DRAFT', {
      transaction: Buffer.from(service.transaction).toString('base64'),
      signature: undefined,
    });
  }

  const service = {
    client: new ServiceClient({
      deployment,
      baseUrl: ORIGIN,
      rpc: net.rpc,
      fetch: (input, init) => answer(new Request(input, init)),
      ...(clock ? { clock } : {}),
    }),
    /** The wire transaction of the next prepare. */
    transaction,
    operationId,
    /** Fields of every record that the service returns. */
    more: {} as object,
    /** The wire transactions that the client submitted. */
    submitted: [] as Uint8Array[],
    /** Responses that replace the service's own, by path. */
    instead: new Map<string, () => Response>(),
    /** The signature of the last submitted transaction. */
    get signature(): Signature | undefined {
      const wire = service.submitted.at(-1);
      return wire && (getBase58Decoder().decode(splitWireTransaction(wire)!.signature) as Signature);
    },
    /** Returns a response with the operation in a state. `more` adds or replaces fields. */
    operation(state: Operation['state'], more: object = {}): Response {
      const now = BigInt(Math.floor(Date.now() / 1000));
      const record = {
        operationId: service.operationId,
        kind,
        wallet: wallet.address,
        createdAt: now,
        expiresAt: now + 90n,
        rule,
        state,
        signature: service.signature,
        ...service.more,
        ...more,
      };
      return Response.json(z.encode(operationRecord, record as Operation));
    },
  };
  return service;
}

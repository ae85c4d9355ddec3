/** A service that answers every prepare with whatever transaction it likes. */
import { type Operation, type OperationKind, operationRecord } from '@service/contract';
import { splitWireTransaction } from '@service/protocol';
import { ServiceClient } from '@service/sdk';
import { type Address, getBase58Decoder, getBase64Decoder, getBase64Encoder } from '@solana/kit';
import * as z from 'zod/mini';
import type { StillChain } from './still-chain.ts';

export const ORIGIN = 'http://service.test';

/** What the service answers, and what has reached it. */
export interface HostileService {
  readonly client: ServiceClient;
  /** The wire transaction of the next prepare. */
  transaction: Uint8Array;
  operationId: string;
  /** Wire transactions that were submitted. */
  readonly submitted: Uint8Array[];
  /** What is answered at a path instead; a ServiceError-like refusal is `refusal(code, status)`. */
  readonly instead: Map<string, () => Response>;
  /** The record of the operation in a state, with what the state needs. */
  record(state: Operation['state'], more?: object): Operation;
}

/** The refusal of a request, as the contract has it. */
export function refusal(code: string, status: number): Response {
  return Response.json({ error: { code, message: code, requestId: 'request-1' } }, { status });
}

/** The answer with an operation. */
export function operationAnswer(operation: Operation): Response {
  return Response.json(encode(operation));
}

const PREPARING: Record<string, OperationKind> = {
  '/api/rules': 'CREATE_RULE_SET',
  '/api/mint-bindings': 'BIND_MINT',
  '/api/proofs': 'PROVE',
  '/api/mints/issue': 'ISSUE',
  '/api/transfers': 'TRANSFER',
};

/** A hostile service with a client of it; `rule` is what it says of rule sets' addresses. */
export function hostileService(chain: StillChain, options: { rule?: Address } = {}): HostileService {
  const submitted: Uint8Array[] = [];
  const instead = new Map<string, () => Response>();
  let kind: OperationKind = 'TRANSFER';

  function common() {
    const now = BigInt(Math.floor(Date.now() / 1000));
    return {
      operationId: service.operationId,
      kind,
      wallet: chain.wallet.address,
      createdAt: now,
      expiresAt: now + 90n,
      ...(options.rule ? { rule: options.rule } : {}),
    };
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/transactions/submit') await keep(request.clone());
    return instead.get(pathname)?.() ?? Response.json(await honest(pathname));
  }

  async function keep(request: Request): Promise<void> {
    const { transaction } = (await request.json()) as { transaction: string };
    submitted.push(new Uint8Array(getBase64Encoder().encode(transaction)));
  }

  async function honest(pathname: string): Promise<unknown> {
    if (pathname === '/api/auth/session') return { wallet: chain.wallet.address };
    if (pathname === '/api/config') {
      return {
        program: chain.deployment.program,
        rpcUrl: chain.deployment.rpcUrl,
        genesisHash: chain.deployment.genesisHash,
        artifacts: { digest: chain.deployment.artifactsDigest, baseUrl: ORIGIN, manifest: chain.manifest },
        regions: [],
        statuses: [],
      };
    }
    const preparing = PREPARING[pathname];
    if (preparing) {
      kind = preparing;
      const transaction = getBase64Decoder().decode(service.transaction);
      return encode({ ...common(), state: 'DRAFT', transaction });
    }
    if (pathname === '/api/transactions/submit') return encode(service.record('QUEUED'));
    throw new Error(`nothing at ${pathname}`);
  }

  const service: HostileService = {
    client: new ServiceClient({
      deployment: chain.deployment,
      baseUrl: ORIGIN,
      rpc: chain.net.rpc,
      fetch: (input, init) => answer(new Request(input, init)),
    }),
    transaction: new Uint8Array(),
    operationId: '00000000-0000-4000-8000-000000000000',
    submitted,
    instead,
    record(state, more = {}) {
      const wire = submitted.at(-1);
      const signature = wire && getBase58Decoder().decode(splitWireTransaction(wire)!.signature);
      return { ...common(), state, ...(signature ? { signature } : {}), ...more } as Operation;
    },
  };
  return service;
}

function encode(operation: Operation): unknown {
  return z.encode(operationRecord, operation);
}

/** A service that answers every prepare with whatever transaction it likes. */
import { type Operation, type OperationKind, operationRecord } from '@service/contract';
import { splitWireTransaction } from '@service/protocol';
import { type Address, getBase58Decoder, getBase64Decoder, getBase64Encoder } from '@solana/kit';
import * as z from 'zod/mini';
import { ServiceClient } from '../../packages/sdk/src/index.ts';
import type { StillChain } from './_chain.ts';

export const ORIGIN = 'http://service.test';

/** What the service answers, and what has reached it. */
export interface HostileService {
  readonly client: ServiceClient;
  /** The wire transaction of the next prepare. */
  transaction: Uint8Array;
  operationId: string;
  /** Wire transactions that were submitted. */
  readonly submitted: Uint8Array[];
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

  async function answer(request: Request): Promise<unknown> {
    const { pathname } = new URL(request.url);
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
    if (pathname === '/api/transactions/submit') {
      const { transaction } = (await request.json()) as { transaction: string };
      const wire = new Uint8Array(getBase64Encoder().encode(transaction));
      submitted.push(wire);
      const signature = getBase58Decoder().decode(splitWireTransaction(wire)!.signature);
      return encode({ ...common(), state: 'QUEUED', signature });
    }
    throw new Error(`nothing at ${pathname}`);
  }

  const service: HostileService = {
    client: new ServiceClient({
      deployment: chain.deployment,
      baseUrl: ORIGIN,
      rpc: chain.net.rpc,
      fetch: async (input, init) => Response.json(await answer(new Request(input, init))),
    }),
    transaction: new Uint8Array(),
    operationId: '00000000-0000-4000-8000-000000000000',
    submitted,
  };
  return service;
}

function encode(operation: Operation): unknown {
  return z.encode(operationRecord, operation);
}

/** Converts request bodies to intents. */
import {
  type BindMintRequest,
  type CreateRuleSetRequest,
  clauseMasks,
  type IssueRequest,
  type OperationKind,
  type ProveRequest,
  type TransferRequest,
} from '@service/contract';
import type { PostedIntent } from '@service/protocol';
import type { Address } from '@solana/kit';

/** The names of the preparing routes. */
export type PreparingRoute = 'createRuleSet' | 'bindMint' | 'prove' | 'issue' | 'transfer';

/** The body that each preparing route takes. */
export interface PreparingBodies {
  createRuleSet: CreateRuleSetRequest;
  bindMint: BindMintRequest;
  prove: ProveRequest;
  issue: IssueRequest;
  transfer: TransferRequest;
}

/** Converts the body of each preparing route to an intent of the signed-in wallet. */
export const intentOf: {
  readonly [R in PreparingRoute]: (
    wallet: Address,
    body: PreparingBodies[R],
  ) => PostedIntent & { kind: OperationKind };
} = {
  createRuleSet: (wallet, body) => ({
    kind: 'CREATE_RULE_SET',
    wallet,
    name: body.name,
    nonce: body.nonce,
    clauses: body.clauses.map(clauseMasks),
    maxPassAgeSeconds: body.maxPassAgeSeconds,
  }),
  bindMint: (wallet, body) => ({ kind: 'BIND_MINT', wallet, ...body }),
  prove: (wallet, body) => ({
    kind: 'PROVE',
    wallet,
    rule: body.rule,
    expiresAt: body.expiresAt,
    proof: new Uint8Array(Buffer.from(body.proof, 'base64')),
  }),
  issue: (wallet, body) => ({ kind: 'ISSUE', wallet, ...body }),
  transfer: (wallet, body) => ({ kind: 'TRANSFER', wallet, ...body }),
};

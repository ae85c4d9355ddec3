/** The prepare functions of a client. */
import type { OperationKind } from '@service/contract';
import { readAsked } from '../operations/asked.ts';
import type { PrepareOptions } from '../operations/prepare.ts';
import type { PreparedAs, PreparedOperation, PreparedRuleSet } from '../operations/prepared.ts';
import type {
  BindMintRequest,
  CreateRuleSetRequest,
  GrantRequest,
  IssueRequest,
  ProveFromProof,
  RecoverRequest,
  RedeemRequest,
  Requests,
  SuspendRequest,
  TransferRequest,
} from '../operations/requests.ts';
import type { ClientState } from '../operations/state.ts';
import { loadChain } from './load-chain.ts';

/**
 * Prepares operations for the wallet of the session (SPEC.md section 4). Each throws ServiceError: INVALID_REQUEST before
 * anything is sent, AUTHENTICATION_REQUIRED, the codes of the endpoint (SPEC.md section 7), UNEXPECTED_RESPONSE if the
 * answer is not the requested operation.
 */
export type Prepare = {
  /** Prepares a rule set of the wallet; maxPassAgeSeconds in seconds. */
  createRuleSet(request: CreateRuleSetRequest, options?: PrepareOptions): Promise<PreparedRuleSet>;
  /** Prepares the binding of a mint to a rule set. Once it is final, only this wallet can issue. */
  bindMint(request: BindMintRequest, options?: PrepareOptions): Promise<PreparedOperation<'BIND_MINT'>>;
  /** Prepares a pass from a proof; expiresAt in Unix seconds. */
  prove(request: ProveFromProof, options?: PrepareOptions): Promise<PreparedOperation<'PROVE'>>;
  /** Prepares an issue of new tokens of a bound mint; amount in base units. */
  issue(request: IssueRequest, options?: PrepareOptions): Promise<PreparedOperation<'ISSUE'>>;
  /** Prepares a transfer of a bound mint; amount in base units. */
  transfer(request: TransferRequest, options?: PrepareOptions): Promise<PreparedOperation<'TRANSFER'>>;
  /** Prepares a recovery of tokens by the issuer, without the owner of the source; amount in base units. */
  recover(request: RecoverRequest, options?: PrepareOptions): Promise<PreparedOperation<'RECOVER'>>;
  /** Prepares a redemption by the issuer: burns tokens without the owner of the source; amount in base units. */
  redeem(request: RedeemRequest, options?: PrepareOptions): Promise<PreparedOperation<'REDEEM'>>;
  /** Prepares a suspension by the creator of a rule set, or its end; until in Unix seconds, 0 lifts it. */
  suspend(request: SuspendRequest, options?: PrepareOptions): Promise<PreparedOperation<'SUSPEND'>>;
  /** Prepares a granted pass by the creator of a rule set, or its end; expiresAt in Unix seconds, 0 ends it. */
  grant(request: GrantRequest, options?: PrepareOptions): Promise<PreparedOperation<'GRANT'>>;
};

/** Returns the prepare functions of a client. Each reads the request before it waits for anything. */
export function prepareOf(state: ClientState): Prepare {
  const prepareAs =
    <K extends OperationKind>(kind: K) =>
    async (request: Requests[K], options: PrepareOptions = {}): Promise<PreparedAs<K>> => {
      const asked = readAsked(kind, request, options);
      const { prepare } = await loadChain(options);
      return prepare(state, asked, options);
    };
  return Object.freeze({
    createRuleSet: prepareAs('CREATE_RULE_SET'),
    bindMint: prepareAs('BIND_MINT'),
    prove: prepareAs('PROVE'),
    issue: prepareAs('ISSUE'),
    transfer: prepareAs('TRANSFER'),
    recover: prepareAs('RECOVER'),
    redeem: prepareAs('REDEEM'),
    suspend: prepareAs('SUSPEND'),
    grant: prepareAs('GRANT'),
  });
}

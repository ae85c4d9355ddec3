/** Reads the facts of a plan from an RPC and plans the operation. Client and server both use this code. */
import type { Address, Instruction } from '@solana/kit';
import { programAddresses } from '../addresses.ts';
import { type AccountOf, type ChainReader, type Found, readAccounts } from '../state/read.ts';
import {
  bindMintInstruction,
  createRuleSetInstruction,
  grantInstruction,
  type IssueFacts,
  issueInstruction,
  proveInstruction,
  recoverInstruction,
  redeemInstruction,
  suspendInstruction,
  type TransferFacts,
  transferInstruction,
} from './instruction.ts';
import type { Intent, IssueIntent, RecoverIntent, RedeemIntent, TransferIntent } from './intent.ts';

/** Why an operation cannot be planned, in the codes of SPEC.md section 7. */
export type PlanProblem =
  | 'CREDENTIAL_REQUIRED'
  | 'MINT_NOT_BOUND'
  | 'NOT_ISSUER'
  | 'TOKEN_ACCOUNT_NOT_FOUND'
  | 'INVALID_REQUEST'
  | 'NOT_FOUND'
  | 'NOT_CREATOR'
  | 'POWER_NOT_GIVEN'
  | 'PASS_NOT_SUSPENDED'
  | 'PASS_NOT_GRANTED'
  | 'PASS_SUSPENDED'
  | 'PASS_PROVED'
  | 'PLACE_NOT_IN_RULE_SET'
  | 'PLACE_TAKEN'
  | 'PLACE_NOT_HELD'
  | 'PLACE_TAKEN_TOO_SOON'
  | 'PLACE_HELD_BY_SUSPENDED'
  | 'RECOVERY_NOT_ENABLED';

/** Is thrown if the state of the chain does not allow a plan. The message says what is wrong, then what to do. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
  readonly code: PlanProblem;
  constructor(code: PlanProblem, message: string) {
    super(message);
    this.code = code;
  }
}

/** Options of {@link planInstruction}. */
export interface PlanOptions {
  /** The id of the circuit of a PROVE. */
  readonly circuitId?: string;
  /** Checks the account of that circuit, which is read with the other accounts. Throws to reject it. */
  readonly checkCircuit?: (circuit: Found<AccountOf<'circuit'>> | null) => Promise<unknown>;
}

/**
 * Returns the instruction of an operation. Reads the facts that it needs with the reader, usually at finalized.
 * For PROVE the caller gives the id of the circuit, and can check its account; the verifier is that of the wallet's credential.
 * Throws PlanError if the state of the chain does not allow the operation. Throws the errors of the RPC.
 */
export async function planInstruction(
  reader: ChainReader,
  intent: Intent,
  options: PlanOptions = {},
): Promise<Instruction> {
  const { program } = reader;
  switch (intent.kind) {
    case 'CREATE_RULE_SET':
      return createRuleSetInstruction(program, intent);
    case 'BIND_MINT':
      return bindMintInstruction(program, intent);
    case 'PROVE': {
      if (!options.circuitId) throw new RangeError('PROVE needs the circuit id. Pass options.circuitId.');
      const at = programAddresses(program);
      const address = await at.circuit(options.circuitId);
      const [credential, circuit] = await readAccounts(reader, [
        ['credential', await at.credential(intent.wallet)],
        ['circuit', address],
      ]);
      await options.checkCircuit?.(circuit);
      if (!credential)
        throw new PlanError('CREDENTIAL_REQUIRED', 'The wallet has no credential on chain. Verify first.');
      return proveInstruction(program, intent, { verifier: credential.data.verifier, circuit: address });
    }
    case 'ISSUE':
      return issueInstruction(program, intent, await issueFacts(reader, intent));
    case 'TRANSFER':
      return transferInstruction(program, intent, await transferFacts(reader, intent));
    case 'RECOVER':
      return recoverInstruction(program, intent, await issueFacts(reader, intent));
    case 'REDEEM':
      return redeemInstruction(program, intent);
    case 'SUSPEND':
      return suspendInstruction(program, intent);
    case 'GRANT':
      return grantInstruction(program, intent);
  }
}

/**
 * Reads the facts of an ISSUE or a RECOVER. Throws PlanError MINT_NOT_BOUND, NOT_ISSUER, TOKEN_ACCOUNT_NOT_FOUND or
 * INVALID_REQUEST.
 */
export async function issueFacts(
  reader: ChainReader,
  intent: IssueIntent | RecoverIntent,
): Promise<IssueFacts> {
  const at = programAddresses(reader.program);
  const [binding, destination] = await readAccounts(reader, [
    ['mintBinding', await at.mintBinding(intent.mint)],
    ['tokenAccount', intent.destination],
  ]);
  const { rule } = ownBindingOf(binding, intent);
  return { rule, destinationOwner: ownerOf(destination?.data, 'destination', intent) };
}

/** Returns the binding of a mint to its issuer. Throws PlanError MINT_NOT_BOUND or NOT_ISSUER. */
export function ownBindingOf(
  binding: Found<AccountOf<'mintBinding'>> | null,
  { mint, wallet }: IssueIntent | RecoverIntent | RedeemIntent,
): AccountOf<'mintBinding'> {
  if (!binding) throw notBound(mint);
  const { issuer } = binding.data;
  if (issuer !== wallet) {
    throw new PlanError('NOT_ISSUER', `The issuer of the mint is ${issuer}. Sign in with this wallet.`);
  }
  return binding.data;
}

/** Reads the facts of a TRANSFER. Throws PlanError MINT_NOT_BOUND, TOKEN_ACCOUNT_NOT_FOUND or INVALID_REQUEST. */
export async function transferFacts(reader: ChainReader, intent: TransferIntent): Promise<TransferFacts> {
  if (intent.source === intent.destination) {
    throw new PlanError(
      'INVALID_REQUEST',
      'The source and the destination are the same token account. Use two accounts.',
    );
  }
  const at = programAddresses(reader.program);
  const [binding, mint, source, destination] = await readAccounts(reader, [
    ['mintBinding', await at.mintBinding(intent.mint)],
    ['mint', intent.mint],
    ['tokenAccount', intent.source],
    ['tokenAccount', intent.destination],
  ]);
  if (!binding || !mint) throw notBound(intent.mint);
  return {
    rule: binding.data.rule,
    requireSource: binding.data.requireSource,
    readsCredential: binding.data.readsCredential,
    decimals: mint.data.decimals,
    sourceOwner: ownerOf(source?.data, 'source', intent),
    destinationOwner: ownerOf(destination?.data, 'destination', intent),
  };
}

function notBound(mint: Address): PlanError {
  return new PlanError(
    'MINT_NOT_BOUND',
    `The mint ${mint} is not bound to a rule set. Its issuer must bind it first. A mint with a gate needs no binding: use a plain transfer of Token-2022 instead.`,
  );
}

/** Returns the owner of a token account. Throws PlanError TOKEN_ACCOUNT_NOT_FOUND or INVALID_REQUEST. */
export function ownerOf(
  account: { mint: Address; owner: Address } | undefined,
  role: 'source' | 'destination',
  intent: IssueIntent | TransferIntent | RecoverIntent | RedeemIntent,
): Address {
  if (!account) {
    throw new PlanError(
      'TOKEN_ACCOUNT_NOT_FOUND',
      `The ${role} is not a finalized Token-2022 token account. Create it, or wait until it is final.`,
    );
  }
  if (account.mint !== intent.mint) {
    throw new PlanError(
      'INVALID_REQUEST',
      `The ${role} is a token account of the mint ${account.mint}. Use an account of ${intent.mint}.`,
    );
  }
  return account.owner;
}

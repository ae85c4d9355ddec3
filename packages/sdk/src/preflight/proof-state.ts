/** Reads what a proof depends on from the caller's own RPC. Only the pinned manifest comes from the service. */
import {
  type AccountOf,
  decodeAccount,
  type Found,
  type Funds,
  programAddresses,
  RENT_SYSVAR,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { checkedCircuit, pinnedCircuit } from '../eligibility/circuit.ts';
import { isServiceError } from '../errors.ts';
import { passFundsBy, readChainTime, readFinalAccount, readTogether } from '../rpc/accounts.ts';
import type { Chain } from '../rpc/chain.ts';
import { costOfProof, readFundsNow } from '../rpc/funds.ts';
import type { SessionOnChain } from '../session/session.ts';

/** The accounts that decide whether a pass can be opened; null for each that does not exist. */
export interface PassState {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly credential: Found<AccountOf<'credential'>> | null;
  readonly ruleSet: Found<AccountOf<'ruleSet'>> | null;
  readonly pass: Found<AccountOf<'pass'>> | null;
  /** Lamports with which the rule set can pay fees. */
  readonly passFunds: bigint;
  readonly chainTime: bigint;
}

/** The accounts that a proof depends on; null for each that does not exist. */
export interface ProofState extends PassState {
  readonly verifier: Found<AccountOf<'verifier'>> | null;
  /** The circuit whose artifacts the deployment pins. */
  readonly circuit: Found<AccountOf<'circuit'>> | null;
  /** What the wallet has and needs at confirmed commitment: SOL that has just arrived can be spent. */
  readonly funds: Funds;
}

interface Wanted {
  readonly rule: Address;
  readonly wallet: Address;
}

/** Reads whether a pass can be opened, at finalized commitment. Throws ServiceError RPC_ERROR, ABORTED. */
export async function readPassState(
  chain: Chain,
  wanted: Wanted,
  signal: AbortSignal | undefined,
): Promise<PassState> {
  const [accounts, chainTime] = await Promise.all([
    readAccountsOf(chain, wanted, null, signal),
    readChainTime(chain, signal),
  ]);
  return { ...accounts, chainTime };
}

/** Reads the accounts of a proof at finalized commitment, and the funds. Throws ServiceError RPC_ERROR, ABORTED. */
export async function readProofState(
  state: SessionOnChain,
  wanted: Wanted,
  signal: AbortSignal | undefined,
): Promise<ProofState> {
  const { chain } = state;
  const pinned = await orIfMismatch(pinnedCircuit(state, signal));
  const [accounts, { funds, chainTime }] = await Promise.all([
    readAccountsOf(chain, wanted, pinned?.id ?? null, signal),
    readFundsNow(chain, costOfProof(wanted), signal),
  ]);
  const { credential } = accounts;
  const [verifier, circuit] = await Promise.all([
    credential && readFinalAccount(chain, 'verifier', credential.data.verifier, signal),
    pinned && orIfMismatch(checkedCircuit(pinned, accounts.circuit)),
  ]);
  return { ...accounts, verifier, circuit, funds, chainTime };
}

async function readAccountsOf(
  chain: Chain,
  { rule, wallet }: Wanted,
  circuitId: string | null,
  signal: AbortSignal | undefined,
) {
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const wanted = await Promise.all([
    at.config(),
    at.credential(wallet),
    at.pass(rule, wallet),
    // Without a circuit, the rule set is read twice, and the second result is not a circuit.
    circuitId === null ? rule : at.circuit(circuitId),
  ]);
  const reading = { what: 'Reading what a proof depends on', commitment: 'finalized', signal } as const;
  const all = [rule, RENT_SYSVAR, ...wanted];
  return readTogether(chain, all, reading, ([found, sysvar, config, credential, pass, circuit]) => {
    const ruleSet = decodeAccount(program, 'ruleSet', found!);
    return {
      ruleSet,
      config: decodeAccount(program, 'config', config!),
      credential: decodeAccount(program, 'credential', credential!),
      pass: decodeAccount(program, 'pass', pass!),
      circuit: decodeAccount(program, 'circuit', circuit!),
      passFunds: ruleSet ? passFundsBy(sysvar, ruleSet) : 0n,
    };
  });
}

/** Returns null if the service or the chain has another circuit than the deployment pins. */
async function orIfMismatch<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isServiceError(error, 'CIRCUIT_MISMATCH')) return null;
    throw error;
  }
}

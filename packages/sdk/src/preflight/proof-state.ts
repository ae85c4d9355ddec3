/** Reads what a proof depends on from the caller's own RPC. Only the pinned manifest comes from the service. */
import { type AccountOf, type Found, programAddresses, readAccounts } from '@service/protocol';
import type { Address } from '@solana/kit';
import { readPinnedCircuit } from '../eligibility/circuit.ts';
import { isServiceError } from '../errors.ts';
import { readFinalAccount, readPassFunds } from '../rpc/accounts.ts';
import { callRpc, readerOf } from '../rpc/chain.ts';
import { readChainTime } from '../rpc/pass-life.ts';
import type { SessionOnChain } from '../session/session.ts';

/** The accounts that a proof depends on; null for each that does not exist. */
export interface ProofState {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly credential: Found<AccountOf<'credential'>> | null;
  readonly verifier: Found<AccountOf<'verifier'>> | null;
  readonly ruleSet: Found<AccountOf<'ruleSet'>> | null;
  readonly pass: Found<AccountOf<'pass'>> | null;
  /** The circuit whose artifacts the deployment pins. */
  readonly circuit: Found<AccountOf<'circuit'>> | null;
  /** Lamports with which the rule set can pay fees. */
  readonly passFunds: bigint;
  readonly chainTime: bigint;
}

/** Reads the accounts of a proof at finalized commitment. Throws ServiceError RPC_ERROR, ABORTED. */
export async function readProofState(
  state: SessionOnChain,
  { rule, wallet }: { rule: Address; wallet: Address },
  signal: AbortSignal | undefined,
): Promise<ProofState> {
  const { chain } = state;
  const at = programAddresses(chain.deployment.program);
  const addresses = await Promise.all([at.config(), at.credential(wallet), at.pass(rule, wallet)]);
  const [config, credential, pass, ruleSet] = await callRpc(
    chain,
    'Reading what a proof depends on',
    signal,
    (_rpc, options) =>
      readAccounts(readerOf(chain, options), [
        ['config', addresses[0]],
        ['credential', addresses[1]],
        ['pass', addresses[2]],
        ['ruleSet', rule],
      ]),
  );
  const [verifier, passFunds, circuit, chainTime] = await Promise.all([
    credential && readFinalAccount(chain, 'verifier', credential.data.verifier, signal),
    ruleSet ? readPassFunds(chain, ruleSet, signal) : 0n,
    readCircuit(state, signal),
    readChainTime(chain, signal),
  ]);
  return { config, credential, verifier, ruleSet, pass, circuit, passFunds, chainTime };
}

/** Reads the circuit of the pinned artifacts. Returns null if the service or the chain has another one. */
async function readCircuit(
  state: SessionOnChain,
  signal: AbortSignal | undefined,
): Promise<ProofState['circuit']> {
  try {
    return await readPinnedCircuit(state, signal);
  } catch (error) {
    if (isServiceError(error, 'CIRCUIT_MISMATCH')) return null;
    throw error;
  }
}

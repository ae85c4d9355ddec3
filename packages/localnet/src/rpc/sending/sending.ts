import { SYSTEM_PROGRAM } from '../../chain/addresses.ts';
import type { Commitment } from '../../chain/slots.ts';
import { describeTransactionError } from '../../chain/svm-errors.ts';
import type { DecodedTransaction } from '../../chain/transaction.ts';
import { invalidParams, RpcError } from '../errors.ts';
import { contextSlot, type RpcMethods, type RpcNode } from '../node.ts';
import type { Options } from '../params.ts';
import { simulate, simulationJson } from './simulation.ts';
import { readTransaction } from './transaction-params.ts';

/** What a node returns for a transaction without a signature: 64 zero bytes. */
const NO_SIGNATURE = '1'.repeat(64);

/** Methods that send transactions, and the faucet. */
export const sendingMethods: RpcMethods = {
  sendTransaction(node, params) {
    const options = params.options(1);
    const decoded = readTransaction(params);
    if (!options.boolean('skipPreflight')) preflight(node, decoded, options);
    // Without preflight, a validator drops a transaction that cannot land and reports no error.
    if (!node.faults.dropTransactions) node.chain.land(decoded);
    return decoded.signature ?? NO_SIGNATURE;
  },

  requestAirdrop(node, params) {
    const [address, lamports] = [params.address(0), params.integer(1)];
    if (address === SYSTEM_PROGRAM)
      throw invalidParams('Invalid param: the system program cannot receive an airdrop');
    const { slots } = node.chain;
    const decoded = node.faucet.transfer(address, lamports);
    const simulated = node.chain.simulate(decoded, {
      slot: slots.open,
      verifySignatures: true,
      checkLifetime: true,
    });
    if (simulated.err) throw new RpcError('internalError', 'Internal error');
    if (!node.faults.dropTransactions) node.chain.land(decoded);
    return decoded.signature;
  },
};

function preflight(node: RpcNode, decoded: DecodedTransaction, options: Options): void {
  const commitment: Commitment = options.commitment('preflightCommitment');
  const slot = contextSlot(node, options, commitment);
  const simulation = simulate(node, decoded, { slot, verifySignatures: true, checkLifetime: true });
  if (simulation.err === null) return;
  throw new RpcError(
    'preflightFailure',
    `Transaction simulation failed: ${describeTransactionError(simulation.err)}`,
    {
      ...simulationJson(node, simulation),
      accounts: null,
      innerInstructions: null,
      loadedAddresses: null,
      preBalances: null,
      postBalances: null,
      preTokenBalances: null,
      postTokenBalances: null,
      replacementBlockhash: null,
    },
  );
}

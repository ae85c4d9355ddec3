import { SYSTEM_PROGRAM } from '../chain/addresses.ts';
import type { Execution } from '../chain/history.ts';
import type { Commitment } from '../chain/slots.ts';
import { describeTransactionError } from '../chain/svm-errors.ts';
import { type DecodedTransaction, decodeTransaction, MalformedTransaction } from '../chain/transaction.ts';
import { encodeAccount, readAccountFormat, toBase64 } from './account-encoding.ts';
import { invalidParams, RpcError } from './errors.ts';
import { contextSlot, type RpcMethods, type RpcNode, withContext } from './node.ts';
import { asAddress, base58Bytes, base64Bytes, type Options, type Params } from './params.ts';

/** Largest number of characters in the base58 of 1,232 bytes. */
const MAX_BASE58_TRANSACTION = 1683;

/** Methods that send and simulate transactions, and the faucet. */
export const sendingMethods: RpcMethods = {
  sendTransaction(node, params) {
    const options = params.options(1);
    const decoded = readTransaction(params);
    if (!decoded.signature) throw signatureFailure();
    if (!options.boolean('skipPreflight')) preflight(node, decoded, options);
    // Without preflight, a validator drops a transaction that cannot land and reports no error.
    if (!node.faults.dropTransactions) node.chain.land(decoded);
    return decoded.signature;
  },

  simulateTransaction(node, params) {
    const options = params.options(1);
    const decoded = readTransaction(params);
    const [sigVerify, replace] = [options.boolean('sigVerify'), options.boolean('replaceRecentBlockhash')];
    if (sigVerify && replace) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    const slot = contextSlot(node, options);
    const simulated = node.chain.simulate(decoded, {
      slot,
      verifySignatures: sigVerify,
      checkLifetime: !replace,
    });
    if (simulated.err === 'SignatureFailure') throw signatureFailure();
    const accounts = options.options('accounts');
    return withContext(slot, {
      ...executionJson(simulated),
      innerInstructions: options.boolean('innerInstructions') ? simulated.innerInstructions : null,
      accounts:
        accounts && simulated.err === null
          ? readAccounts(node, accounts, simulated.postAccounts, slot)
          : null,
      replacementBlockhash: replace ? node.chain.slots.latestBlockhash(slot) : null,
    });
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
  const simulated = node.chain.simulate(decoded, { slot, verifySignatures: true, checkLifetime: true });
  if (simulated.err === null) return;
  if (simulated.err === 'SignatureFailure') throw signatureFailure();
  throw new RpcError(
    'preflightFailure',
    `Transaction simulation failed: ${describeTransactionError(simulated.err)}`,
    { ...executionJson(simulated), innerInstructions: null, accounts: null, replacementBlockhash: null },
  );
}

function readTransaction(params: Params): DecodedTransaction {
  const encoding = params.options(1).string('encoding') ?? 'base58';
  const value = params.value(0);
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  }
  const wire = encoding === 'base64' ? base64Bytes(value, 'transaction') : base58Transaction(value);
  try {
    return decodeTransaction(wire);
  } catch (error) {
    if (!(error instanceof MalformedTransaction)) throw error;
    throw invalidParams(
      `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${error.message}`,
    );
  }
}

function base58Transaction(value: unknown): Uint8Array {
  return base58Bytes(value, 'transaction', MAX_BASE58_TRANSACTION);
}

function executionJson({ err, logs, unitsConsumed, returnData }: Execution) {
  return {
    err,
    logs,
    unitsConsumed,
    returnData: returnData && {
      programId: returnData.programId,
      data: [toBase64(returnData.data), 'base64'],
    },
  };
}

function readAccounts(
  node: RpcNode,
  options: Options,
  written: ReturnType<RpcNode['chain']['simulate']>['postAccounts'],
  slot: bigint,
) {
  const format = readAccountFormat(options, 'base64');
  return (options.array('addresses') ?? []).map((value) => {
    const address = asAddress(value);
    const state = written.get(address) ?? node.chain.account(address, slot);
    return state && encodeAccount(state, format);
  });
}

function signatureFailure(): RpcError {
  return new RpcError('signatureVerificationFailure', 'Transaction signature verification failure');
}

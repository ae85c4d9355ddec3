import { type DecodedTransaction, decodeTransaction, MalformedTransaction } from '../../chain/transaction.ts';
import { invalidParams } from '../errors.ts';
import { base58Bytes, base64Bytes, type Params } from '../params.ts';

/** Largest number of characters in the base58 of 1,232 bytes. */
const MAX_BASE58_TRANSACTION = 1683;

/** Reads the transaction of a request. Throws -32602 for bytes that are not a transaction. */
export function readTransaction(params: Params): DecodedTransaction {
  const encoding = params.options(1).string('encoding') ?? 'base58';
  const value = params.value(0);
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  }
  const wire =
    encoding === 'base64'
      ? base64Bytes(value, 'transaction')
      : base58Bytes(value, 'transaction', MAX_BASE58_TRANSACTION);
  try {
    return decodeTransaction(wire);
  } catch (error) {
    if (!(error instanceof MalformedTransaction)) throw error;
    throw invalidParams(
      `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${error.message}`,
    );
  }
}

import { type Address, getBase58Decoder } from '@solana/kit';
import type { LandedTransaction } from '../chain/history.ts';
import { writableAccounts } from '../chain/transaction.ts';
import { toBase64 } from './account-encoding.ts';
import { invalidParams, RpcError } from './errors.ts';
import type { Options } from './params.ts';

const ENCODINGS = ['binary', 'base58', 'base64', 'json'] as const;

/** The form in which a request wants transactions. */
export interface TransactionFormat {
  encoding: (typeof ENCODINGS)[number];
  /** The newest version that the client understands. Undefined for a client that understands only legacy. */
  maxVersion: bigint | undefined;
  showsRewards: boolean;
}

/** Reads the form of transactions. Throws -32602 for an encoding that this node does not support. */
export function readTransactionFormat(options: Options): TransactionFormat {
  const name = options.string('encoding') ?? 'json';
  const encoding = ENCODINGS.find((each) => each === name);
  if (!encoding) {
    throw invalidParams(
      `Invalid params: this node does not support encoding \`${name}\`. Use \`json\`, \`base64\` or \`base58\`.`,
    );
  }
  return {
    encoding,
    maxVersion: options.integer('maxSupportedTransactionVersion'),
    // Only getBlock has this option.
    showsRewards: options.boolean('rewards', true),
  };
}

/** Returns a landed transaction and its metadata. Throws -32015 for a version that the client does not understand. */
export function encodeLanded(landed: LandedTransaction, format: TransactionFormat) {
  return {
    transaction: encodeTransaction(landed, format),
    meta: { ...metaOf(landed), rewards: format.showsRewards ? [] : null },
    ...versionOf(landed, format),
  };
}

/** Returns the accounts of a landed transaction, as `accounts` of `getBlock` has them. */
export function encodeAccountsOf(landed: LandedTransaction, format: TransactionFormat) {
  const { message, loaded, accountKeys, signatures } = landed;
  const { staticAccounts, header } = message;
  const writable = new Set<Address>(writableAccounts(message, loaded));
  const keys = accountKeys.map((pubkey, index) => ({
    pubkey,
    writable: writable.has(pubkey),
    signer: index < header.numSignerAccounts,
    source: index < staticAccounts.length ? 'transaction' : 'lookupTable',
  }));
  return {
    transaction: { signatures, accountKeys: keys },
    meta: { ...simpleMetaOf(landed), ...(format.showsRewards && { rewards: [] }) },
    ...versionOf(landed, format),
  };
}

function encodeTransaction(landed: LandedTransaction, { encoding }: TransactionFormat) {
  switch (encoding) {
    case 'base64':
      return [toBase64(landed.wire), 'base64'];
    case 'base58':
      return [getBase58Decoder().decode(landed.wire), 'base58'];
    case 'binary':
      return getBase58Decoder().decode(landed.wire);
    case 'json':
      return { signatures: landed.signatures, message: messageJson(landed) };
  }
}

function versionOf({ message: { version } }: LandedTransaction, { maxVersion }: TransactionFormat) {
  if (maxVersion === undefined ? version === 'legacy' : version === 'legacy' || version <= maxVersion)
    return maxVersion === undefined ? {} : { version };
  throw new RpcError(
    'unsupportedTransactionVersion',
    `Transaction version (${version}) is not supported by the requesting client. ` +
      `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}

function messageJson({ message }: LandedTransaction) {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
  return {
    header: {
      numRequiredSignatures: numSignerAccounts,
      numReadonlySignedAccounts: numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: numReadonlyNonSignerAccounts,
    },
    accountKeys: message.staticAccounts,
    recentBlockhash: message.lifetimeToken,
    instructions: message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
      programIdIndex: programAddressIndex,
      accounts: accountIndices ?? [],
      data: getBase58Decoder().decode(data ?? new Uint8Array()),
      stackHeight: 1,
    })),
    ...(message.version === 0
      ? {
          addressTableLookups: (message.addressTableLookups ?? []).map((lookup) => ({
            accountKey: lookup.lookupTableAddress,
            writableIndexes: lookup.writableIndexes,
            readonlyIndexes: lookup.readonlyIndexes,
          })),
        }
      : {}),
  };
}

function simpleMetaOf(landed: LandedTransaction) {
  const { err, fee } = landed;
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee,
    preBalances: landed.preBalances,
    postBalances: landed.postBalances,
    preTokenBalances: landed.preTokenBalances,
    postTokenBalances: landed.postTokenBalances,
  };
}

/** Returns the metadata of a landed transaction in the format of a node. */
function metaOf(landed: LandedTransaction) {
  const { returnData } = landed;
  return {
    ...simpleMetaOf(landed),
    innerInstructions: landed.innerInstructions,
    logMessages: landed.logs,
    loadedAddresses: landed.loaded,
    computeUnitsConsumed: landed.unitsConsumed,
    ...(returnData
      ? { returnData: { programId: returnData.programId, data: [toBase64(returnData.data), 'base64'] } }
      : {}),
  };
}

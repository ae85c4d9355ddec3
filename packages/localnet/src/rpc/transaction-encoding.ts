import { getBase58Decoder } from '@solana/kit';
import type { LandedTransaction } from '../chain/history.ts';
import { toBase64 } from './account-encoding.ts';
import { invalidParams } from './errors.ts';

/** Encodes a landed transaction. Throws -32602 for an encoding that this node does not support. */
export function encodeTransaction(landed: LandedTransaction, encoding: string) {
  switch (encoding) {
    case 'base64':
      return [toBase64(landed.wire), 'base64'];
    case 'base58':
      return [getBase58Decoder().decode(landed.wire), 'base58'];
    case 'json':
      return { signatures: landed.signatures, message: messageJson(landed) };
    default:
      throw invalidParams(
        `Invalid params: this node does not support encoding \`${encoding}\`. Use \`json\`, \`base64\` or \`base58\`.`,
      );
  }
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

/** Returns the metadata of a landed transaction in the format of a node. */
export function metaOf(landed: LandedTransaction) {
  const { err, fee, returnData } = landed;
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee,
    preBalances: landed.preBalances,
    postBalances: landed.postBalances,
    preTokenBalances: landed.preTokenBalances,
    postTokenBalances: landed.postTokenBalances,
    innerInstructions: landed.innerInstructions,
    logMessages: landed.logs,
    loadedAddresses: landed.loaded,
    rewards: [],
    computeUnitsConsumed: landed.unitsConsumed,
    ...(returnData
      ? { returnData: { programId: returnData.programId, data: [toBase64(returnData.data), 'base64'] } }
      : {}),
  };
}

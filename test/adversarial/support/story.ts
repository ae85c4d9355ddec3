/** Steps and data that several cases share. */
import { clauseMasks } from '@service/contract';
import { createRuleSetInstruction } from '@service/protocol';
import { CIRCUIT_ACCOUNT_TYPE } from '@service/protocol/generated';
import { type Address, getBase64Decoder, getBase64Encoder } from '@solana/kit';
import { type Edits, flipped, withValue } from '../../support/node.ts';
import type { Players } from './play.ts';

/** The genesis hash of mainnet. */
export const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** The edits of a node of another cluster. */
export const otherCluster = () => ({ getGenesisHash: () => MAINNET });

/** Lands what was submitted, finalizes it and indexes it. */
export async function land({ stage: { world } }: Players): Promise<void> {
  await world.created.tick();
  await world.finalize();
  await world.created.tick();
}

/** Advances the chain until the blockhash of what was signed has expired. */
export async function expireBlockhash({ stage: { world } }: Players): Promise<void> {
  world.net.advanceSlots(160);
  await world.finalize();
}

const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }] as const;

/** Returns the request of a rule set. */
export const ruleSet = (nonce: bigint) => ({ name: 'Adults', nonce, clauses, maxPassAgeSeconds: 86_400n });

/** Returns the instruction that creates a rule set of a wallet, by default with nonce 77. */
export const createsRuleSet = ({ stage }: Players, wallet: Address, nonce = 77n) =>
  createRuleSetInstruction(stage.world.program, {
    kind: 'CREATE_RULE_SET',
    wallet,
    ...ruleSet(nonce),
    clauses: clauses.map(clauseMasks),
  });

/** An account as an RPC node returns it. */
export interface Encoded {
  readonly data: [string, string];
}

export const bytesOf = ({ data }: Encoded) => new Uint8Array(getBase64Encoder().encode(data[0]));
export const withBytes = (account: Encoded, bytes: Uint8Array): Encoded => ({
  ...account,
  data: [getBase64Decoder().decode(bytes), 'base64'],
});

/** Returns the account with one bit of its data changed. */
export const withFlippedByte = (account: Encoded, byte: number) =>
  withBytes(account, flipped(bytesOf(account), byte));

type ChangeAccount = (account: Encoded, index: number, all: readonly Encoded[]) => Encoded | null;

/** Changes each account that a node returns. */
export const changingAccounts = (change: ChangeAccount): Edits => ({
  getMultipleAccounts: (result: { value: Encoded[] }) => withValue(result, result.value.map(change)),
});

/** Returns whether an account is a circuit. */
export const isCircuit = (account: Encoded | null) =>
  account !== null && bytesOf(account)[0] === CIRCUIT_ACCOUNT_TYPE;

/** Credentials on chain, and proofs with the committed artifacts. The client is not used. */
import { randomBytes } from 'node:crypto';
import { readArtifacts } from '@service/circuit';
import { addressBytes, clauseMasks, regionIndexOf, statusIndexOf } from '@service/contract';
import {
  credentialMessage,
  issueCredentialInstructions,
  revocationMessage,
  revokeCredentialInstructions,
} from '@service/protocol';
import {
  circuitInput,
  commitmentOf,
  dateCodeAt,
  fieldToBytes,
  packVerifyingKey,
  parseBirthDate,
} from '@service/protocol/eligibility';
import { makeProof } from '@service/test-support/make-proof';
import { type Address, signBytes } from '@solana/kit';
import { send } from './chain.ts';
import type { Cluster } from './cluster.ts';
import type { ruleSetBody } from './visitor.ts';

type Attributes = ReturnType<typeof newWitness>;

/** Returns the attributes of a retail investor in France who was born in 1990, and is a new person. */
export function newWitness() {
  return {
    region: regionIndexOf('FR') ?? -1,
    status: statusIndexOf('retail') ?? -1,
    birthDate: parseBirthDate('1990-05-17'),
    salt: randomElement(),
    person: randomElement(),
  };
}

function randomElement(): bigint {
  return BigInt(`0x${randomBytes(31).toString('hex')}`);
}

/** Issues a credential on chain, as the verifier and the service do. It is issued `secondsAhead` of the chain's time. */
export async function issueCredential(
  world: Cluster,
  options: { wallet: Address; witness: Attributes; lifetimeSeconds?: bigint; secondsAhead?: bigint },
): Promise<void> {
  const issuedAt = BigInt(world.net.time) + (options.secondsAhead ?? 0n);
  const statement = {
    program: world.program,
    genesisHash: world.net.genesisHash,
    wallet: options.wallet,
    commitment: fieldToBytes(commitmentOf(options.witness)),
    issuedAt,
    expiresAt: issuedAt + (options.lifetimeSeconds ?? 30n * 86_400n),
  };
  const { verifier, payer } = world.keys;
  const signature = await signBytes(verifier.keyPair.privateKey, credentialMessage(statement));
  const signed = { statement, verifierAuthority: verifier.address, signature };
  await send(world, payer, await issueCredentialInstructions({ payer: payer.address, ...signed }));
  await world.finalize();
}

/** Revokes a wallet's credential on chain. */
export async function revokeCredential(world: Cluster, wallet: Address): Promise<void> {
  const { verifier, payer } = world.keys;
  const revokedAt = BigInt(world.net.time);
  const statement = { program: world.program, genesisHash: world.net.genesisHash, wallet, revokedAt };
  const signature = await signBytes(verifier.keyPair.privateKey, revocationMessage(statement));
  const signed = { statement, verifierAuthority: verifier.address, signature };
  await send(world, payer, await revokeCredentialInstructions({ payer: payer.address, ...signed }));
  await world.finalize();
}

/** Makes a proof of a rule set, with the committed proving key by default. Returns 256 bytes in base64. */
export async function proveRuleSet(options: {
  rule: Address;
  wallet: Address;
  witness: Attributes;
  body: ReturnType<typeof ruleSetBody>;
  expiresAt: bigint;
  /** Date code of the day on which age is counted. @default that on which the longest pass would begin */
  asOf?: number;
  zkey?: Uint8Array;
}): Promise<string> {
  const { expiresAt, body } = options;
  const input = await circuitInput({
    attributes: options.witness,
    clauses: body.clauses.map(clauseMasks),
    rule: addressBytes(options.rule),
    wallet: addressBytes(options.wallet),
    expiresAt,
    asOf: options.asOf ?? dateCodeAt(expiresAt - BigInt(body.maxPassAgeSeconds)),
  });
  return Buffer.from(await makeProof(input, options.zkey)).toString('base64');
}

/** Makes a circuit with the committed constraints and another setup. Neither circuit verifies the proofs of the other. */
export function nextCircuit(): Promise<NextCircuit> {
  next ??= makeNextCircuit();
  return next;
}

interface NextCircuit {
  readonly id: string;
  readonly zkey: Uint8Array;
  readonly verifyingKey: Uint8Array;
}

/** It takes seconds, and is always the same. */
let next: Promise<NextCircuit> | undefined;

async function makeNextCircuit(): Promise<NextCircuit> {
  const { zkey } = await readArtifacts();
  const { zKey } = await import('snarkjs');
  const contributed = { type: 'mem' as const, data: new Uint8Array() };
  await zKey.beacon(zkey, contributed, 'next', '01'.repeat(32), 10);
  const verifyingKey = packVerifyingKey(await zKey.exportVerificationKey(contributed));
  return { id: 'eligibility-next', zkey: contributed.data, verifyingKey };
}

/** Ends snarkjs's worker threads, if it has started any. */
export async function endProver(): Promise<void> {
  const { curve_bn128: curve } = globalThis as { curve_bn128?: { terminate(): Promise<void> } | null };
  await curve?.terminate();
}

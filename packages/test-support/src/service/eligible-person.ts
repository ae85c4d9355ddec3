/** A person with a credential on chain and proofs of it, without the client: snarkjs over the committed artifacts. */
import { randomBytes } from 'node:crypto';
import { readArtifacts } from '@service/circuit';
import { addressBytes, clauseMasks, regionIndexOf, statusIndexOf } from '@service/contract';
import { credentialMessage, issueCredentialInstructions } from '@service/protocol';
import {
  asOfDateCode,
  circuitInput,
  commitmentOf,
  encodeProof,
  fieldToBytes,
  packVerifyingKey,
  parseBirthDate,
  type SnarkjsProof,
  type SnarkjsVerifyingKey,
} from '@service/protocol/eligibility';
import { type Address, signBytes } from '@solana/kit';
import { send } from './chain.ts';
import type { ruleSetBody } from './visitor.ts';
import type { World } from './world.ts';

/** A retail investor in France, born in 1990. */
export function newWitness() {
  return {
    region: regionIndexOf('FR') ?? -1,
    status: statusIndexOf('retail') ?? -1,
    birthDate: parseBirthDate('1990-05-17'),
    salt: BigInt(`0x${randomBytes(31).toString('hex')}`),
  };
}

/** Issues a credential to the wallet on chain, as the verifier and the service do. */
export async function issueCredential(
  world: World,
  options: { wallet: Address; witness: ReturnType<typeof newWitness>; lifetimeSeconds?: bigint },
): Promise<void> {
  const issuedAt = BigInt(world.net.time);
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
  const instructions = await issueCredentialInstructions({
    payer: payer.address,
    statement,
    verifierAuthority: verifier.address,
    signature,
  });
  await send(world, payer, instructions);
  await world.finalize();
}

/** Makes a proof of a rule set with the committed proving key unless another is given; base64 of 256 bytes. */
export async function proveRuleSet(options: {
  rule: Address;
  wallet: Address;
  witness: ReturnType<typeof newWitness>;
  body: ReturnType<typeof ruleSetBody>;
  expiresAt: bigint;
  zkey?: Uint8Array;
}): Promise<string> {
  const { wasm, zkey } = await readArtifacts();
  const { expiresAt, body } = options;
  const input = await circuitInput({
    attributes: options.witness,
    clauses: body.clauses.map(clauseMasks),
    rule: addressBytes(options.rule),
    wallet: addressBytes(options.wallet),
    expiresAt,
    asOf: asOfDateCode({ expiresAt, maxPassAgeSeconds: BigInt(body.maxPassAgeSeconds) }),
  });
  const snarkjs = await loadSnarkjs();
  const witness = { type: 'mem' as const, data: new Uint8Array() };
  await snarkjs.wtns.calculate(input, wasm, witness, { memorySize: 1 });
  const { proof } = await snarkjs.groth16.prove(options.zkey ?? zkey, witness.data);
  return Buffer.from(encodeProof(proof)).toString('base64');
}

/**
 * The circuit after the committed one: the same constraints under another setup, so that neither's proofs verify under
 * the other's key.
 */
export async function nextCircuit(): Promise<{ id: string; zkey: Uint8Array; verifyingKey: Uint8Array }> {
  const { zkey } = await readArtifacts();
  const { zKey } = await loadSnarkjs();
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

interface Snarkjs {
  zKey: {
    beacon(from: Uint8Array, to: object, name: string, hash: string, exponent: number): Promise<unknown>;
    exportVerificationKey(zkey: object): Promise<SnarkjsVerifyingKey>;
  };
  wtns: {
    calculate(input: object, wasm: Uint8Array, to: object, options: { memorySize: number }): Promise<void>;
  };
  groth16: { prove(zkey: Uint8Array, witness: Uint8Array): Promise<{ proof: SnarkjsProof }> };
}

async function loadSnarkjs(): Promise<Snarkjs> {
  // biome-ignore lint/suspicious/noTsIgnore: another package of the same build may declare the module.
  // @ts-ignore
  return (await import('snarkjs')) as unknown as Snarkjs;
}

/** Rebuilds and compares a prepared transfer as the SDK does before each signature, and verifies one signature. */
import {
  operationMessage,
  planInstruction,
  programAddresses,
  splitWireTransaction,
  wireTransaction,
} from '@service/protocol';
import { createMint, createTokenAccount, send, startWorld } from '@service/server/test-service';
import type { Instruction, KeyPairSigner } from '@solana/kit';
import nacl from 'tweetnacl';
import { answer, timed } from './answer.mjs';

const REPEATS = 40;

const world = await startWorld();
const { payer } = world.keys;
const reader = { rpc: rememberingReads(), program: world.program, commitment: 'confirmed' } as const;
const wallet = payer.address;
const mint = await createMint(world, payer);
const rule = await programAddresses(world.program).ruleSet(wallet, 1n);
await land(
  payer,
  await planInstruction(reader, {
    kind: 'CREATE_RULE_SET',
    ...{ wallet, name: 'Adults', nonce: 1n, maxPassAgeSeconds: 86_400n },
    clauses: [{ regionMask: 2n, statusMask: 2, minAge: 18 }],
  }),
);
await land(
  payer,
  await planInstruction(reader, { kind: 'BIND_MINT', wallet, mint, rule, requireSource: true }),
);
const source = await createTokenAccount(world, payer, { mint, owner: wallet });
const destination = await createTokenAccount(world, payer, { mint, owner: world.keys.governance.address });
await world.finalize();

const intent = { kind: 'TRANSFER', wallet, mint, source, destination, amount: 1n } as const;
const lifetime = {
  operationId: '6f9619ff-8b86-4d01-b42d-000000000001',
  blockhash: world.net.genesisHash,
};
const rebuild = async () =>
  operationMessage({ wallet, ...lifetime, instruction: await planInstruction(reader, intent) });
const prepared = wireTransaction(await rebuild());
const key = nacl.sign.keyPair();
const message = splitWireTransaction(prepared)!.message;
const signature = nacl.sign.detached(message, key.secretKey);

answer({
  /** Milliseconds of one rebuild with its comparison. */
  ours: () =>
    repeated(async () => {
      const received = splitWireTransaction(prepared)!.message;
      const expected = await rebuild();
      if (received.length !== expected.length || !received.every((byte, at) => byte === expected[at]))
        throw new Error('The messages differ.');
    }),
  /** Milliseconds of one verification of a signature over the same message. */
  peer: () =>
    repeated(async () => {
      if (!nacl.sign.detached.verify(message, signature, key.publicKey))
        throw new Error('The signature is not valid.');
    }),
});

async function repeated(run: () => Promise<void>) {
  const { value, cpu } = await timed(async () => {
    for (let count = 0; count < REPEATS; count += 1) await run();
  });
  return { value: value / REPEATS, cpu: cpu / REPEATS };
}

async function land(signer: KeyPairSigner, instruction: Instruction): Promise<void> {
  await send(world, signer, [instruction]);
}

/** Returns an RPC that answers a repeated read of accounts from memory, because the reads are not measured. */
function rememberingReads() {
  const known = new Map<string, Promise<unknown>>();
  const getMultipleAccounts = (...parameters: Parameters<typeof world.rpc.getMultipleAccounts>) => ({
    send() {
      const place = JSON.stringify(parameters);
      const read = known.get(place) ?? world.rpc.getMultipleAccounts(...parameters).send();
      known.set(place, read);
      return read;
    },
  });
  return { getMultipleAccounts } as unknown as typeof world.rpc;
}

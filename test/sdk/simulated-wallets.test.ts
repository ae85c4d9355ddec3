/** The guards that simulated wallets add to each kind of operation hold on a real service's chain, and fit a transaction. */
import { clauseMasks, OPERATION_KINDS } from '@service/contract';
import { addStandInGuardProgram } from '@service/localnet';
import {
  type Intent,
  operationMessage,
  planInstruction,
  splitWireTransaction,
  wireTransaction,
} from '@service/protocol';
import { buildEligibilityContext, generateEligibilityProof, latestPassExpiry } from '@service/sdk';
import { type SimulatedWalletRpc, simulatedWallet } from '@service/testing';
import { type Base64EncodedWireTransaction, getBase64Decoder, type KeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { addPowers } from '../support/issuer-powers.ts';
import { useMarket } from './support/market.ts';

const OPERATION = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

const market = useMarket();
let intents: Record<Intent['kind'], { readonly signer: KeyPairSigner; readonly intent: Intent }>;
let circuitId: string;

beforeAll(async () => {
  const { world, issuer, rule, mint, source, destination, adults } = market;
  addStandInGuardProgram(world.net);
  circuitId = (await issuer.client.config()).artifacts.manifest.circuit;
  const { signer } = issuer;
  const by = { wallet: signer.address };
  const prover = await market.party();
  const facts = await prover.client.proofContext({ rule });
  const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
  const proof = await generateEligibilityProof(context, prover.witness, prover.client.artifacts);
  const clauses = adults.clauses.map(clauseMasks);
  const free = await market.createMint();
  const owned = await addPowers(world, signer, { holder: market.holder.signer.address });
  const stranger = { rule: owned.rule, holder: (await world.visitor()).address };
  const until = BigInt(world.net.time) + 3_600n;
  intents = {
    CREATE_RULE_SET: { signer, intent: { kind: 'CREATE_RULE_SET', ...by, ...adults, clauses, nonce: 99n } },
    BIND_MINT: { signer, intent: { kind: 'BIND_MINT', ...by, mint: free, rule, requireSource: true } },
    PROVE: { signer: prover.signer, intent: { kind: 'PROVE', ...proof, wallet: prover.signer.address } },
    ISSUE: { signer, intent: { kind: 'ISSUE', ...by, mint, destination: source, amount: 5n } },
    TRANSFER: { signer, intent: { kind: 'TRANSFER', ...by, mint, source, destination, amount: 5n } },
    RECOVER: {
      signer,
      intent: { kind: 'RECOVER', ...by, ...owned, amount: 5n, reason: 'lost-key' },
    },
    REDEEM: {
      signer,
      intent: { kind: 'REDEEM', ...by, mint: owned.mint, source: owned.source, amount: 5n, reason: 'other' },
    },
    SUSPEND: { signer, intent: { kind: 'SUSPEND', ...by, ...stranger, until } },
    GRANT: { signer, intent: { kind: 'GRANT', ...by, ...stranger, expiresAt: until } },
  };
});

/** Returns the unsigned transaction of an operation, as the service prepares it. */
async function prepare(intent: Intent): Promise<Uint8Array> {
  const { rpc, program } = market.world;
  const reader = { rpc, program, commitment: 'finalized' } as const;
  const instruction = await planInstruction(reader, intent, { circuitId });
  const { blockhash } = (await rpc.getLatestBlockhash().send()).value;
  return wireTransaction(
    operationMessage({ wallet: intent.wallet, operationId: OPERATION, blockhash, instruction }),
  );
}

/** Returns the error that a signed transaction would have now, or null. */
async function errorNow(wire: Uint8Array): Promise<unknown> {
  const encoded = getBase64Decoder().decode(wire) as Base64EncodedWireTransaction;
  const options = { encoding: 'base64', sigVerify: true, commitment: 'processed' } as const;
  return (await market.world.rpc.simulateTransaction(encoded, options).send()).value.err;
}

describe.each(['phantom-2026-01', 'phantom-2026-08', 'solflare', 'seeker'] as const)('%s', (id) => {
  test.each(OPERATION_KINDS)('%s: its additions hold, and they fit', async (kind) => {
    const { signer, intent } = intents[kind];
    const wire = await prepare(intent);
    const rpc: SimulatedWalletRpc = market.world.rpc;
    const signed = await simulatedWallet(id, signer, { rpc }).wallet.signTransaction(wire);
    expect(splitWireTransaction(signed)).not.toBeNull();
    expect(signed.length).toBeGreaterThan(wire.length + 90);
    expect(await errorNow(signed)).toBeNull();
  });
});

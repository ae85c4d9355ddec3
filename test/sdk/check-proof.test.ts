/** Whether a proof would get a pass, by checkProof and by the chain, in the same situations. */
import {
  credentialMessage,
  decodeTransactionError,
  issueCredentialInstructions,
  programAddresses,
  proveInstruction,
  readAccount,
  revocationMessage,
  revokeCredentialInstructions,
} from '@service/protocol';
import { commitmentOf, fieldToBytes } from '@service/protocol/eligibility';
import { getWithdrawPassFundsInstruction } from '@service/protocol/generated';
import type { ProofCheckReason } from '@service/sdk';
import {
  issueCredential,
  newWitness,
  nextCircuit,
  PASS_FEE,
  retireCircuit,
  send,
  setCircuit,
  setGovernance,
  setVerifier,
  transferSol,
} from '@service/test-support/service';
import { type Address, createNoopSigner, generateKeyPairSigner, signBytes } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Market, startMarket } from './support/market.ts';

let market: Market;
let circuitId: string;
beforeAll(async () => {
  market = await startMarket();
  circuitId = (await market.issuer.client.config()).artifacts.manifest.circuit;
});
afterAll(() => market?.close());

/** Refused last of all: whoever gets that far has passed every other check. */
const NO_PROOF = new Uint8Array(256).fill(1);
const PROOF_CHECK = 'PROOF_INVALID';

const inAnHour = () => BigInt(market.world.net.time) + 3_600n;

interface Asked {
  readonly wallet: Address;
  readonly rule?: Address;
  readonly expiresAt?: bigint;
}

async function compare({ wallet, rule = market.rule, expiresAt }: Asked) {
  const { world } = market;
  const verdict = await market.issuer.client.checkProof(
    { rule, ...(expiresAt === undefined ? {} : { expiresAt }) },
    { wallet },
  );
  const at = programAddresses(world.program);
  const instruction = await proveInstruction(
    world.program,
    {
      kind: 'PROVE',
      wallet,
      rule,
      expiresAt: expiresAt ?? verdict.latestExpiresAt ?? inAnHour(),
      proof: NO_PROOF,
    },
    { verifier: await at.verifier(world.keys.verifier.address), circuit: await at.circuit(circuitId) },
  );
  const err = await market.simulate(wallet, instruction);
  return { verdict, chain: decodeTransactionError('PROVE', err).programError?.name ?? JSON.stringify(err) };
}

/** Both must agree on whether the proof is looked at, and on why not. */
async function expectBoth(asked: Asked, reasons: readonly ProofCheckReason[], chain: string) {
  const { verdict, chain: found } = await compare(asked);
  expect(verdict.ok ? [] : verdict.reasons).toEqual(reasons);
  expect(found).toBe(chain);
  expect(verdict.ok).toBe(chain === PROOF_CHECK);
  return verdict;
}

async function revoke(wallet: Address): Promise<void> {
  const { world } = market;
  const statement = {
    program: world.program,
    genesisHash: world.net.genesisHash,
    wallet,
    revokedAt: BigInt(world.net.time),
  };
  const { verifier } = world.keys;
  const signature = await signBytes(verifier.keyPair.privateKey, revocationMessage(statement));
  const instructions = await revokeCredentialInstructions({
    statement,
    verifierAuthority: verifier.address,
    signature,
  });
  await send(world, world.keys.payer, instructions);
  await world.finalize();
}

/** Issues a credential whose time of issue the chain's clock has not reached yet, as verifiers ahead of it do. */
async function issueAhead(wallet: Address, witness: ReturnType<typeof newWitness>): Promise<void> {
  const { world } = market;
  const issuedAt = BigInt(world.net.time) + 200n;
  const statement = {
    program: world.program,
    genesisHash: world.net.genesisHash,
    wallet,
    commitment: fieldToBytes(commitmentOf(witness)),
    issuedAt,
    expiresAt: issuedAt + 30n * 86_400n,
  };
  const { verifier, payer } = world.keys;
  const signature = await signBytes(verifier.keyPair.privateKey, credentialMessage(statement));
  const asked = { payer: payer.address, statement, verifierAuthority: verifier.address, signature };
  await send(world, payer, await issueCredentialInstructions(asked));
  await world.finalize();
}

describe('the credential', () => {
  test('missing, then there, and the proof that is promised to pass does', async () => {
    const stranger = await market.world.visitor();
    await expectBoth(
      { wallet: stranger.address },
      [{ code: 'CREDENTIAL_REQUIRED', who: 'holder', revoked: false }],
      'CREDENTIAL_MISSING',
    );
    const { signer, client, witness } = await market.party();
    const verdict = await expectBoth({ wallet: signer.address }, [], PROOF_CHECK);
    expect(verdict).toMatchObject({ ok: true, pass: null, passFee: PASS_FEE });
    const { rule } = market;
    expect(await client.checkProof({ rule, witness })).toMatchObject({ ok: true });
    const proved = await market.live(() => client.prove(signer, { rule, witness }));
    const after = await client.checkProof({ rule });
    expect(after.pass).toMatchObject({ wallet: signer.address, expiresAt: proved.passExpiresAt });
    expect(after.pass!.secondsLeft).toBe(proved.passExpiresAt - after.chainTime);
  });

  test('revoked', async () => {
    const wallet = (await market.world.visitor()).address;
    await issueCredential(market.world, { wallet, witness: newWitness() });
    await revoke(wallet);
    const reason = { code: 'CREDENTIAL_REQUIRED', who: 'verifier', revoked: true } as const;
    await expectBoth({ wallet }, [reason], 'CREDENTIAL_REVOKED');
  });

  test('of a verifier that is switched off', async () => {
    const wallet = (await market.world.visitor()).address;
    await issueCredential(market.world, { wallet, witness: newWitness() });
    await setVerifier(market.world, false);
    const verifier = await programAddresses(market.world.program).verifier(
      market.world.keys.verifier.address,
    );
    await expectBoth(
      { wallet },
      [{ code: 'VERIFIER_INACTIVE', who: 'operator', verifier }],
      'VERIFIER_INACTIVE',
    );
    await setVerifier(market.world, true);
    await expectBoth({ wallet }, [], PROOF_CHECK);
  });

  test('to its last second, and no pass beyond it', async () => {
    const wallet = (await market.world.visitor()).address;
    const { world } = market;
    await issueCredential(world, { wallet, witness: newWitness(), lifetimeSeconds: 43_200n });
    const { latestExpiresAt } = await expectBoth({ wallet }, [], PROOF_CHECK);
    const expiresAt = latestExpiresAt! + 1n;
    const bad = { code: 'PASS_EXPIRY_INVALID', who: 'holder', latest: latestExpiresAt! } as const;
    await expectBoth({ wallet, expiresAt }, [bad], 'PASS_OUTLIVES_CREDENTIAL');
    world.net.setTime(latestExpiresAt!);
    world.net.finalize();
    world.net.setTime(latestExpiresAt!);
    world.net.advanceSlots(1);
    const gone = { code: 'CREDENTIAL_EXPIRED', who: 'holder', expiresAt: latestExpiresAt! } as const;
    const verdict = await expectBoth({ wallet }, [gone], 'CREDENTIAL_EXPIRED');
    expect(verdict.latestExpiresAt).toBeNull();
  });
});

describe('the rule set', () => {
  test('missing', async () => {
    const rule = (await generateKeyPairSigner()).address;
    const wallet = market.issuer.signer.address;
    const { verdict, chain } = await compare({ wallet, rule });
    expect(verdict).toMatchObject({
      ok: false,
      reasons: [{ code: 'NOT_FOUND', who: 'issuer' }],
    });
    expect(chain).toBe('WRONG_OWNER');
  });

  test('with pass funds for one fee, and a lamport short of that', async () => {
    const { world, issuer, rule } = market;
    const wallet = (await world.visitor()).address;
    await issueCredential(world, { wallet, witness: newWitness() });
    const { passFunds } = await issuer.client.proofContext({ rule }).then(({ ruleSet }) => ruleSet);
    const withdraw = async (lamports: bigint) => {
      const instruction = getWithdrawPassFundsInstruction(
        {
          creator: createNoopSigner(issuer.signer.address),
          ruleSet: rule,
          recipient: issuer.signer.address,
          lamports,
        },
        { programAddress: world.program },
      );
      await send(world, issuer.signer, [instruction]);
      await world.finalize();
    };
    await withdraw(passFunds - PASS_FEE);
    await expectBoth({ wallet }, [], PROOF_CHECK);
    await withdraw(1n);
    const short = { code: 'PASS_FEE_UNFUNDED', who: 'issuer', missingLamports: 1n } as const;
    await expectBoth({ wallet }, [short], 'PASS_FUNDS_TOO_LOW');
    await transferSol(world, issuer.signer, { destination: rule, lamports: 10_000_000n });
    await world.finalize();
  });

  test('and how late a pass can end', async () => {
    const wallet = (await market.world.visitor()).address;
    await issueCredential(market.world, { wallet, witness: newWitness() });
    const { latestExpiresAt, chainTime } = await expectBoth({ wallet }, [], PROOF_CHECK);
    expect(latestExpiresAt).toBe(chainTime + 86_400n);
    for (const expiresAt of [latestExpiresAt! + 60n, chainTime - 1n]) {
      const { verdict, chain } = await compare({ wallet, expiresAt });
      const bad = { code: 'PASS_EXPIRY_INVALID', who: 'holder', latest: verdict.latestExpiresAt! };
      expect([verdict.ok ? [] : verdict.reasons, chain]).toEqual([[bad], 'PASS_EXPIRY_INVALID']);
    }
  });
});

describe('governance', () => {
  test('that has paused, or set no fee', async () => {
    const wallet = (await market.world.visitor()).address;
    await issueCredential(market.world, { wallet, witness: newWitness() });
    await setGovernance(market.world, { paused: true, passFee: PASS_FEE });
    await market.world.finalize();
    await expectBoth({ wallet }, [{ code: 'PROTOCOL_PAUSED', who: 'operator' }], 'PROTOCOL_PAUSED');
    await setGovernance(market.world, { passFee: null });
    await market.world.finalize();
    const verdict = await expectBoth(
      { wallet },
      [{ code: 'PASS_FEE_UNSET', who: 'operator' }],
      'PASS_FEE_UNSET',
    );
    expect(verdict.passFee).toBeNull();
    await setGovernance(market.world, { passFee: PASS_FEE });
    await market.world.finalize();
  });
});

describe('the pass that there is', () => {
  test('is renewed from half of the longest life on, and at once with a newer credential', async () => {
    const { world, rule } = market;
    const { signer, client, witness } = await market.party();
    const wallet = signer.address;
    await market.live(() => client.prove(signer, { rule, witness }));
    const reader = { rpc: world.rpc, program: world.program, commitment: 'finalized' } as const;
    const pass = await readAccount(reader, 'pass', await programAddresses(world.program).pass(rule, wallet));
    const renewableAt = pass!.data.issuedAt + 43_200n;
    const { verdict, chain } = await compare({ wallet });
    const secondsLeft = renewableAt - verdict.chainTime;
    const early = { code: 'PASS_RENEWAL_TOO_EARLY', who: 'holder', renewableAt, secondsLeft } as const;
    expect([verdict.ok ? [] : verdict.reasons, chain]).toEqual([[early], 'PASS_RENEWAL_TOO_EARLY']);

    // A credential must be newer than the one that it replaces.
    world.net.setTime(world.net.time + 2);
    world.net.advanceSlots(1);
    await issueCredential(world, { wallet, witness: { ...newWitness(), salt: BigInt(witness.salt) } });
    await expectBoth({ wallet }, [], PROOF_CHECK);
    expect(await client.checkProof({ rule, witness })).toMatchObject({ ok: true });
    // Newer by its commitment alone: its time of issue has not come.
    await issueAhead(wallet, newWitness());
    await expectBoth({ wallet }, [], PROOF_CHECK);
    // The one behind the older credential does not belong any more.
    expect(await client.checkProof({ rule, witness })).toMatchObject({
      reasons: [{ code: 'WITNESS_INVALID' }],
    });

    const other = await market.party();
    await market.live(() => other.client.prove(other.signer, { rule, witness: other.witness }));
    world.net.setTime(world.net.time + 43_300);
    world.net.advanceSlots(1);
    await world.finalize();
    await expectBoth({ wallet: other.signer.address }, [], PROOF_CHECK);
  });
});

describe('prove asks the wallet for nothing', () => {
  /** A wallet that signs in, and must be asked for nothing more. */
  const unasked = (signer: Awaited<ReturnType<Market['party']>>['signer']) => {
    const signTransactions = vi.fn(signer.signTransactions);
    return { wallet: { ...signer, signTransactions }, signTransactions };
  };

  test('before the pass can be renewed, from the witness or with a proof', async () => {
    const { rule } = market;
    const { signer, client, witness } = await market.party();
    const { passExpiresAt, ...operation } = await market.live(() => client.prove(signer, { rule, witness }));
    // The only expiry that is told is the pass's.
    expect(passExpiresAt).toBeGreaterThan(BigInt(market.world.net.time) + 80_000n);
    expect(operation).not.toHaveProperty('expiresAt');

    const { wallet, signTransactions } = unasked(signer);
    const onProgress = vi.fn();
    const verdict = await client.checkProof({ rule });
    const [reason] = verdict.ok ? [] : verdict.reasons;
    if (reason?.code !== 'PASS_RENEWAL_TOO_EARLY') throw new Error(reason?.code);
    const refused = { code: 'PASS_RENEWAL_TOO_EARLY', context: { renewableAt: reason.renewableAt } };
    await expect(client.prove(wallet, { rule, witness }, { onProgress })).rejects.toMatchObject(refused);
    const proof = { rule, expiresAt: inAnHour(), proof: NO_PROOF };
    await expect(client.prove(wallet, proof)).rejects.toMatchObject(refused);
    expect([signTransactions, onProgress].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  test('where the rule set has no funds for the fee', async () => {
    const { issuer } = market;
    const { signer, client, witness } = await market.party();
    const { rule } = await market.live(() =>
      issuer.client.createRuleSet(issuer.signer, {
        name: 'Without funds',
        clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }],
        maxPassAgeSeconds: 86_400n,
      }),
    );
    const { wallet, signTransactions } = unasked(signer);
    const onProgress = vi.fn();
    await expectRefusal(client.prove(wallet, { rule, witness }, { onProgress }), 'PASS_FEE_UNFUNDED', {
      message: expect.stringContaining(`${PASS_FEE} lamports below the pass fee`),
    });
    expect([signTransactions, onProgress].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  test('while the protocol is paused', async () => {
    const { rule } = market;
    const { signer, client, witness } = await market.party();
    const { wallet, signTransactions } = unasked(signer);
    const onProgress = vi.fn();
    await setGovernance(market.world, { paused: true, passFee: PASS_FEE });
    await market.world.finalize();
    await expectRefusal(client.prove(wallet, { rule, witness }, { onProgress }), 'PROTOCOL_PAUSED', {
      retryable: true,
    });
    await setGovernance(market.world, { passFee: PASS_FEE });
    await market.world.finalize();
    expect([signTransactions, onProgress].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });
});

describe('the witness', () => {
  test('is told what each clause leaves unmet, and of whom it is not', async () => {
    const { issuer } = market;
    const { rule } = await market.live(() =>
      issuer.client.createRuleSet(issuer.signer, {
        name: 'Two ways',
        clauses: [
          { regions: ['FR'], statuses: ['professional'], minAge: 40 },
          { regions: ['DE'], statuses: ['retail'], minAge: 18 },
        ],
        maxPassAgeSeconds: 86_400n,
      }),
    );
    const { witness, signer } = issuer;
    const verdict = await issuer.client.checkProof({ rule, witness });
    expect(verdict).toMatchObject({
      ok: false,
      reasons: [
        { code: 'PASS_FEE_UNFUNDED' },
        {
          code: 'NOT_ELIGIBLE',
          who: 'holder',
          clauses: [
            { clause: 0, unmet: ['status', 'age'] },
            { clause: 1, unmet: ['region'] },
          ],
        },
      ],
    });
    for (const wrong of [
      market.holder.witness,
      { ...witness, salt: '5' },
      { ...witness, region: 'Atlantis' },
      { ...witness, wallet: market.holder.signer.address },
    ]) {
      const { reasons } = (await issuer.client.checkProof(
        { rule, witness: wrong },
        { wallet: signer.address },
      )) as { reasons: readonly ProofCheckReason[] };
      expect(reasons.map(({ code }) => code)).toEqual(['PASS_FEE_UNFUNDED', 'WITNESS_INVALID']);
    }
  });
});

describe('the circuit', () => {
  test('replaced: until its grace ends; and unsound: at once', async () => {
    const { world } = market;
    const wallet = (await world.visitor()).address;
    await issueCredential(world, { wallet, witness: newWitness() });
    const { id, verifyingKey } = await nextCircuit();
    await setCircuit(world, { id, graceSeconds: 3_600n, verifyingKey });
    await expectBoth({ wallet }, [], PROOF_CHECK);
    const reader = { rpc: world.rpc, program: world.program, commitment: 'finalized' } as const;
    const at = programAddresses(world.program);
    const old = await readAccount(reader, 'circuit', await at.circuit(circuitId));
    const retiredAt = old!.data.retiredAt.__option === 'Some' ? old!.data.retiredAt.value : 0n;
    world.net.setTime(retiredAt);
    world.net.finalize();
    world.net.setTime(retiredAt);
    world.net.advanceSlots(1);
    await expectBoth(
      { wallet },
      [{ code: 'CIRCUIT_RETIRED', who: 'operator', retiredAt }],
      'CIRCUIT_RETIRED',
    );
    await retireCircuit(world, { id: circuitId, unsound: true });
    await expectBoth(
      { wallet },
      [{ code: 'CIRCUIT_RETIRED', who: 'operator', retiredAt: null }],
      'CIRCUIT_RETIRED',
    );
    const artifactsDigest = 'ab'.repeat(32);
    const client = market.newClient({ deployment: { ...market.deployment, artifactsDigest } });
    expect(await client.checkProof({ rule: market.rule }, { wallet })).toMatchObject({
      ok: false,
      reasons: [{ code: 'CIRCUIT_MISMATCH', who: 'operator' }],
    });
  });
});

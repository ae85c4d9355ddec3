/** Whether a proof would get a pass, by checkProof and by the chain, in the same situations. */
import { readArtifacts } from '@service/circuit';
import {
  decodeTransactionError,
  MEMO_PROGRAM,
  programAddresses,
  proveInstruction,
  readAccount,
} from '@service/protocol';
import { manifestDigest } from '@service/protocol/eligibility';
import { getPassCodec, getRuleSetCodec, getWithdrawPassFundsInstruction } from '@service/protocol/generated';
import type { ProofCheckReason } from '@service/sdk';
import { fetchRuleSet, setMaxPassFee } from '@service/sdk/chain';
import {
  endPasses,
  issueCredential,
  newWitness,
  nextCircuit,
  ORIGIN,
  PASS_FEE,
  pause,
  retireCircuit,
  revokeCredential,
  setCircuit,
  setPassFee,
  setVerifier,
  transferSol,
  unpause,
} from '@service/server/test-service';
import { type Address, createNoopSigner, generateKeyPairSigner, unwrapOption } from '@solana/kit';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { changeAccount } from '../support/change-account.ts';
import { changedResponses } from '../support/changed-responses.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
let circuitId: string;
beforeAll(async () => {
  circuitId = (await market.issuer.client.config()).artifacts.manifest.circuit;
});

/** The program verifies the proof last, so a wallet that gets this error has passed every other check. */
const NO_PROOF = new Uint8Array(256).fill(1);
const PROOF_CHECK = 'PROOF_INVALID';

const inAnHour = () => BigInt(market.world.net.time) + 3_600n;
const at = () => programAddresses(market.world.program);
const reader = () =>
  ({ rpc: market.world.rpc, program: market.world.program, commitment: 'finalized' }) as const;

interface Request {
  readonly wallet: Address;
  readonly rule?: Address;
  readonly expiresAt?: bigint;
}

/** Returns the verdict of checkProof with its reasons, and the name of the program's error. */
async function compare({ wallet, rule = market.rule, expiresAt }: Request) {
  const { world } = market;
  const request = { rule, ...(expiresAt === undefined ? {} : { expiresAt }) };
  const verdict = await market.issuer.client.checkProof(request, { wallet });
  const expiry = expiresAt ?? verdict.latestExpiresAt ?? inAnHour();
  const instruction = await proveInstruction(
    world.program,
    { kind: 'PROVE', wallet, rule, expiresAt: expiry, asOf: 1, proof: NO_PROOF },
    { verifier: await at().verifier(world.keys.verifier.address), circuit: await at().circuit(circuitId) },
  );
  const err = await market.simulate(wallet, instruction);
  const { program } = world;
  const failed = { action: 'PROVE', program, programs: [MEMO_PROGRAM, program] } as const;
  const chain = decodeTransactionError(failed, err).programError?.name ?? JSON.stringify(err);
  return { verdict, reasons: verdict.ok ? [] : verdict.reasons, chain };
}

/** Checks that both agree on whether the proof is verified, and on why it is not. */
async function expectBoth(request: Request, reasons: readonly ProofCheckReason[], chain = PROOF_CHECK) {
  const both = await compare(request);
  expect(both.reasons).toEqual(reasons);
  expect(both.chain).toBe(chain);
  expect(both.verdict.ok).toBe(chain === PROOF_CHECK);
  return both.verdict;
}

/** Creates a wallet with a credential. */
async function walletWithCredential(options: { lifetimeSeconds?: bigint } = {}): Promise<Address> {
  const wallet = (await market.world.visitor()).address;
  await issueCredential(market.world, { wallet, witness: newWitness(), ...options });
  return wallet;
}

async function govern(change: (world: typeof market.world) => Promise<void>): Promise<void> {
  await change(market.world);
  await market.world.finalize();
}

describe('the credential', () => {
  test('missing, then issued, and the proof that should pass does', async () => {
    const { address: wallet } = await market.world.visitor();
    const missing = { code: 'CREDENTIAL_REQUIRED', who: 'holder', revoked: false } as const;
    await expectBoth({ wallet }, [missing], 'CREDENTIAL_MISSING');
    const { signer, client, witness } = await market.party();
    const verdict = await expectBoth({ wallet: signer.address }, []);
    expect(verdict).toMatchObject({ ok: true, pass: null, passFee: PASS_FEE });
    const { rule } = market;
    expect(await client.checkProof({ rule, witness })).toMatchObject({ ok: true });
    const proved = await market.live(() => client.prove(signer, { rule, witness }));
    const after = await client.checkProof({ rule });
    expect(after.pass).toMatchObject({ wallet: signer.address, expiresAt: proved.passExpiresAt });
    expect(after.pass!.secondsLeft).toBe(proved.passExpiresAt - after.chainTime);
  });

  test('revoked', async () => {
    const wallet = await walletWithCredential();
    await revokeCredential(market.world, wallet);
    const reason = { code: 'CREDENTIAL_REQUIRED', who: 'verifier', revoked: true } as const;
    await expectBoth({ wallet }, [reason], 'CREDENTIAL_REVOKED');
  });

  test('of a verifier that is switched off', async () => {
    const wallet = await walletWithCredential();
    await setVerifier(market.world, false);
    const verifier = await at().verifier(market.world.keys.verifier.address);
    const reason = { code: 'VERIFIER_INACTIVE', who: 'operator', verifier } as const;
    await expectBoth({ wallet }, [reason], 'VERIFIER_INACTIVE');
    await setVerifier(market.world, true);
    await expectBoth({ wallet }, []);
  });

  test('until its last second, and no pass after it', async () => {
    const wallet = await walletWithCredential({ lifetimeSeconds: 43_200n });
    const { latestExpiresAt } = await expectBoth({ wallet }, []);
    const latest = latestExpiresAt!;
    const bad = { code: 'PASS_EXPIRY_INVALID', who: 'holder', latest } as const;
    await expectBoth({ wallet, expiresAt: latest + 1n }, [bad], 'PASS_OUTLIVES_CREDENTIAL');
    market.setTime(latest);
    const gone = { code: 'CREDENTIAL_EXPIRED', who: 'holder', expiresAt: latest } as const;
    const verdict = await expectBoth({ wallet }, [gone], 'CREDENTIAL_EXPIRED');
    expect(verdict.latestExpiresAt).toBeNull();
  });
});

describe('the rule set', () => {
  test('missing', async () => {
    const rule = (await generateKeyPairSigner()).address;
    const { verdict, chain } = await compare({ wallet: market.issuer.signer.address, rule });
    expect(verdict).toMatchObject({ ok: false, reasons: [{ code: 'NOT_FOUND', who: 'issuer' }] });
    expect(chain).toBe('WRONG_OWNER');
  });

  test('with a limit below the fee, until its creator agrees', async () => {
    const wallet = await walletWithCredential();
    const { issuer, holder, rule } = market;
    const asked = { deployment: market.deployment, rpc: market.world.net.rpc, clock: market.clock(), rule };
    const agree = (lamports: bigint) =>
      market.live(() => setMaxPassFee(issuer.signer, { ...asked, lamports }));
    await agree(PASS_FEE - 1n);
    const limit = { code: 'PASS_FEE_ABOVE_LIMIT', who: 'issuer', maxPassFee: PASS_FEE - 1n } as const;
    await expectBoth({ wallet }, [limit], 'PASS_FEE_ABOVE_LIMIT');
    await expectRefusal(setMaxPassFee(holder.signer, { ...asked, lamports: PASS_FEE }), 'INVALID_ARGUMENT');
    await agree(PASS_FEE);
    await expectBoth({ wallet }, []);
  });

  test('with pass funds for one fee, and one lamport less', async () => {
    const { world, issuer, rule } = market;
    const wallet = await walletWithCredential();
    const { passFunds } = (await issuer.client.proofContext({ rule })).ruleSet;
    const creator = createNoopSigner(issuer.signer.address);
    const withdraw = (lamports: bigint) =>
      market.sendFinal([
        getWithdrawPassFundsInstruction(
          { creator, ruleSet: rule, recipient: creator.address, lamports },
          { programAddress: world.program },
        ),
      ]);
    await withdraw(passFunds - PASS_FEE);
    await expectBoth({ wallet }, []);
    await withdraw(1n);
    const short = { code: 'PASS_FEE_UNFUNDED', who: 'issuer', missingLamports: 1n } as const;
    await expectBoth({ wallet }, [short], 'PASS_FUNDS_TOO_LOW');
    await transferSol(world, issuer.signer, { destination: rule, lamports: 10_000_000n });
    await world.finalize();
  });

  test('and how late a pass can expire', async () => {
    const wallet = await walletWithCredential();
    const { latestExpiresAt, chainTime } = await expectBoth({ wallet }, []);
    expect(latestExpiresAt).toBe(chainTime + 86_400n);
    for (const expiresAt of [latestExpiresAt! + 60n, chainTime - 1n]) {
      const { verdict, reasons, chain } = await compare({ wallet, expiresAt });
      const bad = { code: 'PASS_EXPIRY_INVALID', who: 'holder', latest: verdict.latestExpiresAt! };
      expect([reasons, chain]).toEqual([[bad], 'PASS_EXPIRY_INVALID']);
    }
  });
});

describe('governance', () => {
  test('that has paused, or set no fee', async () => {
    const wallet = await walletWithCredential();
    await govern(pause);
    await expectBoth({ wallet }, [{ code: 'PROTOCOL_PAUSED', who: 'operator' }], 'PROTOCOL_PAUSED');
    await govern(unpause);
    await govern((world) => setPassFee(world, null));
    const unset = { code: 'PASS_FEE_UNSET', who: 'operator' } as const;
    const verdict = await expectBoth({ wallet }, [unset], 'PASS_FEE_UNSET');
    expect(verdict.passFee).toBeNull();
    await govern((world) => setPassFee(world, PASS_FEE));
  });
});

describe('an existing pass', () => {
  test('is renewed from half of the longest life on, and from an hour on with another commitment', async () => {
    const { world, rule } = market;
    const { signer, client, witness } = await market.party();
    const wallet = signer.address;
    await market.live(() => client.prove(signer, { rule, witness }));
    const pass = await readAccount(reader(), 'pass', await at().pass(rule, wallet));
    const renewableAt = pass!.data.issuedAt + 43_200n;
    const { verdict, reasons, chain } = await compare({ wallet });
    const secondsLeft = renewableAt - verdict.chainTime;
    const early = { code: 'PASS_RENEWAL_TOO_EARLY', who: 'holder', renewableAt, secondsLeft } as const;
    expect([reasons, chain]).toEqual([[early], 'PASS_RENEWAL_TOO_EARLY']);

    // A credential must be newer than the one that it replaces.
    world.net.setTime(world.net.time + 2);
    world.net.advanceSlots(1);
    await issueCredential(world, {
      wallet,
      witness: { ...newWitness(), salt: BigInt(witness.salt), person: BigInt(witness.person) },
    });
    expect((await compare({ wallet })).reasons).toMatchObject([{ code: early.code, renewableAt }]);
    // Its time may be in the future, because the clock of its verifier is ahead.
    await issueCredential(world, { wallet, witness: newWitness(), secondsAhead: 200n });
    const soonerAt = pass!.data.issuedAt + 3_600n;
    const sooner = await compare({ wallet });
    expect(sooner.reasons).toMatchObject([{ code: early.code, renewableAt: soonerAt }]);
    expect(sooner.chain).toBe('PASS_RENEWAL_TOO_EARLY');
    // The witness of the older credential is not valid any more.
    const invalid = { reasons: [{ code: early.code }, { code: 'WITNESS_INVALID' }] };
    expect(await client.checkProof({ rule, witness })).toMatchObject(invalid);
    market.setTime(soonerAt);
    await expectBoth({ wallet }, []);

    const other = await market.party();
    await market.live(() => other.client.prove(other.signer, { rule, witness: other.witness }));
    world.net.setTime(world.net.time + 43_300);
    world.net.advanceSlots(1);
    await world.finalize();
    await expectBoth({ wallet: other.signer.address }, []);
  });
});

describe('the creator of the rule set', () => {
  test('suspends a pass: it cannot be renewed until that lapses, and the wallet is asked for nothing', async () => {
    const { world, rule } = market;
    const { signer, client, witness } = await market.party();
    await market.live(() => client.prove(signer, { rule, witness }));
    const suspendedUntil = BigInt(world.net.time) + 50_000n;
    const pass = await at().pass(rule, signer.address);
    await changeAccount(world.net, pass, getPassCodec(), { suspendedUntil });
    const reason = { code: 'PASS_SUSPENDED', who: 'issuer', suspendedUntil } as const;
    const check = await expectBoth({ wallet: signer.address }, [reason], 'PASS_SUSPENDED');
    expect(check.pass).toMatchObject({ secondsLeft: 0n, suspendedUntil });
    const refused = (until: string) =>
      expectRefusal(client.prove(signer, { rule, witness }), 'PASS_SUSPENDED', {
        message: expect.stringContaining(`suspended the pass until ${until}. Ask the creator.`),
      });
    await refused(`${suspendedUntil} (Unix seconds)`);
    await changeAccount(world.net, pass, getPassCodec(), { suspendedUntil: 2n ** 64n - 1n });
    await refused('the creator lifts it');
    await changeAccount(world.net, pass, getPassCodec(), { suspendedUntil });
    market.setTime(suspendedUntil);
    await expectBoth({ wallet: signer.address }, []);
  });

  test('fixed another verifier', async () => {
    const { world, rule } = market;
    const wallet = await walletWithCredential();
    const verifier = await at().verifier(wallet);
    await changeAccount(world.net, rule, getRuleSetCodec(), { verifier });
    const reason = { code: 'VERIFIER_NOT_ACCEPTED', who: 'holder', verifier } as const;
    await expectBoth({ wallet }, [reason], 'VERIFIER_NOT_ACCEPTED');
    await changeAccount(world.net, rule, getRuleSetCodec(), { verifier: null });
    await expectBoth({ wallet }, []);
  });
});

describe('a pass that governance ended', () => {
  test('has no time left, and can be renewed at once, without a fee and without pass funds', async () => {
    const { world, rule } = market;
    const { signer, client, witness } = await market.party();
    await market.live(() => client.prove(signer, { rule, witness }));
    await expectBoth({ wallet: signer.address }, [expect.anything()], 'PASS_RENEWAL_TOO_EARLY');
    await govern(endPasses);
    world.net.setTime(world.net.time + 2);
    world.net.advanceSlots(1);
    await world.finalize();
    const verdict = await expectBoth({ wallet: signer.address }, []);
    expect(verdict).toMatchObject({ pass: { secondsLeft: 0n }, passFee: 0n });
    const chain = { deployment: market.deployment, rpc: world.net.rpc, rule };
    const before = (await fetchRuleSet(chain))!.passFunds;
    await market.live(() => client.prove(signer, { rule, witness }));
    expect((await fetchRuleSet(chain))!.passFunds).toBe(before);
  });
});

describe('prove asks the wallet for nothing', () => {
  /** Returns a party whose wallet has signed in, and a check that it signs and proves nothing more. */
  async function watched() {
    const { signer, client, witness } = await market.party();
    const signTransactions = vi.fn(signer.signTransactions);
    const onProgress = vi.fn();
    const expectUnused = () =>
      expect([signTransactions, onProgress].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    const wallet = { ...signer, signTransactions };
    const prove = (rule = market.rule) => client.prove(wallet, { rule, witness }, { onProgress });
    return { signer, wallet, client, witness, prove, expectUnused };
  }

  test('before the pass can be renewed, from the witness or with a proof', async () => {
    const { rule } = market;
    const { signer, wallet, client, witness, prove, expectUnused } = await watched();
    const { passExpiresAt, ...operation } = await market.live(() => client.prove(signer, { rule, witness }));
    // The only expiry in the result is the pass's.
    expect(passExpiresAt).toBeGreaterThan(BigInt(market.world.net.time) + 80_000n);
    expect(operation).not.toHaveProperty('expiresAt');

    const verdict = await client.checkProof({ rule });
    const [reason] = verdict.ok ? [] : verdict.reasons;
    if (reason?.code !== 'PASS_RENEWAL_TOO_EARLY') throw new Error(reason?.code);
    const rejection = { code: 'PASS_RENEWAL_TOO_EARLY', context: { renewableAt: reason.renewableAt } };
    await expect(prove()).rejects.toMatchObject(rejection);
    const proof = { rule, expiresAt: inAnHour(), asOf: 1, proof: NO_PROOF };
    await expect(client.prove(wallet, proof)).rejects.toMatchObject(rejection);
    expectUnused();
  });

  test('when the rule set has no funds for the fee', async () => {
    const { prove, expectUnused } = await watched();
    const { client, signer } = market.issuer;
    const { rule } = await market.live(() => client.createRuleSet(signer, market.adults));
    await expectRefusal(prove(rule), 'PASS_FEE_UNFUNDED', {
      message: expect.stringContaining(`${PASS_FEE} lamports below the pass fee`),
    });
    expectUnused();
  });

  test('while the protocol is paused', async () => {
    const { prove, expectUnused } = await watched();
    await govern(pause);
    await expectRefusal(prove(), 'PROTOCOL_PAUSED', { retryable: true });
    await govern(unpause);
    expectUnused();
  });
});

describe('the witness', () => {
  test('causes reasons with what each clause leaves unmet, or with whose it is', async () => {
    const { witness, signer, client } = market.issuer;
    const clauses = [
      { regions: ['FR'], statuses: ['professional'], minAge: 40 },
      { regions: ['DE'], statuses: ['retail'], minAge: 18 },
    ] as const;
    const { rule } = await market.live(() => client.createRuleSet(signer, { ...market.adults, clauses }));
    const unmet = [
      { clause: 0, unmet: ['status', 'age'] },
      { clause: 1, unmet: ['region'] },
    ];
    expect(await client.checkProof({ rule, witness })).toMatchObject({
      ok: false,
      reasons: [{ code: 'PASS_FEE_UNFUNDED' }, { code: 'NOT_ELIGIBLE', who: 'holder', clauses: unmet }],
    });
    for (const wrong of [
      market.holder.witness,
      { ...witness, salt: '5' },
      { ...witness, region: 'Atlantis' },
      { ...witness, wallet: market.holder.signer.address },
    ]) {
      const verdict = await client.checkProof({ rule, witness: wrong }, { wallet: signer.address });
      const codes = verdict.ok ? [] : verdict.reasons.map(({ code }) => code);
      expect(codes).toEqual(['PASS_FEE_UNFUNDED', 'WITNESS_INVALID']);
    }
  });
});

describe('the circuit', () => {
  test('of a client that pins earlier artifacts than the service has: while the site serves them', async () => {
    const wallet = await walletWithCredential();
    const { app } = market.world.created;
    const { artifacts } = await market.issuer.client.config();
    const manifest = { ...artifacts.manifest, circuit: 'newer' };
    const newer = { ...artifacts, manifest, digest: await manifestDigest(manifest) };
    const mismatch = { code: 'CIRCUIT_MISMATCH', who: 'operator' };
    for (const [isServed, reasons] of [
      [false, [mismatch]],
      [true, []],
    ] as const) {
      const request: typeof fetch = async (input, init) => {
        const asked = new Request(input, init);
        const isFile = new URL(asked.url).pathname.startsWith('/artifacts/');
        return isFile && !isServed ? new Response(null, { status: 404 }) : app.request(asked);
      };
      const client = market.newClient({
        fetch: changedResponses(request, (config) => ({ ...config, artifacts: newer }), '/api/config'),
      });
      const verdict = await client.checkProof({ rule: market.rule }, { wallet });
      expect(verdict.ok ? [] : verdict.reasons).toEqual(reasons);
    }
  });

  test('replaced: until its grace period ends; and unsound: at once', async () => {
    const { world } = market;
    const wallet = await walletWithCredential();
    const { id, verifyingKey } = await nextCircuit();
    await setCircuit(world, { id, graceSeconds: 3_600n, verifyingKey });
    await expectBoth({ wallet }, []);
    const old = await readAccount(reader(), 'circuit', await at().circuit(circuitId));
    const retiredAt = unwrapOption(old!.data.retiredAt, () => 0n);
    const retired = { code: 'CIRCUIT_RETIRED', who: 'operator' } as const;
    market.setTime(retiredAt);
    await expectBoth({ wallet }, [{ ...retired, retiredAt }], 'CIRCUIT_RETIRED');
    await retireCircuit(world, { id: circuitId, unsound: true });
    await expectBoth({ wallet }, [{ ...retired, retiredAt: null }], 'CIRCUIT_RETIRED');
    const artifactsDigest = 'ab'.repeat(32);
    const client = market.newClient({ deployment: { ...market.deployment, artifactsDigest } });
    expect(await client.checkProof({ rule: market.rule }, { wallet })).toMatchObject({
      ok: false,
      reasons: [{ code: 'CIRCUIT_MISMATCH', who: 'operator' }],
    });
  });

  test('on chain with the pinned digest and another verifying key: never', async () => {
    const { world } = market;
    const wallet = await walletWithCredential();
    const { manifest } = (await market.issuer.client.config()).artifacts;
    const request: typeof fetch = async (input, init) => world.created.app.request(new Request(input, init));
    const mismatch = { code: 'CIRCUIT_MISMATCH', who: 'operator' };
    for (const [id, verifyingKey, reasons] of [
      ['right-key', (await readArtifacts()).key, []],
      ['another-key', (await nextCircuit()).verifyingKey, [mismatch]],
    ] as const) {
      const artifacts = { digest: '', baseUrl: ORIGIN, manifest: { ...manifest, circuit: id } };
      artifacts.digest = await manifestDigest(artifacts.manifest);
      const { digest: artifactsDigest } = artifacts;
      await setCircuit(world, { id, artifactsDigest, graceSeconds: 3_600n, verifyingKey });
      const client = market.newClient({
        deployment: { ...market.deployment, artifactsDigest },
        fetch: changedResponses(request, (config) => ({ ...config, artifacts }), '/api/config'),
      });
      const verdict = await client.checkProof({ rule: market.rule }, { wallet });
      expect(verdict.ok ? [] : verdict.reasons).toEqual(reasons);
    }
  });
});

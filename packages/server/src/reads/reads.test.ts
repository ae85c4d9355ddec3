import { createHash } from 'node:crypto';
import {
  configResponse,
  MAX_PASSPORT_RECORDS,
  mintBindingResponse,
  networkResponse,
  type Passport,
  passportResponse,
  proofContextResponse,
  type Rules,
  rulesResponse,
} from '@service/contract';
import { findProgramDataAddress, PASS_FEE_RAISE_DELAY_SECONDS, UPGRADEABLE_LOADER } from '@service/protocol';
import {
  type Credential,
  getCredentialEncoder,
  getMintBindingEncoder,
  getPassEncoder,
  getRuleSetEncoder,
  type MintBinding,
  type Pass,
} from '@service/protocol/generated';
import { ORIGIN, PASS_FEE, Visitor } from '@service/server/test-service';
import { AccountRole, type Address, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { randomAddress, serviceOnChain } from '../../test/support/service-on-chain.ts';
import { addSession } from '../../test/support/verification/sessions.ts';

const on = serviceOnChain();
const { clock } = on;
let visitor: Visitor;

beforeAll(async () => {
  await follow();
  visitor = await on.service.visitor();
});

const follow = () => on.service.follow();
const plant: typeof on.service.plant = (...accounts) => on.service.plant(...accounts);
const INVALID = { status: 400, code: 'INVALID_REQUEST' };
const CLAUSE = { regionMask: new Uint8Array(32).fill(1, 31), statusMask: 1, minAge: 18 };
type Clause = typeof CLAUSE;
/** Encodes a rule set account. */
const ruleSetAccount = (
  creator: Address,
  nonce: bigint,
  { clauses = [CLAUSE], fees = 0n, verifier }: { clauses?: Clause[]; fees?: bigint; verifier?: Address } = {},
) =>
  getRuleSetEncoder().encode({
    bump: 255,
    creator,
    nonce,
    name: 'x',
    fees,
    maxPassFee: PASS_FEE,
    ruleHash: new Uint8Array(32),
    clauseHashes: Array(8).fill(new Uint8Array(32)),
    maxPassAgeSeconds: 3_600n,
    clauses,
    verifier: verifier ?? null,
  });

/** Returns the decoded body of a successful response. */
function decode<S extends z.ZodMiniType>(schema: S, answer: { status: number; body: unknown }): z.output<S> {
  expect(answer).toMatchObject({ status: 200 });
  return z.decode(schema, answer.body as z.input<S>);
}

async function send(to: Address, amount: bigint): Promise<void> {
  const source = on.chain.keys.payer;
  await on.chain.land([source], [getTransferSolInstruction({ source, destination: to, amount })]);
  on.chain.net.finalize();
}

/** Creates a rule set of a new wallet. */
async function creatorOfRuleSet() {
  const who = await on.service.visitor();
  const rule = await on.chain.ruleSet(who.signer, 1n);
  await follow();
  return { who, rule };
}

describe('GET /api/config', () => {
  it('returns the public configuration', async () => {
    const config = decode(configResponse, await visitor.get('/api/config'));
    expect(config).toMatchObject({
      program: on.chain.program,
      genesisHash: on.chain.net.genesisHash,
      rpcUrl: 'http://localhost:8899/',
      artifacts: { digest: on.chain.artifacts.digest, baseUrl: `${ORIGIN}/artifacts` },
    });
    expect(config.artifacts.manifest).toEqual(on.chain.artifacts.manifest);
    expect(config.regions.find(({ code }) => code === 'DE')?.name).toBe('Germany');
    expect(config.statuses[0]).toEqual({ index: 0, code: 'retail', name: 'Retail' });
  });
});

describe('GET /api/network', () => {
  it('returns the network configuration, the held fees and chain time', async () => {
    await send(await on.chain.addresses.treasury(), 1_234n);
    await follow();
    const network = decode(networkResponse, await visitor.get('/api/network'));
    const circuit = {
      address: await on.chain.addresses.circuit(on.chain.artifacts.manifest.circuit),
      id: on.chain.artifacts.manifest.circuit,
      artifactsDigest: on.chain.artifacts.digest,
      retiredAt: null,
    };
    expect(network).toEqual({
      governance: {
        address: await on.chain.addresses.config(),
        authority: on.chain.keys.governance.address,
        paused: false,
        guardian: null,
        nominee: null,
        passesValidFrom: 0n,
      },
      verifiers: [
        {
          address: await on.chain.addresses.verifier(on.chain.keys.verifier.address),
          authority: on.chain.keys.verifier.address,
          name: 'Verifier',
          active: true,
        },
      ],
      circuit,
      circuits: [circuit],
      upgradeAuthority: on.chain.keys.upgradeAuthority.address,
      passFee: PASS_FEE,
      nextPassFee: null,
      passFeesHeld: 1_234n,
      chainTime: clock.seconds,
    });
  });

  it('reads the upgrade authority from the chain, not from what governance recorded', async () => {
    const { payer, upgradeAuthority } = on.chain.keys;
    const readAuthority = async () =>
      decode(networkResponse, await visitor.get('/api/network')).upgradeAuthority;
    /** The loader's SetAuthority. Without another authority nobody can upgrade the program any more. */
    const giveTo = async (from: KeyPairSigner, to: Address | null) => {
      const programData = await findProgramDataAddress(on.chain.program);
      const accounts = [
        { address: programData, role: AccountRole.WRITABLE },
        { address: from.address, role: AccountRole.READONLY_SIGNER },
        ...(to ? [{ address: to, role: AccountRole.READONLY }] : []),
      ];
      const data = Uint8Array.of(4, 0, 0, 0);
      await on.chain.land([payer, from], [{ programAddress: UPGRADEABLE_LOADER, accounts, data }]);
      on.chain.net.finalize();
    };
    await giveTo(upgradeAuthority, payer.address);
    expect(await readAuthority()).toBe(payer.address);
    await giveTo(payer, null);
    expect(await readAuthority()).toBeNull();
  });

  it('shows the guardian, the nominee and a raise of the fee, which it does not take yet', async () => {
    const { guardian, nominee } = await on.chain.nameGuardianAndNominee();
    await on.chain.setPassFee(PASS_FEE + 1n);
    await follow();
    const network = decode(networkResponse, await visitor.get('/api/network'));
    expect(network.governance).toMatchObject({ guardian, nominee });
    const nextPassFee = { lamports: PASS_FEE + 1n, from: clock.seconds + PASS_FEE_RAISE_DELAY_SECONDS };
    expect(network).toMatchObject({ passFee: PASS_FEE, nextPassFee });
    await on.chain.setPassFee(PASS_FEE);
  });

  it('adds the fees that rule sets still hold for the treasury', async () => {
    await plant(
      ...[700n, 0n, 65n].map((fees, nonce) => ruleSetAccount(randomAddress(), BigInt(nonce), { fees })),
    );
    const { passFeesHeld } = decode(networkResponse, await visitor.get('/api/network'));
    expect(passFeesHeld).toBe(1_234n + 765n);
  });

  it('reads the held fees from the chain, because anyone can send some', async () => {
    await send(await on.chain.addresses.treasury(), 1n);
    const { passFeesHeld } = decode(networkResponse, await visitor.get('/api/network'));
    expect(passFeesHeld).toBe(1_235n + 765n);
  });
});

describe('GET /api/rules', () => {
  const page = async (query: string) => decode(rulesResponse, await visitor.get(`/api/rules?${query}`));

  async function walk(limit: number, between?: () => Promise<void>): Promise<Address[]> {
    const seen: Address[] = [];
    let cursor: string | null = null;
    do {
      const next: Rules = await page(`limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(next.ruleSets.length).toBeLessThanOrEqual(limit);
      seen.push(...next.ruleSets.map((ruleSet) => ruleSet.address));
      cursor = next.nextCursor;
      if (cursor !== null) await between?.();
    } while (cursor !== null);
    return seen;
  }

  it('pages through every rule set while others are added', async () => {
    const creator = await on.chain.wallet();
    const made: Address[] = [];
    for (let nonce = 0n; nonce < 5n; nonce += 1n) made.push(await on.chain.ruleSet(creator, nonce));
    await follow();
    let added = 5n;
    const seen = await walk(2, async () => {
      await on.chain.ruleSet(creator, added);
      added += 1n;
      await follow();
    });
    expect(added).toBeGreaterThan(5n);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made));
    expect(new Set(await walk(1))).toEqual(new Set(await walk(500)));
  });

  it('returns the whole record, with the current pass funds', async () => {
    const creator = await on.chain.wallet();
    const rule = await on.chain.ruleSet(creator, 7n, 'Adults ✓');
    await follow();
    const find = async () => (await page('limit=500')).ruleSets.find((each) => each.address === rule);
    expect(await find()).toEqual({
      address: rule,
      creator: creator.address,
      nonce: 7n,
      name: 'Adults ✓',
      clauses: [{ regions: ['AD', 'AE'], statuses: ['accredited'], minAge: 18 }],
      ruleHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      maxPassAgeSeconds: 86_400n,
      passFunds: 0n,
      maxPassFee: PASS_FEE,
      powers: [],
      verifier: null,
      walletsPerPerson: 0,
    });
    await send(rule, 70_000n);
    expect((await find())?.passFunds).toBe(70_000n);
  });

  it('returns the position of the index', async () => {
    await follow();
    const { index } = await page('limit=1');
    const slot = await on.chain.net.rpc.getSlot({ commitment: 'finalized' }).send();
    expect(index).toEqual({ slot, time: clock.seconds });
  });

  it('lists a rule set whose clauses allow only codes without a name', async () => {
    const [unnamed] = await plant(
      ruleSetAccount(randomAddress(), 2n ** 64n - 1n, {
        clauses: [{ regionMask: new Uint8Array(32).fill(0x10, 0, 1), statusMask: 0x8000_0000, minAge: 255 }],
      }),
    );
    const found = (await page('limit=500')).ruleSets.find((each) => each.address === unnamed);
    expect(found?.clauses).toEqual([{ regions: [], statuses: [], minAge: 255 }]);
    expect(found?.nonce).toBe(2n ** 64n - 1n);
  });

  it('returns at most 500 rule sets, and 100 by default', async () => {
    const nonces = Array.from({ length: 500 }, (_, nonce) => BigInt(nonce));
    const planted = await plant(...nonces.map((nonce) => ruleSetAccount(randomAddress(), nonce)));
    for (const [query, length] of [
      ['limit=499', 499],
      ['limit=500', 500],
      ['', 100],
    ] as const) {
      const { ruleSets, nextCursor } = await page(query);
      expect(ruleSets).toHaveLength(length);
      expect(nextCursor).toBe(ruleSets.at(-1)?.address);
    }
    expect(await walk(500)).toEqual(expect.arrayContaining(planted));
    await on.database.db.deleteFrom('indexed_account').where('address', 'in', planted).execute();
  });

  it.each(['0', '501', '999', '1000', '1001', '0500', '-1', '1.5', '1e2', ' 1', ''])(
    'rejects a limit of %j',
    async (limit) => {
      expect(await visitor.get(`/api/rules?limit=${encodeURIComponent(limit)}`)).toMatchObject({
        ...INVALID,
        message: 'query.limit must be a whole number from 1 to 500.',
      });
    },
  );

  it.each(['cursor=zero', "cursor=' or 1=1 --", 'offset=1', 'limit=1&limit=2'])(
    'rejects ?%s',
    async (query) => {
      expect(await visitor.get(`/api/rules?${query}`)).toMatchObject(INVALID);
    },
  );
});

describe('GET /api/mint-bindings', () => {
  const of = async (mint: Address) =>
    decode(mintBindingResponse, await visitor.get(`/api/mint-bindings?mint=${mint}`));
  /** Adds the binding of a new mint to the index, at its address. Returns the mint. */
  async function plantBinding(rule: Address, issuer: Address): Promise<Address> {
    const mint = randomAddress();
    const [planted] = await plant(
      getMintBindingEncoder().encode({ bump: 255, mint, rule, issuer, requireSource: true }),
    );
    const address = await on.chain.addresses.mintBinding(mint);
    await on.database.db
      .updateTable('indexed_account')
      .set({ address })
      .where('address', '=', planted!)
      .execute();
    return mint;
  }

  it('returns the binding of the creator of the rule set, and marks that of a stranger', async () => {
    const { who, rule } = await creatorOfRuleSet();
    const [own, junk] = [await plantBinding(rule, who.address), await plantBinding(rule, randomAddress())];
    const genuine = await of(own);
    expect(genuine).toMatchObject({
      binding: { mint: own, rule, issuer: who.address, requireSource: true, issuerIsCreator: true },
      ruleSet: { address: rule, creator: who.address },
    });
    expect(genuine.index.slot).toBeGreaterThan(0n);
    expect(await of(junk)).toMatchObject({ binding: { mint: junk, issuerIsCreator: false }, ruleSet: {} });
  });

  it('returns null for a mint that is not bound, and rejects what is no address', async () => {
    expect(await of(randomAddress())).toMatchObject({ binding: null, ruleSet: null });
    for (const query of ['', '?mint=x', `?rule=${randomAddress()}`, `?mint=${randomAddress()}&rule=x`])
      expect(await visitor.get(`/api/mint-bindings${query}`)).toMatchObject(INVALID);
  });
});

describe('GET /api/passport', () => {
  const passport = async (who: Visitor): Promise<Passport> =>
    decode(passportResponse, await who.get('/api/passport'));

  const passAccount = (fields: Pick<Pass, 'expiresAt'> & Partial<Pass>) =>
    getPassEncoder().encode({
      bump: 255,
      rule: randomAddress(),
      wallet: randomAddress(),
      issuedAt: fields.expiresAt - 100n,
      circuit: randomAddress(),
      verifier: randomAddress(),
      commitment: new Uint8Array(32),
      ...fields,
    });
  const bindingAccount = (fields: Pick<MintBinding, 'rule' | 'issuer'> & Partial<MintBinding>) =>
    getMintBindingEncoder().encode({ bump: 255, mint: randomAddress(), requireSource: false, ...fields });
  const addresses = (records: readonly { address: Address }[]) => records.map(({ address }) => address);
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));

  it('is empty for a new wallet', async () => {
    const who = await on.service.visitor();
    const records = { credential: null, passes: [], ruleSets: [], bindings: [] };
    expect(await passport(who)).toMatchObject({ wallet: who.address, ...records });
  });

  it('has only the rule sets that the wallet created, has a pass of or issues under', async () => {
    const [who, other] = [await on.service.visitor(), await on.chain.wallet()];
    const issuedAt = clock.seconds;
    await on.chain.credential(who.address, { issuedAt, expiresAt: issuedAt + 500n });
    const made = await on.chain.ruleSet(who.signer, 1n);
    const held = await on.chain.ruleSet(other, 1n);
    const issued = await on.chain.ruleSet(other, 2n);
    const unrelated = await on.chain.ruleSet(other, 3n);
    await follow();
    const expiresAt = clock.seconds + 50n;
    const mint = randomAddress();
    const [ownPass, ownBinding, onMade] = await plant(
      passAccount({ rule: held, wallet: who.address, expiresAt }),
      bindingAccount({ mint, rule: issued, issuer: who.address, requireSource: true }),
      bindingAccount({ rule: made, issuer: other.address }),
      passAccount({ rule: unrelated, wallet: other.address, expiresAt }),
      bindingAccount({ rule: unrelated, issuer: other.address }),
    );

    const { credential, passes, ruleSets, bindings } = await passport(who);

    expect(credential).toMatchObject({
      address: await on.chain.addresses.credential(who.address),
      wallet: who.address,
      verifier: await on.chain.addresses.verifier(on.chain.keys.verifier.address),
      issuedAt,
      expiresAt: issuedAt + 500n,
      revoked: false,
    });
    expect(addresses(passes)).toEqual([ownPass]);
    expect(addresses(ruleSets)).toEqual([made, held, issued]);
    expect(addresses(bindings)).toEqual([ownBinding, onMade]);
    const issuer = who.address;
    const terms = {
      ...{ requireSource: true, honoursGranted: false, readsCredential: false },
      ...{ nominee: null, nextRule: null, nextRuleFrom: 0n },
      issuerIsCreator: false,
    };
    expect(bindings[0]).toEqual({ address: ownBinding, mint, rule: issued, issuer, ...terms });
  });

  it('counts a pass as live by chain time, not by the wall clock', async () => {
    const { who, rule } = await creatorOfRuleSet();
    const expiries = [-1n, 0n, 1n, 2n].map((offset) => clock.seconds + offset);
    await plant(...expiries.map((expiresAt) => passAccount({ rule, expiresAt })));
    const live = async () => (await passport(who)).ruleSets[0]?.livePasses;
    expect(await live()).toBe(2n);
    clock.pass(1);
    expect(await live()).toBe(2n);
    on.chain.net.advanceSlots(3);
    expect(await live()).toBe(1n);
  });

  it('counts no suspended pass until that lapses, counts granted ones, and says which are', async () => {
    const { who, rule } = await creatorOfRuleSet();
    const expiresAt = clock.seconds + 1_000n;
    const changes: Partial<Pass>[] = [
      { granted: true },
      ...[0n, 1n, 2n, 2n ** 32n, 2n ** 64n - 1n - clock.seconds].map((offset) => ({
        suspendedUntil: clock.seconds + offset,
      })),
    ];
    const own = { rule, wallet: who.address, expiresAt };
    await plant(...changes.map((change) => passAccount({ ...own, ...change })));
    const live = async () => (await passport(who)).ruleSets[0]?.livePasses;
    // The granted one, and the one whose suspension has lapsed.
    expect(await live()).toBe(2n);
    clock.pass(1);
    on.chain.net.advanceSlots(3);
    expect(await live()).toBe(3n);
    const { passes } = await passport(who);
    expect(passes.map(({ granted, suspendedUntil }) => ({ granted, suspendedUntil }))).toEqual(
      expect.arrayContaining(changes.map((change) => ({ granted: false, suspendedUntil: 0n, ...change }))),
    );
  });

  it('counts no pass that governance ended, and says which are', async () => {
    const { who, rule } = await creatorOfRuleSet();
    await on.chain.endPasses();
    await follow();
    const { governance } = decode(networkResponse, await visitor.get('/api/network'));
    const validFrom = governance!.passesValidFrom!;
    const expiresAt = clock.seconds + 1_000n;
    const issued = (issuedAt: bigint) => passAccount({ rule, wallet: who.address, issuedAt, expiresAt });
    await plant(issued(validFrom - 1n), issued(validFrom));
    const { ruleSets, passes } = await passport(who);
    expect(ruleSets[0]?.livePasses).toBe(1n);
    expect(passes.map(({ issuedAt, ended }) => [issuedAt < validFrom, ended]).sort()).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  describe('returns only the first records of a long list', () => {
    const most = MAX_PASSPORT_RECORDS;

    it('bindings: those that the wallet issues under, then those of others to its rule sets', async () => {
      const { who, rule } = await creatorOfRuleSet();
      const bind = async (count: number, of: { rule?: Address; issuer?: Address }) =>
        (await plant(...times(count, () => bindingAccount({ rule, issuer: randomAddress(), ...of })))).sort();
      const own = await bind(2, { rule: randomAddress(), issuer: who.address });
      const others = await bind(most - 2, {});
      const ownOfRule = await bind(1, { issuer: who.address });
      const all = async () => addresses((await passport(who)).bindings);
      const ownFirst = [...own, ...ownOfRule].sort();
      expect(await all()).toEqual([...ownFirst, ...others].slice(0, most));
      const more = await bind(1, {});
      expect(await all()).toEqual([...ownFirst, ...[...others, ...more].sort()].slice(0, most));
      const manyOwn = await bind(most, { rule: randomAddress(), issuer: who.address });
      expect(await all()).toEqual([...ownFirst, ...manyOwn].sort().slice(0, most));
    });

    it('bindings: those of the creator of a rule set before those of strangers, however many', async () => {
      const [holder, creator] = [await on.service.visitor(), randomAddress()];
      const [rule] = await plant(ruleSetAccount(creator, 0n));
      await plant(passAccount({ rule: rule!, wallet: holder.address, expiresAt: clock.seconds + 1_000n }));
      await plant(...times(most, () => bindingAccount({ rule: rule!, issuer: randomAddress() })));
      const genuine = await plant(...times(3, () => bindingAccount({ rule: rule!, issuer: creator })));
      const { bindings, ruleSets } = await passport(holder);
      expect(addresses(bindings).slice(0, 3)).toEqual(genuine.sort());
      expect(bindings).toHaveLength(most);
      const isGenuine = times(most, (index) => index < 3);
      expect(bindings.map(({ issuer }) => issuer === ruleSets[0]!.creator)).toEqual(isGenuine);
      expect(bindings.map(({ issuerIsCreator }) => issuerIsCreator)).toEqual(isGenuine);
    });

    it('passes: those that expire last', async () => {
      const wallet = await on.service.visitor();
      const ends = times(most + 1, (index) => clock.seconds + BigInt((index * 7) % (most + 1)));
      const planted = await plant(
        ...ends.map((expiresAt) => passAccount({ wallet: wallet.address, expiresAt })),
      );
      const { passes } = await passport(wallet);
      const late = [...ends].sort((one, other) => Number(other - one)).slice(0, most);
      expect(passes.map(({ expiresAt }) => expiresAt)).toEqual(late);
      expect(new Set(addresses(passes)).size).toBe(most);
      expect(planted).toEqual(expect.arrayContaining(addresses(passes)));
    });

    it('rule sets: those that the wallet created, then those that it has a pass of', async () => {
      const [who, creator] = [await on.service.visitor(), randomAddress()];
      const make = async (count: number, of: Address) =>
        (await plant(...times(count, (nonce) => ruleSetAccount(of, BigInt(nonce))))).sort();
      const made = await make(most - 1, who.address);
      const held = await make(2, creator);
      const ends = (index: number) => clock.seconds + BigInt(index);
      await plant(
        ...held.map((rule, index) => passAccount({ rule, wallet: who.address, expiresAt: ends(index) })),
      );
      const all = async () => addresses((await passport(who)).ruleSets);
      expect(await all()).toEqual([...made, held[1]]);
      const [last] = await make(1, who.address);
      expect(await all()).toEqual([...made, last].sort());
    });
  });

  it('shows a verification only to the wallet that started it', async () => {
    const [mine, other] = [await on.service.visitor(), await on.service.visitor()];
    const id = await addSession(on.database.db, mine.address, clock.now());
    expect((await mine.get('/api/passport')).body).toMatchObject({ verification: { sessionId: id } });
    expect((await other.get('/api/passport')).body).not.toHaveProperty('verification');
  });

  it('requires a session', async () => {
    const unknown = new Visitor(on.service.app, visitor.signer, ORIGIN);
    const refused = { status: 401, code: 'AUTHENTICATION_REQUIRED' };
    expect(await unknown.get('/api/passport')).toMatchObject(refused);
  });
});

describe('POST /api/proofs/context', () => {
  const context = (who: Visitor, rule: Address) => who.post('/api/proofs/context', { rule });

  it('returns the records that a proof must use', async () => {
    const { who, rule } = await creatorOfRuleSet();
    const issuedAt = clock.seconds;
    await on.chain.credential(who.address, { issuedAt, expiresAt: issuedAt + 500n });
    await follow();
    await send(rule, 99n);

    const found = decode(proofContextResponse, await context(who, rule));

    expect(found).toMatchObject({
      credential: { wallet: who.address, expiresAt: issuedAt + 500n },
      ruleSet: { address: rule, passFunds: 99n },
      verifier: { authority: on.chain.keys.verifier.address, active: true },
      circuit: { id: on.chain.artifacts.manifest.circuit, artifactsDigest: on.chain.artifacts.digest },
      passFee: PASS_FEE,
      chainTime: clock.seconds,
    });
  });

  it('checks in this order: rule set, credential, revocation, expiry, verifier', async () => {
    const { who, rule } = await creatorOfRuleSet();
    const code = async (at = rule) => (await context(who, at)).code;
    expect(await code(randomAddress())).toBe('NOT_FOUND');
    // Another account of the program is not a rule set.
    expect(await code(await on.chain.addresses.config())).toBe('NOT_FOUND');
    expect(await code()).toBe('CREDENTIAL_REQUIRED');

    const verifier = await on.chain.addresses.verifier(on.chain.keys.verifier.address);
    const plantCredential = async (fields: Partial<Credential> = {}) => {
      const wallet = who.address;
      const credentials = on.database.db.deleteFrom('indexed_account').where('kind', '=', 'credential');
      await credentials.where('wallet', '=', wallet).execute();
      const commitment = new Uint8Array(32).fill(1);
      const valid = { verifier, expiresAt: clock.seconds + 1n, revoked: false };
      const credential = { bump: 255, wallet, commitment, issuedAt: 1n, ...valid, ...fields };
      await plant(getCredentialEncoder().encode(credential));
    };
    await plantCredential({ revoked: true });
    expect(await context(who, rule)).toMatchObject({ status: 409, code: 'CREDENTIAL_REQUIRED' });
    await plantCredential({ expiresAt: clock.seconds });
    expect(await context(who, rule)).toMatchObject({ status: 409, code: 'CREDENTIAL_EXPIRED' });
    await plantCredential({ verifier: randomAddress() });
    expect(await code()).toBe('VERIFIER_INACTIVE');
    await plantCredential();
    expect((await context(who, rule)).status).toBe(200);

    await on.setVerifier(false);
    expect(await context(who, rule)).toMatchObject({ status: 409, code: 'VERIFIER_INACTIVE' });
    await on.setVerifier(true);
  });

  it('rejects a credential of another verifier than that of the rule set', async () => {
    const who = await on.service.visitor();
    await on.chain.credential(who.address, { issuedAt: clock.seconds, expiresAt: clock.seconds + 500n });
    await follow();
    const own = await on.chain.addresses.verifier(on.chain.keys.verifier.address);
    const other = randomAddress();
    const [ofOwn, ofOther] = await plant(
      ruleSetAccount(who.address, 1n, { verifier: own }),
      ruleSetAccount(who.address, 2n, { verifier: other }),
    );
    expect((await context(who, ofOwn!)).status).toBe(200);
    expect(await context(who, ofOther!)).toMatchObject({
      status: 409,
      code: 'VERIFIER_NOT_ACCEPTED',
      message: expect.stringContaining(other),
    });
  });

  it('returns a pass fee of null until governance sets one', async () => {
    const who = await on.service.visitor();
    await on.chain.credential(who.address, { issuedAt: clock.seconds, expiresAt: clock.seconds + 500n });
    const rule = await on.chain.ruleSet(who.signer, 1n);
    await on.chain.setPassFee(null);
    await follow();
    expect(decode(proofContextResponse, await context(who, rule)).passFee).toBeNull();
    await on.chain.setPassFee(PASS_FEE);
    await follow();
  });
});

it('returns INDEX_STALE with Retry-After only where the index is read', async () => {
  const who = await on.service.visitor();
  on.pass(31);
  const reads = [
    who.get('/api/rules'),
    who.get('/api/passport'),
    who.get('/api/network'),
    who.get(`/api/mint-bindings?mint=${randomAddress()}`),
    who.post('/api/proofs/context', { rule: on.chain.program }),
  ];
  for (const answer of await Promise.all(reads)) {
    expect(answer).toMatchObject({ status: 503, code: 'INDEX_STALE' });
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect((await who.get('/api/config')).status).toBe(200);
  await follow();
  expect((await who.get('/api/rules')).status).toBe(200);
});

describe('GET /artifacts/{digest}/{name}', () => {
  const at = (name: string, digest = on.chain.artifacts.digest) =>
    on.service.app.request(`/artifacts/${digest}/${name}`);

  it('serves each file of the manifest, to be cached for ever', async () => {
    const { wasm, zkey, vkey, key } = on.chain.artifacts.manifest.files;
    const types = { [wasm.name]: 'application/wasm', [vkey.name]: 'application/json' };
    for (const file of [wasm, zkey, vkey, key]) {
      const response = await at(file.name);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(response.status).toBe(200);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-type')).toBe(types[file.name] ?? 'application/octet-stream');
      expect(response.headers.get('content-length')).toBe(String(file.size));
    }
    expect(await (await at('manifest.json')).json()).toEqual(on.chain.artifacts.manifest);
  });

  it.each(['package.json', '..%2f..%2fpackage.json', '..', 'eligibility', ''])(
    'returns NOT_FOUND for %j',
    async (name) => {
      const response = await at(name);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    },
  );

  it('returns NOT_FOUND under another digest', async () => {
    expect((await at('manifest.json', '0'.repeat(64))).status).toBe(404);
  });
});

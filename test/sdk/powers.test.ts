/** What `fetchPowers` says of mints of all kinds, on a real cluster with the real program. */
import { addStandInTokenAclProgram } from '@service/localnet';
import {
  CLOCK_SYSVAR,
  createMintConfigInstruction,
  findProgramDataAddress,
  gateListAddresses,
  mintConfigAddress,
  programAddresses,
  RULE_CHANGE_DELAY_SECONDS,
  SYSTEM_PROGRAM,
  setGatingProgramInstruction,
  TOKEN_2022_PROGRAM,
  TOKEN_ACL_PROGRAM,
  UPGRADEABLE_LOADER,
} from '@service/protocol';
import { getNominateAuthorityInstruction } from '@service/protocol/generated';
import {
  acceptIssuer,
  announceRule,
  createBindableMint,
  fetchPowers,
  type MintPowers,
  type MintTemplate,
  nominateIssuer,
  pauseMint,
  setGate,
} from '@service/sdk/chain';
import { pause, transferSol, unpause } from '@service/server/test-service';
import {
  AccountRole,
  type Address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getAddressEncoder,
  type KeyPairSigner,
  type RpcTransport,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { getInitializeMint2Instruction } from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const chain = () => ({ deployment: market.deployment, rpc: market.world.net.rpc, clock: market.clock() });
const issuer = () => market.issuer.signer;
const holder = () => market.holder.signer;
const powersOf = (mint: Address, rpc = market.world.net.rpc) => fetchPowers({ ...chain(), rpc, mint });
const key = (address: Address) => [...getAddressEncoder().encode(address)];
const config = { programAddress: TOKEN_2022_PROGRAM };

beforeAll(() => addStandInTokenAclProgram(market.world.net));

/** Bytes of the value of an extension, and the data of the instruction that initializes it. */
type Extension = readonly [bytes: number, data: readonly number[]];

/** Creates a mint by the issuer that can be frozen. */
async function createMint(extensions: readonly Extension[], { freezable = true } = {}): Promise<Address> {
  const newAccount = await generateKeyPairSigner();
  const bytes = extensions.reduce((sum, [value]) => sum + 4 + value, 166);
  const space = BigInt(extensions.length === 0 ? 82 : bytes);
  const lamports = await market.world.rpc.getMinimumBalanceForRentExemption(space).send();
  const accounts = [{ address: newAccount.address, role: AccountRole.WRITABLE }];
  const [mintAuthority, freezeAuthority] = [issuer().address, freezable ? issuer().address : null];
  const mint = { mint: newAccount.address, decimals: 2, mintAuthority, freezeAuthority };
  await market.sendFinal(
    [
      getCreateAccountInstruction({ payer: issuer(), newAccount, lamports, space, ...config }),
      ...extensions.map(([, data]) => ({ ...config, accounts, data: Uint8Array.from(data) })),
      getInitializeMint2Instruction(mint, config),
    ],
    [newAccount],
  );
  return newAccount.address;
}

const bindable = async (template: MintTemplate, by = issuer()) =>
  (await market.live(() => createBindableMint(by, { ...chain(), template }))).mint;
const bind = (
  mint: Address,
  { by = market.issuer, requireSource = false, honoursGranted = false, readsCredential = false } = {},
) =>
  market.live(() =>
    by.client.bindMint(by.signer, {
      ...{ mint, rule: market.rule },
      ...{ requireSource, honoursGranted, readsCredential },
    }),
  );

/** Returns the texts of a topic, with names instead of the addresses. */
async function textsOf(powers: MintPowers, topic?: 'tokens' | 'rules' | 'protocol'): Promise<string[]> {
  const { keys, program } = market.world;
  const names: [string, Address][] = [
    ['ISSUER', issuer().address],
    ['HOLDER', holder().address],
    ['RULE', market.rule],
    ['GOVERNANCE', keys.governance.address],
    ['UPGRADER', keys.upgradeAuthority.address],
    ['PROGRAM', program],
  ];
  return powers.sentences.flatMap((sentence) => {
    if (topic && sentence.topic !== topic) return [];
    return [names.reduce((text, [name, address]) => text.replaceAll(address, name), sentence.text)];
  });
}

type Account = { data: [string, string]; owner: string };
const NEW_ACCOUNT: Account & Record<string, unknown> = {
  data: ['', 'base64'],
  owner: SYSTEM_PROGRAM,
  executable: false,
  lamports: 1,
  rentEpoch: 0,
  space: 45,
};
/** Returns the cluster's RPC, with another account at an address. */
function rpcWith(at: Address, change: (account: Account) => Account | null): typeof market.world.net.rpc {
  return createSolanaRpcFromTransport((async (request) => {
    const { method, params } = request.payload as { method: string; params: [string[]] };
    const answer = (await market.world.net.transport(request)) as { result: { value: Account[] } };
    if (method !== 'getMultipleAccounts') return answer;
    const value = answer.result.value.map((account, index) => {
      if (params[0][index] !== at) return account;
      return change(account ?? { ...NEW_ACCOUNT });
    });
    return { ...answer, result: { ...answer.result, value } };
  }) as RpcTransport) as typeof market.world.net.rpc;
}
const withData = (change: (data: Buffer) => Buffer) => (account: Account) => ({
  ...account,
  data: [change(Buffer.from(account.data[0], 'base64')).toString('base64'), 'base64'] as [string, string],
});

const NO_POWERS = [
  'The creator of the rule set (ISSUER) cannot suspend passes.',
  'The creator cannot grant passes without a proof.',
  'Every active verifier can attest what a proof needs. Governance registers verifiers. A verifier can revoke what it attested, which ends passes.',
];
const BOUND = [
  'The mint is bound to the rule set “Adults in France” (RULE) of ISSUER.',
  'The issuer (ISSUER) can announce another rule set, which can replace this one seven days later.',
];
const GOVERNED =
  'Governance (GOVERNANCE) can register and deactivate verifiers, replace the circuit, end all passes and pause the protocol.';
const CHECKED = 'The program checks each transfer: the recipient needs a live pass.';
const ISSUES = 'The issuer (ISSUER) can issue tokens without a limit, only to holders of a live pass.';
const FROZEN_EFFECT = 'A frozen account can neither send, receive nor burn tokens.';

describe('a mint of a template', () => {
  test('plain: nobody takes or freezes, before the binding and after it', async () => {
    const mint = await bindable('plain');
    const before = await powersOf(mint);
    expect(before).toMatchObject({
      mint,
      roles: { mint: issuer().address, freeze: null, hook: null },
      transferHook: market.world.program,
      unknownExtensions: [],
      binding: null,
      gate: null,
    });
    const nobody = [
      'Nobody can take tokens out of the account of a holder: the mint has no permanent delegate.',
    ];
    expect(await textsOf(before, 'tokens')).toEqual([
      ...nobody,
      'The transfer hook is the program, but the mint is not bound: no rule set says who can hold it.',
      'Nobody can freeze token accounts.',
      'ISSUER can issue tokens without a limit, to any account that is not frozen.',
    ]);
    expect(await textsOf(before, 'rules')).toEqual([]);

    await bind(mint);
    const bound = await powersOf(mint);
    const terms = {
      ...{ requireSource: false, honoursGranted: false, readsCredential: false },
      ...{ nominee: null, next: null },
    };
    expect(bound).toMatchObject({
      roles: { mint: bound.binding!.address, freeze: null, hook: null },
      binding: {
        address: await programAddresses(market.world.program).mintBinding(mint),
        issuer: issuer().address,
        issuerIsCreator: true,
        ruleSet: { address: market.rule, creator: issuer().address, powers: [], verifier: null },
        ...terms,
      },
    });
    expect(await textsOf(bound)).toEqual([
      ...nobody,
      CHECKED,
      'Nobody can freeze token accounts.',
      ISSUES,
      ...BOUND,
      ...NO_POWERS,
      GOVERNED,
      'UPGRADER can replace the program, and so issue tokens without a limit and allow or block every transfer.',
    ]);
  });

  test('security and fund: the binding takes, and the issuer freezes, pauses and scales', async () => {
    const mint = await bindable('security');
    expect(await textsOf(await powersOf(mint), 'tokens')).toContain(
      'If the mint is bound, its issuer can move or burn the tokens of any holder.',
    );
    await bind(mint, { requireSource: true });
    const powers = await powersOf(mint);
    const roles = { permanentDelegate: powers.binding!.address, pause: issuer().address };
    expect(powers).toMatchObject({ roles, isPaused: false, startsFrozen: false });
    const others = [
      'The issuer (ISSUER) can pause the mint. Then nobody can issue, transfer, burn, recover or redeem tokens.',
      'The issuer (ISSUER) can scale the amounts that wallets show. The amounts on chain stay the same.',
    ];
    const takes =
      'The issuer (ISSUER) can move the tokens of any holder to another holder of a live pass, or burn them, with a public reason.';
    const freezes = `The issuer (ISSUER) can freeze and thaw any token account. ${FROZEN_EFFECT}`;
    expect(await textsOf(powers, 'tokens')).toEqual([
      takes,
      'The program checks each transfer: the recipient needs a live pass, and so does the sender.',
      freezes,
      ISSUES,
      ...others,
    ]);
    expect((await textsOf(powers, 'protocol')).at(-1)).toContain(
      'every transfer and take tokens from every holder.',
    );
    await market.live(() => pauseMint(issuer(), { ...chain(), mint }));
    const paused = await powersOf(mint);
    expect(paused.isPaused).toBe(true);
    expect(await textsOf(paused, 'tokens')).toContain('The mint is paused now.');

    const fund = await bindable('fund');
    await bind(fund);
    const ofFund = await powersOf(fund);
    expect(ofFund).toMatchObject({ startsFrozen: true, isPaused: false });
    expect(await textsOf(ofFund, 'tokens')).toEqual([
      takes,
      CHECKED,
      `${freezes} New token accounts are frozen until they are thawed.`,
      ISSUES,
      ...others,
    ]);
  });
});

describe('a mint whose keys the issuer has', () => {
  const own = () => key(issuer().address);

  test('loses hook and delegate to the binding', async () => {
    const mint = await createMint([
      [64, [36, 0, ...own(), ...key(market.world.program)]],
      [32, [35, ...own()]],
    ]);
    const delegate = { permanentDelegate: issuer().address, hook: issuer().address };
    const before = await powersOf(mint);
    expect(before.roles).toMatchObject(delegate);
    expect(await textsOf(before, 'tokens')).toEqual(
      expect.arrayContaining([
        'ISSUER can move and burn the tokens of every holder, as the permanent delegate.',
        'ISSUER can set or replace the program that checks each transfer.',
      ]),
    );
    await bind(mint);
    const bound = await powersOf(mint);
    expect(bound.roles).toMatchObject({ permanentDelegate: bound.binding!.address, hook: null });
    const texts = await textsOf(bound, 'tokens');
    expect(texts[0]).toContain('with a public reason');
    expect(texts.join()).not.toContain('can set or replace the program that checks each transfer');
  });

  test('has a sentence for each of its other roles', async () => {
    const mint = await createMint([
      [108, [26, 0, 1, ...own(), 1, ...key(holder().address), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
      [32, [25, 1, ...own()]],
      [52, [33, 0, ...own(), 0, 0]],
      [64, [39, 0, ...own(), ...own()]],
      [64, [40, 0, ...own(), ...own()]],
      [64, [41, 0, ...own(), ...own()]],
    ]);
    const powers = await powersOf(mint);
    expect(powers.unknownExtensions).toEqual([]);
    expect(await textsOf(powers)).toEqual([
      'Nobody can take tokens out of the account of a holder: the mint has no permanent delegate.',
      'No fee is taken from each transfer now.',
      'No program checks transfers: everybody can receive tokens, unless the account is frozen.',
      `ISSUER can freeze and thaw any token account. ${FROZEN_EFFECT}`,
      'ISSUER can issue tokens without a limit, to any account that is not frozen.',
      'ISSUER can change the fee of transfers, up to the whole amount, one to two epochs ahead.',
      'HOLDER can collect the fees that were taken from transfers.',
      'ISSUER can close the mint while no tokens exist. Then only whoever controls its address can create another mint there, which can give other powers.',
      'ISSUER can set the interest that wallets add to the amounts that they show. The amounts on chain stay the same.',
      'ISSUER can choose the account that has the name and the symbol of the token.',
      'ISSUER can choose the account of the group that the mint represents.',
      'ISSUER can choose the group that the mint belongs to.',
    ]);
    const still = await powersOf(await createMint([[0, [32]]], { freezable: false }));
    expect(still.isTransferable).toBe(false);
    const ofStill = await textsOf(still);
    expect(ofStill).toContain('Tokens cannot be transferred, only burned.');
    expect(ofStill.join()).not.toContain('everybody can receive tokens');
    expect((await powersOf(await createMint([]))).roles).toEqual({
      mint: issuer().address,
      freeze: issuer().address,
    });
  });

  test('says what its fee is now and later, and who burns tokens that cannot be transferred', async () => {
    const mint = await createMint([
      [108, [26, 0, 1, ...own(), 1, ...key(holder().address), 25, 0, 7, 0, 0, 0, 0, 0, 0, 0]],
    ]);
    const now = 'A fee of 0.25%, at most 7 base units, is taken from each transfer now.';
    const before = await powersOf(mint);
    const current = { basisPoints: 25, maximum: 7n };
    expect(before.transferFee).toEqual({ current, next: null });
    expect((await textsOf(before, 'tokens'))[1]).toBe(now);
    await market.sendFinal([
      {
        ...config,
        accounts: [
          { address: mint, role: AccountRole.WRITABLE },
          { address: issuer().address, role: AccountRole.READONLY_SIGNER },
        ],
        data: Uint8Array.from([26, 5, 0x10, 0x27, 9, 0, 0, 0, 0, 0, 0, 0]),
      },
    ]);
    const after = await powersOf(mint);
    const { fromEpoch } = after.transferFee!.next!;
    expect(after.transferFee).toEqual({ current, next: { basisPoints: 10_000, maximum: 9n, fromEpoch } });
    expect((await textsOf(after, 'tokens')).slice(1, 3)).toEqual([
      now,
      `A fee of 100%, at most 9 base units, is taken from each transfer from epoch ${fromEpoch} on.`,
    ]);
    const inEpoch = (epoch: bigint) =>
      rpcWith(
        CLOCK_SYSVAR,
        withData((data) => {
          data.writeBigUInt64LE(epoch, 16);
          return data;
        }),
      );
    expect((await powersOf(mint, inEpoch(fromEpoch - 1n))).transferFee!.current).toEqual(current);
    expect((await powersOf(mint, inEpoch(fromEpoch))).transferFee).toEqual({
      current: { basisPoints: 10_000, maximum: 9n },
      next: null,
    });
    const noClock = rpcWith(CLOCK_SYSVAR, () => null);
    await expectRefusal(powersOf(mint, noClock), 'ACCOUNT_NOT_FOUND', { context: { address: CLOCK_SYSVAR } });
    expect((await powersOf(market.mint, noClock)).transferFee).toBeNull();
    const still = await createMint([
      [0, [32]],
      [32, [35, ...own()]],
    ]);
    expect((await textsOf(await powersOf(still), 'tokens'))[0]).toBe(
      'ISSUER can burn the tokens of every holder, as the permanent delegate.',
    );
  });

  test('does not reassure when nobody has a role, but what they set stays', async () => {
    const nobody = new Array<number>(32).fill(0);
    const mint = await createMint([
      [108, [26, 0, 0, 0, 0x10, 0x27, ...new Array<number>(8).fill(255)]],
      [65, [27, 0, ...nobody, 1, ...key(holder().address)]],
      [129, [37, 0, ...nobody, ...key(holder().address)]],
      [1, [28, 0, 2]],
    ]);
    const accounts = [
      { address: mint, role: AccountRole.WRITABLE },
      { address: issuer().address, role: AccountRole.READONLY_SIGNER },
    ];
    await market.sendFinal(
      [0, 1].map((role) => ({ ...config, accounts, data: Uint8Array.from([6, role, 0]) })),
    );
    const powers = await powersOf(mint);
    const auditor = Buffer.from(key(holder().address)).toString('base64');
    expect(powers).toMatchObject({ auditor, startsFrozen: true, roles: { mint: null, freeze: null } });
    expect(await textsOf(powers)).toEqual([
      'Nobody can take tokens out of the account of a holder: the mint has no permanent delegate.',
      'A fee of 100%, at most 18446744073709551615 base units, is taken from each transfer now.',
      'No program checks transfers: everybody can receive tokens, unless the account is frozen.',
      'New token accounts are frozen, and nobody can thaw them.',
      'Nobody can freeze other token accounts.',
      'Nobody can issue more tokens.',
      'Nobody can change the fee of transfers.',
      'Nobody can collect the fees that are taken from transfers.',
      `Whoever has the key of the auditor (${auditor}) can decrypt the amounts of all encrypted transfers.`,
    ]);
    for (const [type, value, text] of [
      [10, new Array<number>(52).fill(0), 'Wallets add interest to the amounts that they show, and nobody'],
      [25, new Array<number>(56).fill(0), 'Wallets scale the amounts that they show, and nobody'],
      [26, [...nobody, 1], 'The mint is paused, and nobody can resume it.'],
      [24, new Array<number>(196).fill(0), 'The supply is encrypted.'],
    ] as const) {
      const extension = Buffer.from([type, 0, value.length, 0, ...value]);
      const rpc = rpcWith(
        mint,
        withData((data) => Buffer.concat([data, extension])),
      );
      expect((await textsOf(await powersOf(mint, rpc))).join(), text).toContain(text);
    }
  });

  test('names who can replace the program if the binding has a role, without hook, gate and binding', async () => {
    const mint = await createMint([[32, [35, ...own()]]]);
    const binding = await programAddresses(market.world.program).mintBinding(mint);
    const handOver = (role: number) => ({
      ...config,
      accounts: [
        { address: mint, role: AccountRole.WRITABLE },
        { address: issuer().address, role: AccountRole.READONLY_SIGNER },
      ],
      data: Uint8Array.from([6, role, 1, ...key(binding)]),
    });
    expect(await textsOf(await powersOf(mint), 'protocol')).toEqual([]);
    await market.sendFinal([handOver(8)]);
    expect((await textsOf(await powersOf(mint), 'protocol')).at(-1)).toBe(
      'UPGRADER can replace the program, and so take tokens from every holder.',
    );
    await market.sendFinal([handOver(0), handOver(1)]);
    expect((await textsOf(await powersOf(mint), 'protocol')).at(-1)).toBe(
      `UPGRADER can replace the program, and so issue tokens without a limit, take tokens from every holder and do what ${binding} can.`,
    );
  });

  test('says which program is the hook if it is another', async () => {
    const mint = await createMint([[64, [36, 0, ...own(), ...key(SYSTEM_PROGRAM)]]]);
    expect((await powersOf(mint)).transferHook).toBeNull();
    const other = await createMint([[64, [36, 0, ...own(), ...key(holder().address)]]]);
    expect(await textsOf(await powersOf(other), 'tokens')).toContain(
      `The program HOLDER decides about each transfer. This SDK does not know its rules.`,
    );
  });
});

describe('a mint like those of Mosaic', () => {
  const createMosaicMint = () => {
    const own = key(issuer().address);
    return createMint([
      [33, [44, 0, ...own]],
      [1, [28, 0, 2]],
      [65, [27, 0, ...own, 0, ...new Array<number>(32).fill(0)]],
      [32, [35, ...own]],
      [32, [46, 0, ...own]],
    ]);
  };
  const others = (name: string) => [
    `${name} can pause the mint. Then nobody can issue, transfer, burn, recover or redeem tokens.`,
    `${name} can decide whose amounts are encrypted, and who can decrypt them.`,
    `${name} must sign whenever tokens are burned. Holders cannot burn their tokens alone.`,
  ];
  const named = 'The authority of the gate (ISSUER)';
  const bypass = `${named} can thaw and freeze any token account without asking for a pass, change the rule set at once, name another gate, or end the gate.`;
  const takes = (name: string) =>
    `${name} can move and burn the tokens of every holder, as the permanent delegate.`;
  const weaker =
    'The gate is weaker than a transfer hook: no program checks a transfer. A holder whose pass expired can move tokens until somebody freezes the account.';

  test('without a gate, its issuer decides alone', async () => {
    const powers = await powersOf(await createMosaicMint());
    expect(await textsOf(powers)).toEqual([
      takes('ISSUER'),
      'No program checks transfers: everybody can receive tokens, unless the account is frozen.',
      `ISSUER can freeze and thaw any token account. ${FROZEN_EFFECT} New token accounts are frozen until they are thawed.`,
      'ISSUER can issue tokens without a limit, to any account that is not frozen.',
      ...others('ISSUER'),
    ]);
  });

  test('with a gate, which is weaker than the hook, and which its authority can go around', async () => {
    const mint = await createMosaicMint();
    await market.live(() => setGate(issuer(), { ...chain(), mint, rule: market.rule }));
    const powers = await powersOf(mint);
    expect(powers.gate).toEqual({
      authority: issuer().address,
      gate: market.world.program,
      canThaw: true,
      canFreeze: true,
      honoursGranted: false,
      ruleSet: {
        address: market.rule,
        name: 'Adults in France',
        creator: issuer().address,
        powers: [],
        verifier: null,
        walletsPerPerson: 0,
      },
    });
    expect(await textsOf(powers)).toEqual([
      takes(named),
      weaker,
      bypass,
      'Anyone can thaw the account of a holder of a live pass. Anyone can freeze the account of a wallet without one.',
      'New token accounts are frozen.',
      `${named} can issue tokens without a limit, to any account that is not frozen.`,
      ...others(named),
      'The gate asks for passes of the rule set “Adults in France” (RULE) of ISSUER.',
      ...NO_POWERS,
      GOVERNED,
      'UPGRADER can replace the program, and so allow or block every thaw and freeze that Token ACL asks about.',
      'Somebody, whom this SDK cannot name, can replace Token ACL, and so freeze and thaw any token account.',
    ]);
    expect(powers.tokenAcl).toEqual({ upgradeAuthority: undefined });
    const upgradeable = rpcWith(await findProgramDataAddress(TOKEN_ACL_PROGRAM), (account) => ({
      ...account,
      owner: UPGRADEABLE_LOADER,
      data: [
        Buffer.from([3, ...new Array<number>(11).fill(0), 1, ...key(holder().address)]).toString('base64'),
        'base64',
      ],
    }));
    const replaceable = await powersOf(mint, upgradeable);
    expect(replaceable.tokenAcl).toEqual({ upgradeAuthority: holder().address });
    expect((await textsOf(replaceable, 'protocol')).at(-1)).toBe(
      'HOLDER can replace Token ACL, and so freeze and thaw any token account.',
    );
    await market.live(() =>
      setGate(issuer(), { ...chain(), mint, rule: market.rule, anyoneFreezes: false, honoursGranted: true }),
    );
    const changed = await powersOf(mint);
    expect(changed.gate).toMatchObject({ canFreeze: false, honoursGranted: true });
    expect((await textsOf(changed, 'tokens')).join()).toContain(
      'Nobody else can freeze the account of a wallet without one.',
    );

    const swap = { authority: issuer().address, mint, gate: TOKEN_2022_PROGRAM };
    await market.sendFinal([await setGatingProgramInstruction(swap)]);
    const swapped = await powersOf(mint);
    expect(swapped.gate).toMatchObject({ gate: TOKEN_2022_PROGRAM, ruleSet: null, honoursGranted: false });
    expect(await textsOf(swapped, 'tokens')).toContain(
      `Token ACL asks the program ${TOKEN_2022_PROGRAM} before others thaw or freeze a token account. This SDK does not know its rules.`,
    );
    expect(await textsOf(swapped, 'rules')).toEqual([]);
  });

  test('with a gate without a rule set, or with an account of Token ACL that cannot be read', async () => {
    const mint = await createMosaicMint();
    const gate = { authority: issuer().address, mint, gate: market.world.program };
    await market.sendFinal([await createMintConfigInstruction(gate)]);
    expect(await textsOf(await powersOf(mint), 'tokens')).toContain(
      'The program is the gate, but no rule set was set. It lets nobody thaw or freeze a token account.',
    );
    const at = await mintConfigAddress(mint);
    const gone = await powersOf(
      mint,
      rpcWith(at, () => null),
    );
    expect(gone.gate).toBeNull();
    expect(await textsOf(gone, 'tokens')).toEqual(
      expect.arrayContaining([
        'Token ACL has the freeze authority, but no configuration. Nobody can freeze or thaw now.',
        'New token accounts are frozen.',
      ]),
    );
    expect((await textsOf(gone, 'protocol')).join()).toContain('can replace Token ACL');
    const foreign = rpcWith(at, (account) => ({ ...account, owner: TOKEN_2022_PROGRAM }));
    await expectRefusal(powersOf(mint, foreign), 'ACCOUNT_UNREADABLE', { context: { address: at } });
  });

  test('of which one list cannot be read', async () => {
    const mint = await createMosaicMint();
    await market.live(() => setGate(issuer(), { ...chain(), mint, rule: market.rule }));
    const { thawList, freezeList } = await gateListAddresses(market.world.program, mint);
    for (const list of [thawList, freezeList]) {
      const cut = rpcWith(
        list,
        withData((data) => data.subarray(1)),
      );
      await expectRefusal(powersOf(mint, cut), 'ACCOUNT_UNREADABLE');
      const gone = rpcWith(list, () => null);
      await expectRefusal(powersOf(mint, gone), 'ACCOUNT_UNREADABLE');
    }
  });
});

describe('the rules', () => {
  test('name a stranger who bound a mint to the rule set of another', async () => {
    const mint = await bindable('plain', holder());
    await bind(mint, { by: market.holder });
    const powers = await powersOf(mint);
    expect(powers.binding).toMatchObject({ issuer: holder().address, issuerIsCreator: false });
    expect(await textsOf(powers, 'rules')).toEqual([
      'The mint is bound to the rule set “Adults in France” (RULE) of ISSUER.',
      'The issuer (HOLDER) can announce another rule set, which can replace this one seven days later.',
      'The issuer is not the creator of the rule set. Anybody can bind a mint to any rule set, and an issuer can hand over the role. Ask the creator (ISSUER) whether this mint is genuine.',
      ...NO_POWERS,
    ]);
  });

  test('follow a nomination, a rotation, and an announcement', async () => {
    const mint = await bindable('security');
    await bind(mint, { honoursGranted: true });
    await market.live(() => nominateIssuer(issuer(), { ...chain(), mint, nominee: holder().address }));
    const nominated = await powersOf(mint);
    expect(nominated.binding).toMatchObject({ nominee: holder().address, honoursGranted: true });
    expect(await textsOf(nominated, 'rules')).toContain(
      'The issuer nominated HOLDER, who can accept the role at any time.',
    );
    await market.live(() => acceptIssuer(holder(), { ...chain(), mint }));
    const verifier = await programAddresses(market.world.program).verifier(
      market.world.keys.verifier.address,
    );
    const request = {
      ...market.adults,
      name: 'Next',
      powers: ['suspend', 'grant'] as ['suspend', 'grant'],
      verifier,
      walletsPerPerson: 2,
    };
    const { rule } = await market.live(() => market.holder.client.createRuleSet(holder(), request));
    await market.live(() => announceRule(holder(), { ...chain(), mint, rule }));
    const powers = await powersOf(mint);
    const from = powers.binding!.next!.from;
    expect(from - BigInt(market.world.net.time)).toBeLessThanOrEqual(RULE_CHANGE_DELAY_SECONDS);
    expect(powers.binding).toMatchObject({
      issuer: holder().address,
      issuerIsCreator: false,
      nominee: null,
      next: {
        ruleSet: {
          address: rule,
          creator: holder().address,
          powers: ['suspend', 'grant'],
          verifier,
          walletsPerPerson: 2,
        },
      },
    });
    const date = new Date(Number(from) * 1_000).toISOString();
    expect(await textsOf(powers, 'rules')).toEqual(
      expect.arrayContaining([
        expect.stringContaining('whether this mint is genuine'),
        `The issuer announced the rule set “Next” (${rule}) of HOLDER. From ${date} on, anyone can apply it.`,
        'With the next rule set: The creator of the rule set (HOLDER) can suspend the pass of any wallet, which then counts as if it had none.',
        'With the next rule set: The creator can grant passes without a proof. They count for this mint.',
        `With the next rule set: Only the verifier ${verifier} can attest what a proof needs. It can revoke that, which ends passes.`,
        'With the next rule set: At most 2 wallets of one person can have proved passes. The verifier decides who is one person. Another wallet of that person can end a pass.',
      ]),
    );
    // The freeze authority did not move with the role.
    expect((await textsOf(powers, 'tokens')).join()).toContain(
      'The creator of the rule set (ISSUER) can freeze and thaw any token account.',
    );
  });

  test('say that a pass does not count without its credential', async () => {
    const mint = await bindable('plain');
    await bind(mint, { readsCredential: true });
    const powers = await powersOf(mint);
    expect(powers.binding!.readsCredential).toBe(true);
    expect(await textsOf(powers, 'tokens')).toContain(
      `${CHECKED} A verifier can stop a holder at once by revoking or replacing the credential, unless the pass was granted.`,
    );
    expect((await powersOf(market.mint)).binding!.readsCredential).toBe(false);
  });

  test('name who can become governance', async () => {
    const { keys, program } = market.world;
    const at = await programAddresses(program).config();
    const nominate = (nominee: Address | null) =>
      market.sendFinal(
        [
          getNominateAuthorityInstruction(
            { authority: keys.governance, config: at, nominee },
            { programAddress: program },
          ),
        ],
        [keys.governance],
      );
    expect((await powersOf(market.mint)).protocol!.nominee).toBeNull();
    await nominate(holder().address);
    const powers = await powersOf(market.mint);
    expect(powers.protocol!.nominee).toBe(holder().address);
    expect(await textsOf(powers, 'protocol')).toContain(
      'Governance nominated HOLDER, who can become governance at any time.',
    );
    await nominate(null);
  });

  test('say that the protocol is paused, and who can replace the program', async () => {
    await pause(market.world);
    await market.world.finalize();
    expect((await textsOf(await powersOf(market.mint), 'protocol'))[0]).toContain('It is paused now.');
    await unpause(market.world);
    await market.world.finalize();
    const at = await findProgramDataAddress(market.world.program);
    const final = rpcWith(
      at,
      withData((data) => Buffer.concat([data.subarray(0, 12), Buffer.alloc(33)])),
    );
    expect((await textsOf(await powersOf(market.mint, final), 'protocol')).at(-1)).toBe(
      'Nobody can replace the program.',
    );
    const foreign = rpcWith(at, (account) => ({ ...account, owner: TOKEN_2022_PROGRAM }));
    const unknown = await powersOf(market.mint, foreign);
    expect(unknown.protocol!.upgradeAuthority).toBeUndefined();
    expect((await textsOf(unknown, 'protocol')).at(-1)).toContain('Somebody, whom this SDK cannot name, can');
  });
});

describe('what cannot be read', () => {
  test('is an extension of another type or layout: it comes first, with a warning', async () => {
    const warning = (type: number) =>
      `The mint has an extension of type ${type}, which this SDK cannot read. It can give somebody powers that are not listed here. Do not accept the token before you know what it does.`;
    const appended = (type: number, length: number) =>
      rpcWith(
        market.mint,
        withData((data) => Buffer.concat([data, Buffer.from([type, 0, length, 0]), Buffer.alloc(length, 7)])),
      );
    for (const [type, length] of [
      [29, 32],
      [7, 0],
      [12, 31],
      [28, 33],
      [19, 31],
    ] as const) {
      const powers = await powersOf(market.mint, appended(type, length));
      expect(powers.unknownExtensions, `${type}`).toEqual([type]);
      expect((await textsOf(powers))[0]).toBe(warning(type));
    }
    for (const [type, length, role] of [
      [16, 129, 'confidentialFees'],
      [19, 90, 'metadata'],
      [21, 80, 'group'],
      [23, 72, null],
      [24, 196, null],
    ] as const) {
      const powers = await powersOf(market.mint, appended(type, length));
      expect(powers.unknownExtensions, `${type}`).toEqual([]);
      if (role) expect(powers.roles[role]).toBe('US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx');
    }
  });

  test('is an account of another program, type or version', async () => {
    const at = programAddresses(market.world.program);
    const places = {
      binding: await at.mintBinding(market.mint),
      rule: market.rule,
      config: await at.config(),
    };
    for (const address of Object.values(places)) {
      const context = { address };
      const later = rpcWith(
        address,
        withData((data) => Buffer.from(data.with(1, 9))),
      );
      await expectRefusal(powersOf(market.mint, later), 'ACCOUNT_UNREADABLE', { context });
      const foreign = rpcWith(address, (account) => ({ ...account, owner: TOKEN_2022_PROGRAM }));
      await expectRefusal(powersOf(market.mint, foreign), 'ACCOUNT_UNREADABLE', { context });
    }
    const gone = rpcWith(market.rule, () => null);
    await expectRefusal(powersOf(market.mint, gone), 'ACCOUNT_UNREADABLE');
    const bare = await powersOf(
      market.mint,
      rpcWith(places.config, () => null),
    );
    expect(bare.protocol).toBeNull();
    expect(await textsOf(bare, 'protocol')).toEqual(['The program is not set up on this cluster.']);
  });

  test('is no mint: another account, none, or one of another program with the bytes of a mint', async () => {
    for (const mint of [
      market.rule,
      market.source,
      issuer().address,
      (await generateKeyPairSigner()).address,
    ])
      await expectRefusal(powersOf(mint), 'ACCOUNT_NOT_FOUND', { context: { address: mint } });
    const fake = rpcWith(market.mint, (account) => ({ ...account, owner: SYSTEM_PROGRAM }));
    await expectRefusal(powersOf(market.mint, fake), 'ACCOUNT_NOT_FOUND');
    await expectRefusal(powersOf('x' as Address), 'INVALID_ARGUMENT', { context: { field: 'mint' } });
  });

  test('is not the SOL that somebody sent to the address of a binding', async () => {
    const mint = await createMint([]);
    const destination = await programAddresses(market.world.program).mintBinding(mint);
    await transferSol(market.world, issuer() as KeyPairSigner, { destination, lamports: 1_000_000n });
    await market.world.finalize();
    expect((await powersOf(mint)).binding).toBeNull();
  });

  test('is an RPC of another cluster', async () => {
    const deployment = { ...market.deployment, genesisHash: SYSTEM_PROGRAM };
    await expectRefusal(fetchPowers({ ...chain(), deployment, mint: market.mint }), 'GENESIS_HASH_MISMATCH');
  });
});

/** A mint of Token ACL whose gate is the program, on a real cluster with the stand-in for Token ACL. */
import { addStandInTokenAclProgram } from '@service/localnet';
import {
  decodeGate,
  decodeMintConfig,
  freezeByAuthorityInstruction,
  gateListAddresses,
  mintConfigAddress,
  programAddresses,
  SYSTEM_PROGRAM,
  setGatingProgramInstruction,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
} from '@service/protocol';
import { getCreateRuleSetInstruction, getGrantPassInstruction } from '@service/protocol/generated';
import {
  createBindableMint,
  fetchGatedAccounts,
  fetchPass,
  freezeAccount,
  freezeWithoutPass,
  nominateIssuer,
  pauseMint,
  redeem,
  removeGate,
  resumeMint,
  setGate,
  setGateAuthority,
  thawAccount,
  thawByPass,
} from '@service/sdk/chain';
import { createTokenAccount, pause, send, unpause } from '@service/server/test-service';
import {
  type Address,
  fetchEncodedAccount,
  fetchEncodedAccounts,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import {
  AccountState,
  getInitializeAccount3Instruction,
  getMintToInstruction,
  getTokenDecoder,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { nodeWith } from '../support/node.ts';
import { createAssetMint, EXTENSIONS } from './support/asset-mints.ts';
import { leavePasses } from './support/leave-passes.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const chain = () => ({
  deployment: market.deployment,
  rpc: market.world.net.rpc,
  clock: market.clock(),
});
const config = { programAddress: TOKEN_2022_PROGRAM };
const FROZEN = 2;
const INITIALIZED = 1;
/** The power of a creator to grant passes. */
const MAY_GRANT = 2;

let mint: Address;
let withoutTokenAcl: readonly Promise<unknown>[];
beforeAll(async () => {
  // The keeper of the service would freeze accounts before the client does.
  Object.assign(market.world.created.service.settings, { keeper: { dailyLamports: 0n } });
  mint = await createAssetMint(market, [EXTENSIONS.defaultState(FROZEN)]);
  const { issuer, rule } = market;
  const asked = { ...chain(), mint, rule };
  withoutTokenAcl = [setGate(mute(issuer.signer), asked), thawByPass(mute(issuer.signer), asked)];
  await Promise.allSettled(withoutTokenAcl);
  addStandInTokenAclProgram(market.world.net);
  await market.world.finalize();
});

test('a cluster without Token ACL is named before anything is signed', async () => {
  for (const call of withoutTokenAcl) {
    const message = expect.stringMatching(/^This cluster has no Token ACL/);
    await expectRefusal(call, 'GATE_UNUSABLE', { message });
  }
});

/** Creates a final token account of a mint, at the issuer's cost. */
async function createAccount(of: { mint: Address; owner: Address }): Promise<Address> {
  const account = await createTokenAccount(market.world, market.issuer.signer, of);
  await market.world.finalize();
  return account;
}

const stateOf = async (account: Address) => {
  const found = await fetchEncodedAccount(market.world.net.rpc, account, { commitment: 'finalized' });
  return found.exists ? getTokenDecoder().decode(found.data).state : null;
};
const configOf = async (of = mint) =>
  decodeMintConfig(
    await fetchEncodedAccount(market.world.net.rpc, await mintConfigAddress(of), { commitment: 'finalized' }),
  );
/** A wallet that must not be asked. */
const mute = ({ address }: KeyPairSigner) => ({
  address,
  signTransaction: () => Promise.reject(new Error('asked')),
});
const transfer = (from: KeyPairSigner, to: Address) => transferOf(mint, from, to);
const transferOf = async (mint: Address, from: KeyPairSigner, to: Address) => {
  const source = await tokenAccountAddress({ mint, owner: from.address });
  const destination = await tokenAccountAddress({ mint, owner: to });
  const move = { source, mint, destination, authority: from, amount: 1n, decimals: 2 };
  return getTransferCheckedInstruction(move, config);
};

describe('before the gate is set', () => {
  test('nobody thaws, and only a mint with frozen accounts and its freeze authority gets a gate', async () => {
    const { issuer, holder, rule } = market;
    const asked = { ...chain(), mint, rule };
    await expectRefusal(thawByPass(mute(holder.signer), { ...chain(), mint }), 'GATE_UNUSABLE');
    await expectRefusal(freezeWithoutPass(mute(holder.signer), { ...chain(), mint }), 'GATE_UNUSABLE');
    const byIssuer = (change: object) => setGate(mute(issuer.signer), { ...asked, ...change });
    await expectRefusal(byIssuer({ mint: rule }), 'ACCOUNT_NOT_FOUND', { context: { address: rule } });
    await expectRefusal(byIssuer({ rule: mint }), 'ACCOUNT_NOT_FOUND', { context: { address: mint } });
    await expectRefusal(byIssuer({ mint: 'x' }), 'INVALID_ARGUMENT', { context: { field: 'mint' } });
    await expectRefusal(byIssuer({ honoursGranted: 1 }), 'INVALID_ARGUMENT', {
      context: { field: 'honoursGranted' },
    });
    await expectRefusal(byIssuer({ anyoneFreezes: null }), 'INVALID_ARGUMENT', {
      context: { field: 'anyoneFreezes' },
    });
    await expectRefusal(setGate(mute(holder.signer), asked), 'INVALID_ARGUMENT', {
      context: { field: 'wallet' },
      message: expect.stringContaining('Only the freeze authority'),
    });
    await expectRefusal(removeGate(mute(issuer.signer), asked), 'INVALID_ARGUMENT', {
      context: { field: 'mint' },
    });
    await expectRefusal(byIssuer({ mint: await createAssetMint(market) }), 'GATE_UNUSABLE');
    await expectRefusal(
      byIssuer({ mint: await createAssetMint(market, [EXTENSIONS.defaultState(INITIALIZED)]) }),
      'GATE_UNUSABLE',
    );
    const { mint: bindable } = await market.live(() => createBindableMint(issuer.signer, chain()));
    await expectRefusal(byIssuer({ mint: bindable }), 'INVALID_ARGUMENT', { context: { field: 'wallet' } });
    expect(await configOf()).toBeNull();
  });
});

describe('a gated mint', () => {
  beforeAll(async () => {
    const { issuer, rule } = market;
    await market.live(() => setGate(issuer.signer, { ...chain(), mint, rule }));
  });

  test('has Token ACL as its freeze authority, which asks the program whoever calls', async () => {
    expect(await configOf()).toEqual({
      mint,
      authority: market.issuer.signer.address,
      gate: market.world.program,
      canThaw: true,
      canFreeze: true,
    });
  });

  test('counts it as done if another wallet thaws or freezes the account while this one signs', async () => {
    const { issuer, world } = market;
    const authority = issuer.signer.address;
    const stranger = (await market.party()).signer.address;
    /** Asks a wallet that signs only after the issuer sent an instruction, which is not final yet. */
    const whileSigning = async (
      act: typeof thawByPass | typeof freezeWithoutPass,
      owner: Address,
      instruction: Instruction | Promise<Instruction>,
    ) => {
      const { signer } = await world.visitor();
      const slow: KeyPairSigner = {
        ...signer,
        async signTransactions(...all) {
          await send(world, issuer.signer, [await instruction]);
          return signer.signTransactions(...all);
        },
      };
      return market.live(() => act(slow, { ...chain(), mint, owner }));
    };
    const own = await createAccount({ mint, owner: authority });
    const theirs = await createAccount({ mint, owner: stranger });
    const change = (what: 'freeze' | 'thaw', tokenAccount: Address) =>
      freezeByAuthorityInstruction(what, { authority, mint, tokenAccount });
    const thawed = await whileSigning(thawByPass, authority, change('thaw', own));
    expect(thawed).toEqual({ tokenAccount: own, signature: null });
    expect(await stateOf(own)).toBe(AccountState.Initialized);

    await market.sendFinal([await change('thaw', theirs)]);
    const frozen = await whileSigning(freezeWithoutPass, stranger, change('freeze', theirs));
    expect(frozen).toEqual({ tokenAccount: theirs, signature: null });
    expect(await stateOf(theirs)).toBe(AccountState.Frozen);

    // Another failure stays one.
    await market.sendFinal([await change('thaw', theirs)]);
    const gateOf = (gate: Address) => setGatingProgramInstruction({ authority, mint, gate });
    const failing = whileSigning(freezeWithoutPass, stranger, gateOf(market.mint));
    await expectRefusal(failing, 'TRANSACTION_FAILED');
    await market.sendFinal([await gateOf(world.program), await change('freeze', theirs)]);
  });

  test('lets a holder create and thaw its account in one transaction, and freezes it when its pass ends', async () => {
    const { issuer, holder, rule } = market;
    const wallet = holder.signer.address;
    const thawed = await market.live(() => thawByPass(holder.signer, { ...chain(), mint }));
    expect(thawed.signature).toMatch(/^\w{64,88}$/);
    expect(await stateOf(thawed.tokenAccount)).toBe(AccountState.Initialized);
    // Nothing is left to do or to sign.
    const again = { tokenAccount: thawed.tokenAccount, signature: null };
    expect(await thawByPass(mute(holder.signer), { ...chain(), mint })).toEqual(again);
    // Anybody else thaws for a holder too.
    const asked = { ...chain(), mint, owner: issuer.signer.address };
    await market.live(() => thawByPass(holder.signer, asked));
    const token = thawed.tokenAccount;
    const minting = { mint, token, mintAuthority: issuer.signer, amount: 100n };
    await market.sendFinal([getMintToInstruction(minting, config)]);
    await market.sendFinal([await transfer(holder.signer, issuer.signer.address)], [holder.signer]);

    const pass = (await fetchPass({ ...chain(), rule, wallet }))!;
    const freeze = (by: Parameters<typeof freezeWithoutPass>[0]) =>
      freezeWithoutPass(by, { ...chain(), mint, owner: wallet });
    const { expiresAt } = pass;
    await expectRefusal(freeze(mute(issuer.signer)), 'PASS_LIVE', {
      context: { expiresAt, closableAt: expiresAt },
    });
    await leavePasses(market, [wallet, issuer.signer.address]);
    market.setTime(expiresAt);
    // The gate does not stop an expired holder until somebody freezes the account.
    await market.sendFinal([await transfer(holder.signer, issuer.signer.address)], [holder.signer]);
    const frozen = await market.live(() => freeze(issuer.signer));
    expect(frozen.signature).not.toBeNull();
    expect(await stateOf(token)).toBe(AccountState.Frozen);
    expect(await freeze(mute(issuer.signer))).toEqual(again);
    await expectRefusal(thawByPass(mute(holder.signer), { ...chain(), mint }), 'PASS_REQUIRED', {
      context: { rule, wallet },
    });
    await expect(
      market.sendFinal([await transfer(holder.signer, issuer.signer.address)], [holder.signer]),
    ).rejects.toThrow();
  });

  test('refuses an account of another owner or mint, one whose owner can change, and one that does not exist', async () => {
    const { issuer, holder, destination } = market;
    const asked = { ...chain(), mint };
    const own = await tokenAccountAddress({ mint, owner: issuer.signer.address });
    for (const call of [thawByPass, freezeWithoutPass]) {
      for (const tokenAccount of [destination, own]) {
        const refused = call(mute(holder.signer), { ...asked, tokenAccount });
        await expectRefusal(refused, 'INVALID_ARGUMENT', { context: { field: 'tokenAccount' } });
      }
      const nowhere = (await generateKeyPairSigner()).address;
      const missing = call(mute(holder.signer), { ...asked, tokenAccount: nowhere });
      await expectRefusal(missing, 'ACCOUNT_NOT_FOUND', { context: { address: nowhere } });
      await expectRefusal(call(mute(holder.signer), { ...asked, owner: 'x' as never }), 'INVALID_ARGUMENT');
      await expectRefusal(
        call(mute(holder.signer), { ...asked, tokenAccount: 'x' as never }),
        'INVALID_ARGUMENT',
      );
    }
    const key = await generateKeyPairSigner();
    const [space, owner] = [165n, issuer.signer.address];
    const lamports = await market.world.rpc.getMinimumBalanceForRentExemption(space).send();
    await market.sendFinal(
      [
        getCreateAccountInstruction({ payer: issuer.signer, newAccount: key, lamports, space, ...config }),
        getInitializeAccount3Instruction({ account: key.address, mint, owner }, config),
      ],
      [key],
    );
    const loose = thawByPass(mute(issuer.signer), { ...asked, tokenAccount: key.address });
    await expectRefusal(loose, 'INVALID_ARGUMENT', { context: { field: 'tokenAccount' } });
    // Its owner has a live pass.
    const { accounts } = await fetchGatedAccounts(asked);
    const listed = accounts.find(({ tokenAccount }) => tokenAccount === key.address);
    expect(listed).toMatchObject({ owner, frozen: true, thawable: false, freezable: false });
  });

  test('keeps whether anyone freezes when its rule set changes, and can change it', async () => {
    const { issuer, rule } = market;
    const set = (change: object) =>
      market.live(() => setGate(issuer.signer, { ...chain(), mint, rule, ...change }));
    await set({ anyoneFreezes: false });
    expect(await configOf()).toMatchObject({ canThaw: true, canFreeze: false });
    const { signer } = market.holder;
    await expectRefusal(freezeWithoutPass(mute(signer), { ...chain(), mint }), 'GATE_UNUSABLE');
    await set({});
    expect(await configOf()).toMatchObject({ canFreeze: false });
    await set({ anyoneFreezes: true });
    expect(await configOf()).toMatchObject({ canFreeze: true });
  });

  test('is frozen and thawed by the authority of Token ACL, which others are told', async () => {
    const { issuer, holder } = market;
    const tokenAccount = await tokenAccountAddress({ mint, owner: issuer.signer.address });
    const asked = { ...chain(), mint, tokenAccount };
    const message = expect.stringContaining(`Only ${issuer.signer.address} can`);
    for (const call of [freezeAccount, thawAccount])
      await expectRefusal(call(mute(holder.signer), asked), 'INVALID_ARGUMENT', { message });
    await market.live(() => freezeAccount(issuer.signer, asked));
    expect(await stateOf(tokenAccount)).toBe(AccountState.Frozen);
    await market.live(() => thawAccount(issuer.signer, asked));
    expect(await stateOf(tokenAccount)).toBe(AccountState.Initialized);
  });

  test('thaws nobody while the protocol is paused', async () => {
    const { world, issuer, rule } = market;
    const { signer } = await market.party();
    await pause(world);
    await world.finalize();
    await expectRefusal(thawByPass(mute(signer), { ...chain(), mint }), 'PROTOCOL_PAUSED');
    await expectRefusal(setGate(mute(issuer.signer), { ...chain(), mint, rule }), 'PROTOCOL_PAUSED');
    await expectRefusal(freezeWithoutPass(mute(signer), { ...chain(), mint }), 'ACCOUNT_NOT_FOUND');
    await unpause(world);
    await world.finalize();
  });
});

test('an issuer takes tokens of a frozen account of a bound mint that has a gate too', async () => {
  const { issuer, rule, live } = market;
  const { signer, client } = issuer;
  const { mint: fund } = await live(() => createBindableMint(signer, { ...chain(), template: 'fund' }));
  await live(() => client.bindMint(signer, { mint: fund, rule, requireSource: false }));
  await live(() => setGate(signer, { ...chain(), mint: fund, rule }));
  const asked = { ...chain(), mint: fund };
  const { tokenAccount } = await live(() => thawByPass(signer, asked));
  await live(() => client.issue(signer, { mint: fund, destination: tokenAccount, amount: 10n }));
  await live(() => freezeAccount(signer, { ...asked, tokenAccount }));
  const order = { source: tokenAccount, amount: 4n, reason: 'other' } as const;
  const frozen = live(() => client.redeem(signer, { mint: fund, ...order }));
  await expectRefusal(frozen, 'INVALID_REQUEST', { message: expect.stringContaining('is frozen') });
  await live(() => redeem(signer, { ...asked, ...order }));
  expect(await stateOf(tokenAccount)).toBe(AccountState.Frozen);
});

test('a granted pass counts only for a gate that honours it', async () => {
  const { issuer, world } = market;
  const creator = issuer.signer;
  const at = programAddresses(world.program);
  const [rule, configAddress] = [await at.ruleSet(creator.address, 77n), await at.config()];
  const custodian = (await generateKeyPairSigner()).address;
  const shared = { creator, config: configAddress, ruleSet: rule, systemProgram: SYSTEM_PROGRAM };
  const ofProgram = { programAddress: world.program };
  await market.sendFinal([
    getCreateRuleSetInstruction(
      {
        ...shared,
        ...{ nonce: 77n, name: 'With grants', maxPassAgeSeconds: 86_400n },
        clauses: [{ regionMask: new Uint8Array(32).with(31, 1), statusMask: 1, minAge: 18 }],
        terms: { powers: MAY_GRANT, verifier: null },
      },
      ofProgram,
    ),
    getTransferSolInstruction({ source: creator, destination: rule, amount: 10_000_000n }),
  ]);
  const expiresAt = BigInt(world.net.time) + 3_600n;
  const wallet = custodian;
  const pass = await at.pass(rule, wallet);
  await market.sendFinal([getGrantPassInstruction({ ...shared, wallet, pass, expiresAt }, ofProgram)]);

  const granting = await createAssetMint(market, [EXTENSIONS.defaultState(FROZEN)]);
  const set = (honoursGranted?: boolean) =>
    market.live(() => setGate(creator, { ...chain(), mint: granting, rule, honoursGranted }));
  const asked = { ...chain(), mint: granting, owner: custodian };
  const listed = async () => (await fetchGatedAccounts({ ...chain(), mint: granting })).accounts;
  await set(false);
  await expectRefusal(thawByPass(mute(creator), asked), 'PASS_REQUIRED');
  await set(true);
  const { tokenAccount } = await market.live(() => thawByPass(creator, asked));
  expect(await stateOf(tokenAccount)).toBe(AccountState.Initialized);
  // A change of something else keeps it, or anyone could freeze what custodians hold.
  await set();
  await expectRefusal(freezeWithoutPass(mute(creator), asked), 'PASS_LIVE');
  expect(await listed()).toMatchObject([{ pass: { granted: true }, freezable: false }]);
  await set(false);
  expect(await listed()).toMatchObject([{ pass: { granted: true }, freezable: true }]);
  await market.live(() => freezeWithoutPass(creator, asked));
  expect(await stateOf(tokenAccount)).toBe(AccountState.Frozen);
});

describe('a mint that has holders already, with a permanent delegate and a pause', () => {
  let adopted: Address;
  let held: Address;
  const accounts = async () => (await fetchGatedAccounts({ ...chain(), mint: adopted })).accounts;
  const gate = (by: Parameters<typeof setGate>[0], change: object = {}) =>
    setGate(by, { ...chain(), mint: adopted, rule: market.rule, ...change });

  beforeAll(async () => {
    const { issuer } = market;
    const by = issuer.signer.address;
    const [delegate, pausable] = [EXTENSIONS.permanentDelegate(by), EXTENSIONS.pausable(by)];
    adopted = await createAssetMint(market, [EXTENSIONS.defaultState(FROZEN), delegate, pausable]);
    // A holder who has not proved, and one who has: the issuer.
    const owner = (await market.party()).signer.address;
    held = await createAccount({ mint: adopted, owner });
    const own = await createAccount({ mint: adopted, owner: issuer.signer.address });
    for (const tokenAccount of [held, own]) {
      await market.live(() => thawAccount(issuer.signer, { ...chain(), mint: adopted, tokenAccount }));
      const minting = { mint: adopted, token: tokenAccount, mintAuthority: issuer.signer, amount: 100n };
      await market.sendFinal([getMintToInstruction(minting, config)]);
    }
  });

  test('needs a choice of who freezes, because nobody could prove before', async () => {
    const { issuer, world } = market;
    await expectRefusal(fetchGatedAccounts({ ...chain(), mint: adopted }), 'GATE_UNUSABLE');
    await expectRefusal(gate(mute(issuer.signer)), 'INVALID_ARGUMENT', {
      context: { field: 'anyoneFreezes' },
    });
    await market.live(() => gate(issuer.signer, { anyoneFreezes: false }));
    expect(await configOf(adopted)).toMatchObject({ gate: world.program, canFreeze: false });
    const listed = await accounts();
    expect(listed.map(({ tokenAccount }) => tokenAccount)).toEqual(
      listed.map(({ tokenAccount }) => tokenAccount).sort(),
    );
    const own = await tokenAccountAddress({ mint: adopted, owner: issuer.signer.address });
    expect(listed.find(({ tokenAccount }) => tokenAccount === own)).toMatchObject({
      ...{ owner: issuer.signer.address, amount: 100n, frozen: false, thawable: false, freezable: false },
      pass: { rule: market.rule, wallet: issuer.signer.address },
    });
    expect(listed.find(({ tokenAccount }) => tokenAccount === held)).toMatchObject({
      ...{ amount: 100n, frozen: false, pass: null, thawable: false, freezable: true },
    });
    expect(listed).toHaveLength(2);
    // The gate that exists keeps what was chosen.
    await market.live(() => gate(issuer.signer, { anyoneFreezes: true }));
    await market.live(() => gate(issuer.signer));
    expect(await configOf(adopted)).toMatchObject({ canFreeze: true });
  });

  test('an RPC that lists another account, or one twice, has failed', async () => {
    const lists = [
      (value: unknown[]) => [...value, value[0]],
      (value: { pubkey: string; account: object }[]) => [
        ...value,
        { ...value[0]!, pubkey: market.mint, account: { ...value[0]!.account, owner: SYSTEM_PROGRAM } },
      ],
    ];
    for (const lie of lists) {
      const rpc = nodeWith(market.world.net, {
        getProgramAccounts: (answer: { value: never[] }) => ({ ...answer, value: lie(answer.value) }),
      });
      await expectRefusal(fetchGatedAccounts({ ...chain(), rpc, mint: adopted }), 'RPC_ERROR');
    }
  });

  test('its issuer freezes, thaws and pauses, but has no role of a binding', async () => {
    const { issuer } = market;
    const asked = { ...chain(), mint: adopted, tokenAccount: held };
    await market.live(() => freezeAccount(issuer.signer, asked));
    expect(await stateOf(held)).toBe(AccountState.Frozen);
    expect((await accounts()).find(({ tokenAccount }) => tokenAccount === held)).toMatchObject({
      ...{ frozen: true, thawable: false, freezable: false },
    });
    const nominee = { ...chain(), mint: adopted, nominee: null };
    await expectRefusal(nominateIssuer(mute(issuer.signer), nominee), 'INVALID_ARGUMENT', {
      context: { field: 'mint' },
      message: expect.stringContaining('has a gate and no binding'),
    });
    await market.live(() => pauseMint(issuer.signer, { ...chain(), mint: adopted }));
    const own = await transferOf(adopted, issuer.signer, issuer.signer.address);
    await expect(market.sendFinal([own])).rejects.toThrow();
    await market.live(() => resumeMint(issuer.signer, { ...chain(), mint: adopted }));
  });

  test('a bound mint is no gated one, and its binding is what is missing', async () => {
    const unbound = await createAssetMint(market, [EXTENSIONS.defaultState(FROZEN)]);
    const taking = { ...chain(), mint: unbound, source: held, amount: 1n, reason: 'redemption' } as const;
    const binding = await programAddresses(market.world.program).mintBinding(unbound);
    await expectRefusal(redeem(mute(market.issuer.signer), taking), 'ACCOUNT_NOT_FOUND', {
      context: { address: binding },
    });
  });

  test('its authority hands the gate over, and removes it', async () => {
    const { issuer, holder } = market;
    const [from, to] = [issuer.signer, holder.signer];
    const asked = { ...chain(), mint: adopted };
    const handing = { ...asked, authority: to.address };
    await expectRefusal(setGateAuthority(mute(to), handing), 'INVALID_ARGUMENT', {
      context: { field: 'wallet' },
    });
    const nobody = { authority: SYSTEM_PROGRAM, freezeAuthority: SYSTEM_PROGRAM };
    await expectRefusal(setGateAuthority(mute(from), { ...asked, ...nobody }), 'INVALID_ARGUMENT', {
      context: { field: 'authority' },
    });
    await expectRefusal(removeGate(mute(from), { ...asked, ...nobody }), 'INVALID_ARGUMENT', {
      context: { field: 'freezeAuthority' },
    });
    await market.live(() => setGateAuthority(from, handing));
    expect(await configOf(adopted)).toMatchObject({ authority: to.address });
    await expectRefusal(removeGate(mute(from), asked), 'INVALID_ARGUMENT', { context: { field: 'wallet' } });
    await expectRefusal(gate(mute(from)), 'INVALID_ARGUMENT', {
      context: { field: 'wallet' },
      message: expect.stringContaining(`Only the authority at Token ACL, ${to.address},`),
    });
    await market.live(() => removeGate(to, { ...asked, freezeAuthority: from.address }));
    expect(await configOf(adopted)).toBeNull();
    await expectRefusal(thawByPass(mute(to), asked), 'GATE_UNUSABLE');
    // The issuer is the freeze authority again, and can set a gate again.
    await market.live(() => thawAccount(from, { ...asked, tokenAccount: held }));
    expect(await stateOf(held)).toBe(AccountState.Initialized);
    await expectRefusal(gate(mute(from)), 'INVALID_ARGUMENT', { context: { field: 'anyoneFreezes' } });
    await market.live(() => gate(from, { anyoneFreezes: false }));
    const { program } = market.world;
    const at = { authority: from.address, mint: adopted };
    await market.live(() => gate(from, { honoursGranted: true }));
    const other = market.mint;
    await market.sendFinal([await setGatingProgramInstruction({ ...at, gate: other })]);
    // What another program gates is not the business of this one.
    await expectRefusal(removeGate(mute(from), asked), 'INVALID_ARGUMENT', { context: { field: 'mint' } });
    await expectRefusal(
      setGateAuthority(mute(from), { ...asked, authority: to.address }),
      'INVALID_ARGUMENT',
      {
        context: { field: 'mint' },
      },
    );
    await market.sendFinal([await setGatingProgramInstruction({ ...at, gate: program })]);
    await market.live(() => removeGate(from, asked));
    // The choice of a gate that was removed does not return with the next gate.
    await market.live(() => gate(from, { anyoneFreezes: false }));
    const { freezeList, thawList } = await gateListAddresses(program, adopted);
    const [thaw, freeze] = await fetchEncodedAccounts(market.world.net.rpc, [thawList, freezeList]);
    expect(decodeGate(program, thaw!, freeze!)).toMatchObject({ honoursGranted: false });
    await market.live(() => removeGate(from, asked));
    await market.live(() => freezeAccount(from, { ...asked, tokenAccount: held }));
  });
});

/** `npx @service/cli`, run by issuers: the vault of a multisig, a key file, and a key elsewhere with a durable nonce. */
import { addStandInTokenAclProgram } from '@service/localnet';
import {
  createTokenAccountInstruction,
  decodeGate,
  decodeMintConfig,
  decodeTokenAccount,
  gateListAddresses,
  type MintTemplate,
  mintConfigAddress,
  NEVER,
  pauseAuthorityOf,
  RULE_CHANGE_DELAY_SECONDS,
  readAccount,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
} from '@service/protocol';
import { fetchMint } from '@service/sdk/chain';
import {
  type Address,
  address,
  fetchEncodedAccount,
  generateKeyPairSigner,
  type KeyPairSigner,
} from '@solana/kit';
import {
  getAdvanceNonceAccountInstruction,
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import { AccountState, getMintToInstruction } from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRpcProxy } from '../e2e/support/rpc-proxy.ts';
import { createAssetMint, EXTENSIONS } from '../sdk/support/asset-mints.ts';
import { createVault, decoded, useCommand } from './support/command-line.ts';

const command = useCommand();
const { market, run, read, at, balanceOf } = command;

const SOL = 1_000_000_000n;
const CLAUSES = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }];

let member: KeyPairSigner;
let stranger: KeyPairSigner;
let vault: Address;
let execute: Awaited<ReturnType<typeof createVault>>['execute'];

beforeAll(async () => {
  addStandInTokenAclProgram(market.world.net);
  [member, stranger] = await Promise.all([command.keyFile('member'), command.keyFile('stranger')]);
  for (const { address } of [member, stranger]) market.world.net.airdrop(address, 10n * SOL);
  await market.world.finalize();
  await command.writeFile('clauses.json', JSON.stringify(CLAUSES));
  ({ vault, execute } = await createVault(command, member));
});

/** A time at which a pass may expire. */
const expiry = () => BigInt(market.world.net.time) + 80_000n;

/** Creates a mint whose authorities are those of an issuer, who does not sign. */
async function createMintFor(issuer: Address, template: MintTemplate, named = ''): Promise<Address> {
  const options = `--issuer ${issuer} --template ${template} --decimals 2${named}`;
  const { code, err } = await run(`create-mint ${options} --key member.json`);
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
  return address(/creates mint (\w+)/.exec(err)![1]!);
}

async function createAccount(mint: Address, owner: Address): Promise<Address> {
  const payer = market.issuer.signer.address;
  await market.sendFinal([await createTokenAccountInstruction({ payer, mint, owner })]);
  return tokenAccountAddress({ mint, owner });
}

const fetchAccount = (of: Address) =>
  fetchEncodedAccount(market.world.net.rpc, of, { commitment: 'finalized' });
async function tokensOf(account: Address) {
  const found = await fetchAccount(account);
  if (!found.exists) throw new Error('There is no token account.');
  return decodeTokenAccount(found.data)!;
}

/** Creates a rule set of the vault, and returns its address as the command names it. */
async function createVaultRule(nonce: number, more = ''): Promise<Address> {
  const options = `--name Desk --nonce ${nonce} --clauses clauses.json --max-pass-age 86400`;
  const { err } = await execute(`create-rule-set ${options}${more}`);
  return address(/creates rule set (\w+)/.exec(err)![1]!);
}

describe('the vault of a multisig is an issuer', () => {
  let rule: Address;
  let mint: Address;
  let [lost, fresh]: Address[] = [];

  test('it creates a rule set with powers, funds it, and binds a mint of a fund', async () => {
    rule = await createVaultRule(7, ' --powers suspend,grant');
    expect(await read('ruleSet', rule)).toMatchObject({ creator: vault, name: 'Desk', powers: 3, nonce: 7n });
    const before = await balanceOf(rule);
    await execute(`fund-rule-set --rule ${rule} --lamports 1005000`);
    expect(await balanceOf(rule)).toBe(before + 1_005_000n);
    await execute(`withdraw-pass-funds --rule ${rule} --lamports 5000 --recipient ${member.address}`);
    expect(await balanceOf(rule)).toBe(before + 1_000_000n);
    const tooMuch = `withdraw-pass-funds --rule ${rule} --lamports 99000000000 --recipient ${member.address}`;
    for (const [signer, why] of [
      [vault, 'Withdraw at most that.'],
      [member.address, 'creator'],
    ] as const) {
      const refused = await run(`${tooMuch} --unsigned ${signer}`);
      expect(refused).toMatchObject({ out: '', err: expect.stringContaining(why) });
      expect(refused.code).not.toBe(0);
    }
    await execute(`set-max-pass-fee --rule ${rule} --lamports 40000`);
    expect(await read('ruleSet', rule)).toMatchObject({ maxPassFee: 40_000n });
    await execute(`set-max-pass-fee --rule ${rule} --lamports 50000`);

    const verifier = await at().verifier(market.world.keys.verifier.address);
    const limited = await createVaultRule(70, ` --verifier ${verifier} --wallets-per-person 2`);
    expect(await read('ruleSet', limited)).toMatchObject({ walletsPerPerson: 2 });

    const uri = 'https://example.com/exb';
    const named = ` --name Bond --symbol EXB --uri ${uri} --metadata-authority ${member.address}`;
    mint = await createMintFor(vault, 'fund', named);
    const { deployment, world } = market;
    expect(await fetchMint({ deployment, rpc: world.net.rpc, mint })).toMatchObject({
      ...{ decimals: 2, name: 'Bond', symbol: 'EXB', uri, metadataAuthority: member.address },
    });
    const choices = '--require-source no --honours-granted yes --reads-credential yes';
    await execute(`bind-mint --mint ${mint} --rule ${rule} ${choices}`);
    const binding = {
      issuer: vault,
      rule,
      requireSource: false,
      honoursGranted: true,
      readsCredential: true,
    };
    expect(await read('mintBinding', await at().mintBinding(mint))).toMatchObject(binding);
  });

  test('it creates a rule set that names its only verifier', async () => {
    const verifier = await at().verifier(market.world.keys.verifier.address);
    const of = await createVaultRule(8, ` --verifier ${verifier}`);
    expect(await read('ruleSet', of)).toMatchObject({ powers: 0, verifier: { value: verifier } });
  });

  test('it grants passes, thaws, issues, and recovers from a lost wallet, also while that is frozen', async () => {
    const owners = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    [lost, fresh] = await Promise.all(
      owners.map(({ address }) => tokenAccountAddress({ mint, owner: address })),
    );
    for (const { address: owner } of owners) {
      await createAccount(mint, owner);
      await execute(`grant --rule ${rule} --holder ${owner} --expires-at ${expiry()}`);
      expect(await read('pass', await at().pass(rule, owner))).toMatchObject({ granted: true });
    }
    for (const account of [lost, fresh]) await execute(`thaw --mint ${mint} --token-account ${account}`);
    await execute(`issue --mint ${mint} --destination ${lost} --amount 1000`);
    const move = `recover --mint ${mint} --source ${lost} --destination ${fresh} --reason lost-key`;
    expect(await execute(`${move} --amount 300`)).toMatchObject({ count: 1 });
    await execute(`freeze --mint ${mint} --token-account ${lost}`);
    expect(await tokensOf(lost!)).toMatchObject({ amount: 700n, frozen: true });
    // A thaw before, and a freeze after.
    expect(await execute(`${move} --amount 700`)).toMatchObject({ count: 3 });
    expect(await tokensOf(lost!)).toMatchObject({ amount: 0n, frozen: true });
    await execute(`redeem --mint ${mint} --source ${fresh} --amount 100 --reason redemption`);
    expect(await tokensOf(fresh!)).toMatchObject({ amount: 900n, frozen: false });
    const refused = await run(`${move} --amount 1 --unsigned ${member.address}`);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain(`INVALID_ARGUMENT: The issuer of the mint is ${vault}.`);
  });

  test('it suspends a pass, lifts the suspension, and ends a grant', async () => {
    const { owner } = await tokensOf(fresh!);
    const pass = async () => read('pass', await at().pass(rule, owner));
    await execute(`suspend --rule ${rule} --holder ${owner} --until ${NEVER}`);
    expect(await pass()).toMatchObject({ suspendedUntil: NEVER });
    await execute(`lift --rule ${rule} --holder ${owner}`);
    expect(await pass()).toMatchObject({ suspendedUntil: 0n });
    const { owner: gone } = await tokensOf(lost!);
    await execute(`end-grant --rule ${rule} --holder ${gone}`);
    const { exists } = await fetchAccount(await at().pass(rule, gone));
    expect(exists).toBe(false);
    const grant = `grant --rule ${rule} --holder ${gone} --unsigned ${vault} --expires-at 0`;
    expect((await run(grant)).err).toContain('Send end-grant to end a grant.');
    const suspension = await run(`suspend --rule ${rule} --holder ${owner} --unsigned ${vault} --until 0`);
    expect(suspension).toMatchObject({ code: 2, out: '' });
    expect(suspension.err).toContain('--until must not be 0. Send lift to end a suspension.');
  });

  test('it pauses and resumes the mint', async () => {
    const pausable = async () => {
      const { rpc, program } = market.world;
      return (await readAccount({ rpc, program, commitment: 'finalized' }, 'mint', mint))!.data;
    };
    expect(pauseAuthorityOf(await pausable())).toBe(vault);
    await execute(`pause-mint --mint ${mint}`);
    const issue = `issue --mint ${mint} --destination ${fresh} --amount 1 --unsigned ${vault}`;
    expect(await run(issue)).toMatchObject({
      code: 1,
      err: expect.stringContaining('MINT_PAUSED'),
    });
    await execute(`resume-mint --mint ${mint}`);
    expect(await run(issue)).toMatchObject({ code: 0 });
  });

  test('it announces another rule set, which anyone applies after seven days, and not before', async () => {
    const next = await createVaultRule(9, ' --powers grant');
    const apply = `apply-rule --mint ${mint} --key stranger.json`;
    expect((await run(apply)).err).toContain('No other rule set is announced');
    await execute(`announce-rule --mint ${mint} --rule ${next}`);
    const early = await run(apply);
    expect(early).toMatchObject({ code: 2, err: expect.stringContaining('can be applied from') });
    market.setTime(BigInt(market.world.net.time) + RULE_CHANGE_DELAY_SECONDS);
    expect(await run(apply)).toMatchObject({ code: 0, out: expect.stringMatching(/^finalized: \w+$/) });
    expect(await read('mintBinding', await at().mintBinding(mint))).toMatchObject({ rule: next });
  });

  test('it hands its role to a key, which accepts', async () => {
    const binding = async () => read('mintBinding', await at().mintBinding(mint));
    await execute(`nominate-issuer --mint ${mint} --nominee ${stranger.address}`);
    await execute(`nominate-issuer --mint ${mint} --nominee none`);
    expect(await binding()).toMatchObject({ issuer: vault, nominee: SYSTEM_PROGRAM });
    await execute(`nominate-issuer --mint ${mint} --nominee ${stranger.address}`);
    expect(await run(`accept-issuer --mint ${mint} --key stranger.json`)).toMatchObject({ code: 0 });
    expect(await binding()).toMatchObject({ issuer: stranger.address });
    const refused = await run(`issue --mint ${mint} --destination ${fresh} --amount 1 --unsigned ${vault}`);
    expect(refused.err).toContain(`issue must be signed by ${stranger.address}, not by ${vault}.`);
  });

  test('it makes the program the gate of a mint of Token ACL', async () => {
    const gated = await createMintFor(vault, 'fund');
    await execute(`set-gate --mint ${gated} --rule ${rule} --honours-granted yes --anyone-freezes no`);
    const { thawList, freezeList } = await gateListAddresses(market.world.program, gated);
    const gate = decodeGate(
      market.world.program,
      await fetchAccount(thawList),
      await fetchAccount(freezeList),
    );
    expect(gate).toEqual({ mint: gated, rule, honoursGranted: true });
    const config = decodeMintConfig(await fetchAccount(await mintConfigAddress(gated)));
    expect(config).toMatchObject({ authority: vault, canThaw: true, canFreeze: false });
    await execute(`set-gate --mint ${gated} --rule ${rule} --anyone-freezes yes`);
    expect(decodeMintConfig(await fetchAccount(await mintConfigAddress(gated)))).toMatchObject({
      canFreeze: true,
    });
  });

  test('it takes tokens of a frozen account of a gated mint in one transaction', async () => {
    const extensions = [EXTENSIONS.defaultState(AccountState.Frozen), EXTENSIONS.permanentDelegate(vault)];
    const gated = await createAssetMint(market, extensions, { freezeAuthority: vault });
    await execute(`set-gate --mint ${gated} --rule ${rule} --honours-granted yes --anyone-freezes no`);
    const [gone, next] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    await execute(`grant --rule ${rule} --holder ${next.address} --expires-at ${expiry()}`);
    const source = await createAccount(gated, gone.address);
    const destination = await createAccount(gated, next.address);
    for (const account of [source, destination])
      await execute(`thaw --mint ${gated} --token-account ${account}`);
    const minting = { mint: gated, token: source, mintAuthority: market.issuer.signer, amount: 100n };
    await market.sendFinal([getMintToInstruction(minting, { programAddress: TOKEN_2022_PROGRAM })]);
    await execute(`freeze --mint ${gated} --token-account ${source}`);
    const take = `--mint ${gated} --source ${source} --reason court-order`;
    // A thaw, the reason in a memo, and a freeze are with it.
    const recovery = await execute(`recover ${take} --destination ${destination} --amount 60`);
    expect(recovery).toMatchObject({ count: 4 });
    expect(await execute(`redeem ${take} --amount 30`)).toMatchObject({ count: 4 });
    expect(await tokensOf(source)).toMatchObject({ amount: 10n, frozen: true });
    expect(await tokensOf(destination)).toMatchObject({ amount: 60n, frozen: false });
    const refused = await run(`redeem ${take} --amount 1 --key stranger.json`);
    expect(refused.err).toContain(`INVALID_ARGUMENT: The permanent delegate of the mint is ${vault}.`);
  });
});

describe('a durable nonce', () => {
  /** Long enough that every blockhash of the test has expired. */
  const LATER_SLOTS = 400;
  let cold: KeyPairSigner;
  let keeper: KeyPairSigner;
  let rule: Address;

  beforeAll(async () => {
    [cold, keeper] = await Promise.all([command.keyFile('cold'), command.keyFile('keeper')]);
    for (const { address } of [cold, keeper]) market.world.net.airdrop(address, 10n * SOL);
    await market.world.finalize();
    const options = '--name Cold --nonce 1 --clauses clauses.json --max-pass-age 86400 --powers grant';
    const created = await run(`create-rule-set ${options} --key cold.json`);
    expect(created.code).toBe(0);
    rule = address(/creates rule set (\w+)/.exec(created.err)![1]!);
    const { signer } = market.issuer;
    await market.sendFinal([
      getTransferSolInstruction({ source: signer, destination: rule, amount: SOL / 100n }),
    ]);
  });

  async function createNonce(nonceAuthority: Address, { initialize = true } = {}): Promise<Address> {
    const { signer } = market.issuer;
    const account = await generateKeyPairSigner();
    const lamports = await market.world.rpc.getMinimumBalanceForRentExemption(80n).send();
    const create = {
      payer: signer,
      newAccount: account,
      lamports,
      space: 80,
      programAddress: SYSTEM_PROGRAM,
    };
    const start = getInitializeNonceAccountInstruction({ nonceAccount: account.address, nonceAuthority });
    await market.sendFinal([getCreateAccountInstruction(create), ...(initialize ? [start] : [])], [account]);
    return account.address;
  }
  const advance = (nonceAccount: Address, nonceAuthority: KeyPairSigner) =>
    market.sendFinal([getAdvanceNonceAccountInstruction({ nonceAccount, nonceAuthority })], [nonceAuthority]);
  const grantTo = (holder: Address) => `grant --rule ${rule} --holder ${holder} --expires-at ${expiry()}`;
  const isGranted = async (holder: Address) => (await fetchAccount(await at().pass(rule, holder))).exists;
  const later = () => market.world.net.advanceSlots(LATER_SLOTS);
  const newHolder = async () => (await generateKeyPairSigner()).address;

  test('a transaction that is signed long after its blockhash would have expired lands, once', async () => {
    const [nonce, holder] = [await createNonce(cold.address), await newHolder()];
    const printed = await run(`${grantTo(holder)} --unsigned ${cold.address} --nonce-account ${nonce}`);
    expect(printed).toMatchObject({ code: 0 });
    expect(printed.err).toContain(`It is valid until the nonce of ${nonce} is advanced.`);
    expect(decoded(printed.out).signatures).toEqual({ [cold.address]: null });
    const plain = await run(`${grantTo(await newHolder())} --unsigned ${cold.address}`);
    later();
    await expect(command.sendSigned(plain.out, [cold])).rejects.toThrow();
    await command.sendSigned(printed.out, [cold]);
    expect(await isGranted(holder)).toBe(true);
    const end = await run(`end-grant --rule ${rule} --holder ${holder} --key cold.json`);
    expect(end.code).toBe(0);
    await expect(command.sendSigned(printed.out, [cold])).rejects.toThrow();
    expect(await isGranted(holder)).toBe(false);
  });

  test('another key signs for the nonce account', async () => {
    const [nonce, holder] = [await createNonce(keeper.address), await newHolder()];
    const line = `${grantTo(holder)} --unsigned ${cold.address} --nonce-account ${nonce}`;
    const refused = await run(line);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain(`INVALID_ARGUMENT: ${keeper.address} signs for the nonce account ${nonce}`);
    const printed = await run(`${line} --nonce-authority ${keeper.address}`);
    expect(printed.err).toContain(`${cold.address} and ${keeper.address} must both sign`);
    expect(printed.err).toContain(`Only ${keeper.address} can cancel it, and can also hold it back`);
    later();
    await command.sendSigned(printed.out, [cold, keeper]);
    expect(await isGranted(holder)).toBe(true);
  });

  test('a nonce that was advanced in between: the chain refuses what was printed', async () => {
    const [nonce, holder] = [await createNonce(cold.address), await newHolder()];
    const printed = await run(`${grantTo(holder)} --unsigned ${cold.address} --nonce-account ${nonce}`);
    await advance(nonce, cold);
    await expect(command.sendSigned(printed.out, [cold])).rejects.toThrow();
    expect(await isGranted(holder)).toBe(false);
  });

  test('an RPC that shows a used nonce: nothing is printed or signed', async () => {
    const [nonce, holder] = [await createNonce(cold.address), await newHolder()];
    const { url } = await market.world.net.listen({ port: 0 });
    const proxy = await openRpcProxy(url);
    const { rpc } = market.world.net;
    const config = { encoding: 'base64', commitment: 'finalized' } as const;
    proxy.answers.set('getAccountInfo', {
      result: withoutBigints(await rpc.getAccountInfo(nonce, config).send()),
    });
    await advance(nonce, cold);
    for (const signer of [`--unsigned ${cold.address}`, '--key cold.json']) {
      const refused = await run(`${grantTo(holder)} ${signer} --nonce-account ${nonce} --rpc ${proxy.url}`);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toContain(`BLOCKHASH_INVALID: The nonce account ${nonce} was advanced`);
    }
    proxy.close();
    expect(await isGranted(holder)).toBe(false);
  });

  test('a key file signs with it and sends at once', async () => {
    const [nonce, holder] = [await createNonce(cold.address), await newHolder()];
    const sent = await run(`${grantTo(holder)} --key cold.json --nonce-account ${nonce}`);
    expect(sent).toMatchObject({ code: 0, out: expect.stringMatching(/^finalized: /) });
    const signature = sent.out.split(' ')[1]!.trim();
    const named = `sends ${signature}, which is valid until the nonce of ${nonce} is advanced`;
    expect(sent.err).toContain(named);
    expect(await isGranted(holder)).toBe(true);
    const plain = await run(`${grantTo(await newHolder())} --key cold.json`);
    expect(plain.code).toBe(0);
    expect(plain.err).not.toContain('sends ');
  });

  test('governance can use one, too', async () => {
    const governance = await command.keyFile('governance');
    const nonce = await createNonce(governance.address);
    const line = `set-guardian --guardian ${keeper.address} --unsigned ${governance.address}`;
    const printed = await run(`${line} --nonce-account ${nonce}`);
    later();
    await command.sendSigned(printed.out, [governance]);
    expect(await read('config', await at().config())).toMatchObject({ guardian: { value: keeper.address } });
  });

  test.each([
    ['a missing account', () => newHolder(), 'ACCOUNT_NOT_FOUND: There is no nonce account at'],
    ['an account of another program', async () => rule, 'INVALID_ARGUMENT:', 'is not a nonce account'],
    ['a wallet', async () => keeper.address, 'INVALID_ARGUMENT:', 'is not a nonce account'],
    [
      'an account that is not initialized',
      () => createNonce(cold.address, { initialize: false }),
      'INVALID_ARGUMENT:',
      'is not initialized',
    ],
  ])('rejects %s', async (_what, accountOf, ...texts) => {
    const account = await accountOf();
    const refused = await run(
      `${grantTo(cold.address)} --unsigned ${cold.address} --nonce-account ${account}`,
    );
    expect(refused).toMatchObject({ code: 2, out: '' });
    for (const text of texts) expect(refused.err).toContain(text);
    expect(refused.err).toContain('Nothing was signed.');
  });

  test('rejects the vault of a multisig, which signs no transaction, and a key that is not the authority', async () => {
    const nonce = await createNonce(keeper.address);
    const byVault = await run(
      `lift --rule ${rule} --holder ${vault} --unsigned ${vault} --nonce-account ${nonce}`,
    );
    expect(byVault.err).toContain(
      `${vault} has no key, so it may be the vault of a multisig. Leave out --nonce-account`,
    );
    const asAuthority = `--nonce-account ${nonce} --nonce-authority`;
    const other = await run(`${grantTo(vault)} --unsigned ${cold.address} ${asAuthority} ${vault}`);
    expect(other.err).toContain(`${vault} has no key`);
    const byKey = await run(`${grantTo(vault)} --key cold.json ${asAuthority} ${keeper.address}`);
    expect(byKey.err).toContain(`Pass --unsigned, so that ${keeper.address} can sign too.`);
    const alone = await run(`${grantTo(vault)} --key cold.json --nonce-authority ${keeper.address}`);
    expect(alone.err).toContain('Pass --nonce-authority with --nonce-account.');
  });
});

/** Returns a value as JSON has it. */
const withoutBigints = (value: unknown): object =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each)));

describe('bad input', () => {
  const create = 'create-rule-set --key stranger.json --nonce 1 --name Desk --max-pass-age 86400 --clauses';
  test.each([
    [`${create} none.json`, 'none.json cannot be read'],
    [`${create} text.json`, 'text.json is not JSON'],
    [`${create} empty.json`, 'clauses must have at least 1 entry.'],
    [`${create} clauses.json --powers burn`, 'powers.0 must be one of "suspend", "grant".'],
    ['create-mint --key stranger.json --decimals 256', '--template is missing'],
    ['create-mint --key stranger.json --template fund --decimals 256', '--decimals must be at most 255.'],
    ['create-mint --key stranger.json --template bond', '--template must be plain, security or fund.'],
    ['bind-mint --key stranger.json --require-source maybe', '--mint is missing'],
    ['recover --key stranger.json --mint x', '--mint must be a base58 address'],
  ])('%s', async (line, message) => {
    await command.writeFile('text.json', 'text');
    await command.writeFile('empty.json', '[]');
    const { code, out, err } = await run(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  test('create-mint with a name and without a symbol', async () => {
    const line = `create-mint --issuer ${vault} --template plain --decimals 2 --key member.json`;
    const refused = await run(`${line} --name Bond`);
    expect(refused).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('symbol must be a text'),
    });
    const local = await run(`${line} --name Bond --symbol EXB --uri https://localhost/exb`);
    expect(local).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('uri must be an https URL'),
    });
  });

  test('create-mint without a key file: the key of the mint signs too', async () => {
    const line = `create-mint --issuer ${vault} --template fund --decimals 2 --unsigned ${vault}`;
    expect((await run(line)).err).toContain('Pass --key, because a new key signs create-mint too.');
  });

  test('bind-mint must say yes or no', async () => {
    const line = `bind-mint --key stranger.json --mint ${market.mint} --rule ${market.rule} --require-source`;
    expect((await run(`${line} maybe`)).err).toContain('--require-source must be yes or no.');
  });

  test('recover for a reason that the program does not know', async () => {
    const { mint, source, destination, issuer } = market;
    const move = `recover --mint ${mint} --source ${source} --destination ${destination} --amount 1`;
    const refused = await run(`${move} --reason because --unsigned ${issuer.signer.address}`);
    expect(refused.err).toContain('INVALID_ARGUMENT: reason must be one of lost-key');
  });
});

/** `npx @service/cli`, run by governance, its guardian, a creator, and somebody without rights. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { artifactsDirectory } from '@service/circuit';
import { developmentSeed } from '@service/localnet';
import { type AccountKind, type AccountOf, programAddresses, readAccount } from '@service/protocol';
import { send } from '@service/server/test-service';
import {
  AccountRole,
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  decompileTransactionMessage,
  downgradeRoleToNonSigner,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openRpcProxy } from '../e2e/support/rpc-proxy.ts';
import { useMarket } from '../sdk/support/market.ts';

/** The command, which the package does not export, in this process: each start of its own would take a second. */
const COMMAND = new URL('../../packages/cli/src/command.ts', import.meta.url);
const { run: runCommand }: { run(argv: readonly string[]): Promise<number> } = await import(COMMAND.href);

const market = useMarket();

let folder: string;
let authority: KeyPairSigner;
let guardian: KeyPairSigner;
let stranger: KeyPairSigner;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'command-'));
  const { world, deployment } = market;
  const { url } = await world.net.listen({ port: 0 });
  await writeFile(path.join(folder, 'deployment.json'), JSON.stringify({ ...deployment, rpcUrl: url }));
  [authority, guardian, stranger] = await Promise.all([
    keyFile('governance'),
    keyFile('guardian'),
    keyFile('stranger'),
  ]);
  for (const { address } of [guardian, stranger]) world.net.airdrop(address, 1_000_000_000n);
  await world.finalize();
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

/** Writes a key in the form of solana-keygen. */
async function keyFile(role: string): Promise<KeyPairSigner> {
  const seed = developmentSeed(role);
  const signer = await createKeyPairSignerFromPrivateKeyBytes(seed);
  const key = [...seed, ...getAddressEncoder().encode(signer.address)];
  await writeFile(path.join(folder, `${role}.json`), JSON.stringify(key));
  return signer;
}

/** Runs a command line while slots pass. A word that ends in .json is a file of the test. */
async function run(line: string, ...more: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void out.push(String(text)));
  vi.spyOn(console, 'error').mockImplementation((text) => void err.push(String(text)));
  const given = [...line.split(' '), ...more];
  const words = given.includes('--deployment') ? given : [...given, '--deployment', 'deployment.json'];
  const argv = words.map((word) => (word.endsWith('.json') ? path.join(folder, word) : word));
  const code = await market.whileChainMoves(() => runCommand(argv));
  vi.restoreAllMocks();
  await market.world.finalize();
  return { code, out: out.join('\n'), err: err.join('\n') };
}

async function read<K extends AccountKind>(kind: K, address: Address): Promise<AccountOf<K>> {
  const { rpc, program } = market.world;
  const found = await readAccount({ rpc, program, commitment: 'finalized' }, kind, address);
  return found!.data;
}
const at = () => programAddresses(market.world.program);
const readConfig = async () => read('config', await at().config());
const balanceOf = async (address: Address) =>
  (await market.world.rpc.getBalance(address, { commitment: 'finalized' }).send()).value as bigint;

describe('governance', () => {
  test('the guardian pauses, and only the authority ends the pause', async () => {
    const set = await run('set-guardian --key governance.json --guardian', guardian.address);
    expect(set.code).toBe(0);
    expect(set.err).toBe(
      `set-guardian --guardian ${guardian.address}: program ${market.deployment.program}, cluster ${market.deployment.genesisHash}, signer ${authority.address}`,
    );
    expect(set.out).toContain(`guardian: ${guardian.address}`);
    expect(await run('pause --key guardian.json')).toMatchObject({ code: 0 });
    expect((await readConfig()).paused).toBe(true);
    const refused = await run('unpause --key guardian.json');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(
      `unpause must be signed by ${authority.address}, not by ${guardian.address}.`,
    );
    expect((await readConfig()).paused).toBe(true);
    expect(await run('unpause --key governance.json')).toMatchObject({ code: 0 });
    const shown = await run('governance');
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toMatch(/^paused: false$/m);
    expect(shown.out).toContain(`authority: ${authority.address}`);
    expect(await run('set-guardian --key governance.json --guardian none')).toMatchObject({ code: 0 });
    expect((await run('governance')).out).toMatch(/^guardian: none$/m);
  });

  test('a raise of the pass fee waits, and everybody sees it', async () => {
    const before = await readConfig();
    const raised = await run('set-pass-fee --lamports 60000 --key governance.json');
    expect(raised.code).toBe(0);
    expect(raised.out).toMatch(/^next pass fee: 60000 lamports from \d+ \(20\d\d-.+Z\)$/m);
    expect((await readConfig()).passFee).toEqual(before.passFee);
    expect(await run('set-pass-fee --lamports 50000 --key governance.json')).toMatchObject({ code: 0 });
    expect((await run('governance')).out).toMatch(/^next pass fee: none$/m);
  });

  test('the next authority must accept', async () => {
    const early = await run('accept-authority --key stranger.json');
    expect(early.err).toContain('There is no nominee. Send nominate-authority first.');
    await run('nominate-authority --key governance.json --nominee', stranger.address);
    expect((await readConfig()).authority).toBe(authority.address);
    expect(await run('accept-authority --key stranger.json')).toMatchObject({ code: 0 });
    expect((await readConfig()).authority).toBe(stranger.address);
    await run('nominate-authority --key stranger.json --nominee', authority.address);
    await run('accept-authority --key governance.json');
    expect((await readConfig()).authority).toBe(authority.address);
  });

  test('verifiers come, are renamed and go', async () => {
    const verifier = await at().verifier(stranger.address);
    const change = `set-verifier --key governance.json --verifier ${stranger.address} --name`;
    expect((await run(change, 'Second')).err).toContain('Pass either --active or --inactive.');
    expect(await run(change, 'Second', '--active')).toMatchObject({ code: 0 });
    expect(await read('verifier', verifier)).toMatchObject({ name: 'Second', active: true });
    expect(await run(change, 'Second', '--inactive')).toMatchObject({ code: 0 });
    expect(await read('verifier', verifier)).toMatchObject({ active: false });
  });

  test('fees move from a rule set to the treasury, and to whom governance names', async () => {
    const { rule } = market;
    const { fees } = await read('ruleSet', rule);
    expect(fees).toBeGreaterThan(0n);
    expect(await run('collect-fees --key stranger.json --rule', rule)).toMatchObject({ code: 0 });
    expect((await run('governance')).out).toContain(`fees in the treasury: ${fees} lamports`);
    const before = await balanceOf(guardian.address);
    const withdraw = 'withdraw-fees --key governance.json --recipient';
    const tooMuch = await run(withdraw, guardian.address, '--lamports', `${fees + 1n}`);
    expect(tooMuch).toMatchObject({ code: 1, out: '' });
    expect(tooMuch.err).toContain('WITHDRAWAL_TOO_HIGH');
    expect(await run(withdraw, guardian.address, '--lamports', `${fees}`)).toMatchObject({ code: 0 });
    expect(await balanceOf(guardian.address)).toBe(before + fees);
  });

  test('every pass of a broken circuit ends by one command', async () => {
    expect(await run('end-passes --key governance.json')).toMatchObject({ code: 0 });
    const { passesValidFrom } = await readConfig();
    const pass = await read('pass', await at().pass(market.rule, market.holder.signer.address));
    expect(passesValidFrom).toBeGreaterThan(pass.issuedAt);
  });

  test('a circuit comes from the files of its artifacts', async () => {
    const none = await run('set-circuit --key governance.json --grace 60 --artifacts', folder);
    expect(none.err).toContain('manifest.json cannot be read');
    const manifest = JSON.parse(await readFile(path.join(artifactsDirectory, 'manifest.json'), 'utf8'));
    const { name } = manifest.files.key;
    const key = await readFile(path.join(artifactsDirectory, name));
    const id = 'eligibility-next';
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ ...manifest, circuit: id }));
    await writeFile(path.join(folder, name), Buffer.from(key).fill(1, 0, 1));
    const other = await run('set-circuit --key governance.json --grace 60 --artifacts', folder);
    expect(other.err).toContain(`${name} is not the verifying key of manifest.json`);
    await writeFile(path.join(folder, name), key);
    expect(await run('set-circuit --key governance.json --grace 60 --artifacts', folder)).toMatchObject({
      code: 0,
    });
    const circuit = await read('circuit', await at().circuit(id));
    expect(circuit).toMatchObject({ id, verifyingKey: new Uint8Array(key), unsound: false });
    const shown = (await run('governance')).out;
    expect(shown).toContain(`active circuit: ${id}\n`);
    expect(shown).toContain(`SHA-256 of its key: ${manifest.files.key.sha256}\n`);
    const retired = await run(`retire-circuit --key governance.json --circuit ${id} --grace 0 --unsound`);
    expect(retired).toMatchObject({ code: 0 });
    expect(await read('circuit', await at().circuit(id))).toMatchObject({ unsound: true });
  });
});

describe('--unsigned', () => {
  test('prints what its signer can sign and send: the creator of a rule set moves pass funds', async () => {
    const { world, rule, issuer } = market;
    const { address, keyPair } = issuer.signer;
    const before = await balanceOf(stranger.address);
    const options = ['--rule', rule, '--recipient', stranger.address, '--lamports', '1000'];
    const printed = await run('withdraw-pass-funds --unsigned', address, ...options);
    expect(printed.code).toBe(0);
    expect(printed.err).toContain(`${address} must sign this transaction`);
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(printed.out));
    expect(transaction.signatures).toEqual({ [address]: null });
    const signed = await partiallySignTransaction([keyPair], transaction);
    await world.rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
    await world.finalize();
    expect(await balanceOf(stranger.address)).toBe(before + 1_000n);
  });

  test('a multisig governs: its vault signs what the command printed by a call', async () => {
    const { world } = market;
    const { address: multisig } = await generateKeyPairSigner();
    const file = new URL(
      '../../packages/localnet/stand-in-multisig-program/artifact/stand-in-multisig-program.so',
      import.meta.url,
    );
    world.net.addProgram(multisig, new Uint8Array(await readFile(file)));
    const [vault, bump] = await getProgramDerivedAddress({
      programAddress: multisig,
      seeds: ['vault', getAddressEncoder().encode(guardian.address)],
    });
    world.net.airdrop(vault, 1_000_000_000n);
    await world.finalize();

    /** Takes the instruction of a printed transaction, as multisigs do, and executes it as the member. */
    async function execute(line: string): Promise<void> {
      const printed = await run(`${line} --unsigned ${vault}`);
      expect(printed).toMatchObject({ code: 0, err: expect.stringContaining('must sign') });
      const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(printed.out));
      const { instructions } = decompileTransactionMessage(
        getCompiledTransactionMessageDecoder().decode(messageBytes),
      );
      const [{ programAddress, accounts = [], data } = {} as never, ...others] = instructions;
      expect(others).toEqual([]);
      // The vault cannot sign the outer transaction.
      const roles = accounts.map((each) =>
        each.address === vault ? { ...each, role: downgradeRoleToNonSigner(each.role) } : each,
      );
      const call: Instruction = {
        programAddress: multisig,
        accounts: [
          { address: guardian.address, role: AccountRole.READONLY_SIGNER },
          { address: vault, role: AccountRole.READONLY },
          { address: programAddress, role: AccountRole.READONLY },
          ...roles,
        ],
        data: Uint8Array.of(bump, ...data!),
      };
      await send(world, guardian, [call]);
      await world.finalize();
    }

    await run('nominate-authority --key governance.json --nominee', vault);
    await execute('accept-authority');
    await execute('pause');
    expect(await readConfig()).toMatchObject({ authority: vault, paused: true });
    await execute('unpause');
    // The vault pays the rent of the new account.
    await execute(`set-verifier --verifier ${guardian.address} --name Third --active`);
    expect(await read('verifier', await at().verifier(guardian.address))).toMatchObject({ name: 'Third' });
    expect((await run('pause --key governance.json')).err).toContain(`must be signed by ${vault}`);
    await execute(`nominate-authority --nominee ${authority.address}`);
    expect(await run('accept-authority --key governance.json')).toMatchObject({ code: 0 });
    expect(await readConfig()).toMatchObject({ authority: authority.address, paused: false });
  });

  test('only the creator may raise what a rule set pays', async () => {
    const { rule, issuer } = market;
    const change = `set-max-pass-fee --rule ${rule} --lamports 90000`;
    const refused = await run(`${change} --key stranger.json`);
    expect(refused.err).toContain(`must be signed by ${issuer.signer.address}, not by ${stranger.address}`);
    expect(await run(`${change} --unsigned ${issuer.signer.address}`)).toMatchObject({ code: 0 });
  });
});

describe('bad input signs and sends nothing', () => {
  test.each([
    ['pause', 'Pass either --key or --unsigned.'],
    [
      'pause --key governance.json --unsigned 11111111111111111111111111111111',
      'Pass either --key or --unsigned.',
    ],
    ['pause --key deployment.json', 'is not a key file'],
    ['set-pass-fee --key governance.json', '--lamports is missing: lamports for each proof, or none.'],
    ['set-pass-fee --key governance.json --lamports 1.5', '--lamports must be a whole number'],
    [
      'set-pass-fee --key governance.json --lamports 18446744073709551616',
      '--lamports must be a whole number',
    ],
    ['set-guardian --key governance.json --guardian me', '--guardian must be a base58 address'],
    ['pause --key governance.json --force', "Unknown option '--force'"],
    ['pause --key governance.json --rpc ftp://x', '--rpc must be an http or https URL.'],
    ['destroy --key governance.json', 'There is no command destroy.'],
    [
      'collect-fees --key governance.json --rule 11111111111111111111111111111111',
      'has no ruleSet at 11111111111111111111111111111111',
    ],
  ])('%s', async (line, message) => {
    const before = await balanceOf(authority.address);
    const { code, out, err } = await run(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(await balanceOf(authority.address)).toBe(before);
  });

  test('a deployment of another cluster', async () => {
    const file = path.join(folder, 'other.json');
    const own = JSON.parse(await readFile(path.join(folder, 'deployment.json'), 'utf8'));
    await writeFile(file, JSON.stringify({ ...own, genesisHash: stranger.address }));
    const { code, err } = await run('pause --key governance.json --deployment other.json');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('GENESIS_HASH_MISMATCH') });
  });

  test('a change that is final never looks as if it were not, also if the RPC fails afterwards', async () => {
    const { url } = await market.world.net.listen({ port: 0 });
    const proxy = await openRpcProxy(url);
    proxy.answers.set('getMinimumBalanceForRentExemption', {
      error: { code: -32000, message: 'down \u001b[2J' },
    });
    const { code, out } = await run(`set-guardian --key governance.json --guardian none --rpc ${proxy.url}`);
    proxy.close();
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^finalized: \w{60,}/) });
    expect(out).toContain('It could not be shown: ');
    expect(out).not.toMatch(/[^\n\P{C}]/u);
  });

  test('a name of every object is no command, and a file that is not JSON is named', async () => {
    expect((await run('constructor --help')).code).toBe(2);
    await writeFile(path.join(folder, 'text.json'), 'text');
    const { code, err } = await run('governance --deployment text.json');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('text.json is not JSON') });
  });

  test('--help of each command names its options', async () => {
    const all = await run('--help');
    expect(all.code).toBe(0);
    const one = await run('set-verifier --help');
    expect(one).toMatchObject({ code: 0, out: expect.stringContaining('--inactive') });
    expect(all.out).toContain('set-verifier');
  });
});

/** `npx @service/cli`, run by governance, its guardian, a creator, and somebody without rights. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { artifactsDirectory } from '@service/circuit';
import type { KeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRpcProxy } from '../e2e/support/rpc-proxy.ts';
import { createVault, decoded, useCommand } from './support/command-line.ts';

const command = useCommand();
const { market, run, read, at, balanceOf } = command;
const readConfig = async () => read('config', await at().config());

let authority: KeyPairSigner;
let guardian: KeyPairSigner;
let stranger: KeyPairSigner;

beforeAll(async () => {
  const { world } = market;
  [authority, guardian, stranger] = await Promise.all([
    command.keyFile('governance'),
    command.keyFile('guardian'),
    command.keyFile('stranger'),
  ]);
  for (const { address } of [guardian, stranger]) world.net.airdrop(address, 1_000_000_000n);
  await world.finalize();
});

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
    const folder = path.dirname(await command.writeFile('none', ''));
    const none = await run('set-circuit --key governance.json --grace 60 --artifacts-directory', folder);
    expect(none.err).toContain('manifest.json cannot be read');
    const manifest = JSON.parse(await readFile(path.join(artifactsDirectory, 'manifest.json'), 'utf8'));
    const { name } = manifest.files.key;
    const key = await readFile(path.join(artifactsDirectory, name));
    const id = 'eligibility-next';
    await command.writeFile('manifest.json', JSON.stringify({ ...manifest, circuit: id }));
    await command.writeFile(name, Buffer.from(key).fill(1, 0, 1));
    const other = await run('set-circuit --key governance.json --grace 60 --artifacts-directory', folder);
    expect(other.err).toContain(`${name} is not the verifying key of manifest.json`);
    await command.writeFile(name, key);
    const setCircuit = () =>
      run('set-circuit --key governance.json --grace 60 --artifacts-directory', folder);
    expect((await setCircuit()).err).toContain('eligibility.zkey cannot be read');
    const zkey = await readFile(path.join(artifactsDirectory, 'eligibility.zkey'));
    await command.writeFile('eligibility.zkey', zkey);
    const phase2Beacon = { hash: 'ab'.repeat(32), iterationsExponent: 10 };
    const setup = { ...manifest.setup, phase2Beacon };
    await command.writeFile('manifest.json', JSON.stringify({ ...manifest, circuit: id, setup }));
    expect((await setCircuit()).err).toContain('manifest.json names other contributions');
    await command.writeFile('manifest.json', JSON.stringify({ ...manifest, circuit: id }));
    expect(await setCircuit()).toMatchObject({ code: 0 });
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
    const { rule, issuer } = market;
    const { address } = issuer.signer;
    const before = await balanceOf(stranger.address);
    const options = ['--rule', rule, '--recipient', stranger.address, '--lamports', '1000'];
    const printed = await run('withdraw-pass-funds --unsigned', address, ...options);
    expect(printed.code).toBe(0);
    expect(printed.err).toContain(`${address} must sign this transaction`);
    expect(decoded(printed.out).signatures).toEqual({ [address]: null });
    await command.sendSigned(printed.out, [issuer.signer]);
    expect(await balanceOf(stranger.address)).toBe(before + 1_000n);
  });

  test('a multisig governs: its vault signs what the command printed by a call', async () => {
    const { vault, execute } = await createVault(command, guardian);
    await run('nominate-authority --key governance.json --nominee', vault);
    expect(await execute('accept-authority')).toMatchObject({ count: 1 });
    expect(await execute('pause')).toMatchObject({ count: 1 });
    expect(await readConfig()).toMatchObject({ authority: vault, paused: true });
    expect(await execute('unpause')).toMatchObject({ count: 1 });
    // The vault pays the rent of the new account.
    expect(await execute(`set-verifier --verifier ${guardian.address} --name Third --active`)).toMatchObject({
      count: 1,
    });
    expect(await read('verifier', await at().verifier(guardian.address))).toMatchObject({ name: 'Third' });
    expect((await run('pause --key governance.json')).err).toContain(`must be signed by ${vault}`);
    expect(await execute(`nominate-authority --nominee ${authority.address}`)).toMatchObject({ count: 1 });
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
    const own = JSON.parse(await command.readFile('deployment.json'));
    await command.writeFile('other.json', JSON.stringify({ ...own, genesisHash: stranger.address }));
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
    expect(out).toContain('The new settings could not be shown: ');
    expect(out).not.toMatch(/[^\n\P{C}]/u);
  });

  test('a name of every object is no command, and a file that is not JSON is named', async () => {
    expect((await run('constructor --help')).code).toBe(2);
    await command.writeFile('text.json', 'text');
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

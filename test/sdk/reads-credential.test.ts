/** A mint whose binding reads credentials: the binding, its record and receipt, and transfers after a revocation. */
import { createTokenAccountInstruction, programAddresses, tokenAccountAddress } from '@service/protocol';
import { getCredentialCodec, getPassCodec } from '@service/protocol/generated';
import { verifyReceipt } from '@service/sdk';
import {
  createBindableMint,
  createTokenAccount,
  fetchBinding,
  fetchCredential,
  fetchPass,
  issueMany,
  recover,
} from '@service/sdk/chain';
import { type Address, getBase16Encoder } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { changeAccount } from '../support/change-account.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { accountOf } from './support/holders.ts';
import { useMarket } from './support/market.ts';
import { memoryLedger } from './support/memory-ledger.ts';

const market = useMarket();
const chain = () => ({ deployment: market.deployment, rpc: market.world.net.rpc, clock: market.clock() });
const at = () => programAddresses(market.world.program);

let [mint, source, destination] = [] as unknown as [Address, Address, Address];
let operationId: string;

beforeAll(async () => {
  const { issuer, holder, rule, live } = market;
  mint = await market.createMint();
  const terms = { requireSource: true, readsCredential: true };
  ({ operationId } = await live(() => issuer.client.bindMint(issuer.signer, { mint, rule, ...terms })));
  const payer = issuer.signer.address;
  const owners = [payer, holder.signer.address];
  await market.sendFinal(
    await Promise.all(owners.map((owner) => createTokenAccountInstruction({ payer, mint, owner }))),
  );
  const of = (owner: Address) => tokenAccountAddress({ mint, owner });
  [source, destination] = [await of(payer), await of(holder.signer.address)];
  await live(() => issuer.client.issue(issuer.signer, { mint, destination: source, amount: 100n }));
});

const wanted = () => ({ mint, source, destination, amount: 10n });
const changeCredential = async (wallet: Address, change: object) =>
  changeAccount(market.world.net, await at().credential(wallet), getCredentialCodec(), change);

test('is served with the choice, and its receipt says it', async () => {
  const { issuer, rule, world } = market;
  expect(await fetchBinding({ ...chain(), mint })).toMatchObject({ readsCredential: true });
  const { bindings } = await issuer.client.passport();
  const served = (which: Address) => bindings.find((binding) => binding.mint === which)?.readsCredential;
  expect([served(mint), served(market.mint)]).toEqual([true, false]);
  const receipt = await issuer.client.fetchReceipt(operationId);
  expect(receipt).toMatchObject({ kind: 'BIND_MINT', mint, rule, readsCredential: true });
  const check = (changed: object) => verifyReceipt(JSON.stringify(changed), { rpc: world.net.rpc });
  await check(receipt);
  const invalid = { context: { field: 'readsCredential' } };
  await expectRefusal(check({ ...receipt, readsCredential: undefined }), 'RECEIPT_INVALID', invalid);
});

test('moves tokens between holders, and not after the credential of either was revoked', async () => {
  const { issuer, holder, rule, live } = market;
  const check = () => issuer.client.checkTransfer(wanted());
  const send = () => live(() => issuer.client.transfer(issuer.signer, wanted()));
  expect(await check()).toMatchObject({ ok: true });
  await send();
  for (const [whose, who, wallet] of [
    ['DESTINATION', 'recipient', holder.signer.address],
    ['SOURCE', 'holder', issuer.signer.address],
  ] as const) {
    const code = `${whose}_PASS_UNSUPPORTED`;
    await changeCredential(wallet, { revoked: true });
    await market.world.finalize();
    expect(await check()).toMatchObject({ ok: false, reasons: [{ code, who, rule, wallet }] });
    await expectRefusal(send(), 'OPERATION_FAILED', { context: { programError: { name: code } } });
    // Nothing of the pass has changed, so a mint that reads no credential accepts it.
    expect(await issuer.client.checkTransfer({ ...wanted(), ...bare() })).toMatchObject({ ok: true });
    await changeCredential(wallet, { revoked: false });
    await market.world.finalize();
  }
  expect(await check()).toMatchObject({ ok: true });
});

const bare = () => ({ mint: market.mint, source: market.source, destination: market.destination });

test('rejects a pass that another credential than the present one was proved with', async () => {
  const { issuer, holder } = market;
  const wallet = holder.signer.address;
  const pass = await at().pass(market.rule, wallet);
  const codes = async () => {
    await market.world.finalize();
    const verdict = await issuer.client.checkTransfer(wanted());
    return verdict.ok ? [] : verdict.reasons.map(({ code }) => code);
  };
  const credential = await fetchCredential({ ...chain(), wallet });
  const { expiresAt } = (await fetchPass({ ...chain(), rule: market.rule, wallet }))!;
  await changeCredential(wallet, { expiresAt: expiresAt - 1n });
  expect(await codes()).toEqual(['DESTINATION_PASS_UNSUPPORTED']);
  await changeCredential(wallet, { expiresAt });
  expect(await codes()).toEqual([]);
  await changeCredential(wallet, { commitment: new Uint8Array(32).fill(7) });
  expect(await codes()).toEqual(['DESTINATION_PASS_UNSUPPORTED']);
  await changeAccount(market.world.net, pass, getPassCodec(), { granted: true });
  expect(await codes()).toEqual(['DESTINATION_PASS_GRANTED']);
  await changeAccount(market.world.net, pass, getPassCodec(), { granted: false });
  const commitment = getBase16Encoder().encode(credential!.commitment);
  await changeCredential(wallet, { commitment, expiresAt: credential!.expiresAt });
  expect(await codes()).toEqual([]);
});

test('rejects an issue to a wallet whose credential was revoked', async () => {
  const { issuer, holder } = market;
  const wallet = holder.signer.address;
  await changeCredential(wallet, { revoked: true });
  await market.world.finalize();
  const verdict = await issuer.client.checkTransfer({ mint, destination, amount: 1n });
  expect(verdict).toMatchObject({ ok: false, reasons: [{ code: 'DESTINATION_PASS_UNSUPPORTED', wallet }] });
  await changeCredential(wallet, { revoked: false });
});

test('rejects one row of many, and a recovery, for a credential that replaced the one of the pass', async () => {
  const { issuer, holder, rule, live } = market;
  const { signer, client } = issuer;
  const of = await live(() => createBindableMint(signer, { ...chain(), decimals: 2, template: 'security' }));
  const terms = { ...of, rule, requireSource: false, readsCredential: true };
  await live(() => client.bindMint(signer, terms));
  const owned = async ({ address: owner }: { address: Address }) =>
    (await live(() => createTokenAccount(signer, { ...chain(), ...of, owner }))).tokenAccount;
  const [own, theirs] = [await owned(signer), await owned(holder.signer)];
  const wallet = holder.signer.address;
  const credential = await at().credential(wallet);
  const before = await accountOf(market, credential);
  const rows = [own, theirs].map((account) => ({ destination: account, amount: 5n }));
  const move = { ...of, source: own, destination: theirs, amount: 1n, reason: 'lost-key' } as const;
  const code = 'DESTINATION_PASS_UNSUPPORTED';
  for (const change of [
    { commitment: new Uint8Array(32).fill(7) },
    { verifier: signer.address },
    { expiresAt: 1n },
  ]) {
    await changeCredential(wallet, change);
    await market.world.finalize();
    const issuing = { ...chain(), ...of, rows, ledger: memoryLedger() };
    const report = await live(() => issueMany(signer, issuing));
    expect(report).toMatchObject({ issued: 1, rejected: 1, rows: [{}, { reasons: [{ code, wallet }] }] });
    const refusal = { context: { rule, wallet }, message: expect.stringContaining(code) };
    await expectRefusal(recover(signer, { ...chain(), ...move }), 'PASS_REQUIRED', refusal);
    await expectRefusal(client.recover(signer, move), 'PASS_REQUIRED', refusal);
    market.world.net.addAccounts(new Map([[credential, before]]));
    await market.world.finalize();
  }
  await live(() => client.recover(signer, move));
  await live(() => recover(signer, { ...chain(), ...move }));
});

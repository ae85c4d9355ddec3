/** The whole walk on a validator, and then the mint that it has bound, as spl-token and web3.js see it. */

import { programAddresses, TOKEN_ACL_PROGRAM } from '@service/protocol';
import { disposeProver, tokenAccountOf } from '@service/sdk';
import { type Address, type KeyPairSigner, signBytes } from '@solana/kit';
import * as token from '@solana/spl-token';
import * as web3 from '@solana/web3.js';
import { afterAll, expect } from 'vitest';
import { until } from '../walk/cluster.ts';
import { issuerWalk } from '../walk/issuer-walk.ts';
import { personsWalk } from '../walk/persons-walk.ts';
import { printedReport, tableOf } from '../walk/print-report.ts';
import { walk } from '../walk/walk.ts';
import type { DeskState, WalkState } from '../walk/walk-state.ts';
import { deployment, onValidator, progress, step, waitsAnHour } from './support/stack.ts';

/** The hour of a place, the steps around it, and room for a slow chain. */
const HOUR_TEST_MS = 7_200_000;

let state: WalkState;
let desk: DeskState;

afterAll(disposeProver);

onValidator('every step of the walk succeeds', async () => {
  const { report, steps } = printedReport(progress);
  state = await walk({ deployment, report });
  process.stdout.write(`\n${tableOf(steps)}\n\n`);
  expect(steps).toHaveLength(21);
});

onValidator('every step of the issuer after that succeeds', async () => {
  const { report, steps } = printedReport(progress);
  const { value } = await state.rpc.getAccountInfo(TOKEN_ACL_PROGRAM, { encoding: 'base64' }).send();
  const hasTokenAcl = value !== null;
  if (!hasTokenAcl) progress('   without the steps of a gate, because the cluster has no Token ACL');
  desk = await issuerWalk({ ...state, report }, { hasTokenAcl });
  process.stdout.write(`\n${tableOf(steps)}\n\n`);
  expect(steps).toHaveLength(hasTokenAcl ? 29 : 22);
});

const keyOf = (address: Address | string) => new web3.PublicKey(address);
const TOKEN_2022 = token.TOKEN_2022_PROGRAM_ID;

onValidator('spl-token reads the bound mint and its accounts, and transfers with the hook', async () => {
  const { issuer, holder, outsider, mint, deployment } = state;
  const connection = new web3.Connection(deployment.rpcUrl, 'finalized');
  const mintKey = keyOf(mint);
  const found = await step('spl-token: getMint', () =>
    token.getMint(connection, mintKey, 'finalized', TOKEN_2022),
  );
  const binding = await programAddresses(deployment.program).mintBinding(mint);
  expect([found.supply, found.decimals, found.mintAuthority?.toBase58()]).toEqual([100_000n, 2, binding]);
  expect(token.getTransferHook(found)?.programId.toBase58()).toBe(deployment.program);

  const accountOf = async ({ wallet }: { wallet: KeyPairSigner }) =>
    keyOf(await tokenAccountOf({ mint, owner: wallet.address }));
  const [from, to, refused] = [await accountOf(issuer), await accountOf(holder), await accountOf(outsider)];
  const amountOf = async (account: web3.PublicKey) =>
    (await token.getAccount(connection, account, 'finalized', TOKEN_2022)).amount;
  expect(await step('spl-token: getAccount', () => Promise.all([from, to, refused].map(amountOf)))).toEqual([
    87_655n,
    12_345n,
    0n,
  ]);

  const instructionTo = (destination: web3.PublicKey) =>
    hookTransfer(connection, { mint: mintKey, from, to: destination, owner: keyOf(issuer.wallet.address) });
  const instruction = await step('spl-token: a transfer with the accounts of the hook', () =>
    instructionTo(to),
  );
  await step('web3.js: confirmTransaction of that transfer', () =>
    sendAs(connection, issuer.wallet, instruction),
  );
  expect(await Promise.all([amountOf(from), amountOf(to)])).toEqual([87_650n, 12_350n]);
  // In the preflight, the hook rejects a transfer to the outsider, who has no pass.
  const toOutsider = await instructionTo(refused);
  await expect(sendAs(connection, issuer.wallet, toOutsider)).rejects.toThrow(/custom program error/);
});

onValidator('spl-token transfers tokens of the issuer with powers to a vault', async () => {
  const { holder, vault, mint, deployment } = desk;
  const connection = new web3.Connection(deployment.rpcUrl, 'finalized');
  const [from, to] = await Promise.all(
    [holder.wallet.address, vault].map(async (owner) => keyOf(await tokenAccountOf({ mint, owner }))),
  );
  const owner = keyOf(holder.wallet.address);
  const instruction = await hookTransfer(connection, { mint: keyOf(mint), from: from!, to: to!, owner });
  await step('spl-token: a transfer to the vault', () => sendAs(connection, holder.wallet, instruction));
  const { amount } = await token.getAccount(connection, to!, 'finalized', TOKEN_2022);
  expect(amount).toBe(40_005n);
});

// The last one, because it can wait for an hour.
onValidator(
  'every step of a person with several wallets succeeds, with --hour also those after the hour that a place is held',
  { timeout: HOUR_TEST_MS },
  async () => {
    const { report, steps } = printedReport(progress);
    await personsWalk({ ...state, report }, waitsAnHour ? { skipTime: waitOnChain } : {});
    process.stdout.write(`\n${tableOf(steps)}\n\n`);
    expect(steps).toHaveLength(waitsAnHour ? 24 : 20);
  },
);

/** Waits until finalized blocks are later by these seconds. */
async function waitOnChain(seconds: bigint): Promise<void> {
  const from = await chainTime();
  const isOver = async () => (await chainTime()) >= from + seconds;
  await step(`${seconds} seconds of the chain`, () =>
    until(`${seconds} seconds of the chain`, isOver, { timeoutMs: HOUR_TEST_MS, pollMs: 10_000 }),
  );
}

/** Returns the Unix seconds of the last finalized block. */
async function chainTime(): Promise<bigint> {
  const slot = await state.rpc.getSlot({ commitment: 'finalized' }).send();
  return state.rpc.getBlockTime(slot).send();
}

/** Returns a transfer of five base units as spl-token builds it, with the accounts of the hook. */
function hookTransfer(
  connection: web3.Connection,
  { mint, from, to, owner }: Record<'mint' | 'from' | 'to' | 'owner', web3.PublicKey>,
) {
  return token.createTransferCheckedWithTransferHookInstruction(
    connection,
    from,
    mint,
    to,
    owner,
    5n,
    2,
    [],
    'finalized',
    TOKEN_2022,
  );
}

/** Signs with a key of kit, sends and confirms as web3.js does. */
async function sendAs(
  connection: web3.Connection,
  wallet: KeyPairSigner,
  instruction: web3.TransactionInstruction,
) {
  const lifetime = await connection.getLatestBlockhash();
  const feePayer = keyOf(wallet.address);
  const transaction = new web3.Transaction({ ...lifetime, feePayer }).add(instruction);
  const signature = await signBytes(wallet.keyPair.privateKey, transaction.serializeMessage());
  transaction.addSignature(feePayer, Buffer.from(signature));
  const sent = await connection.sendRawTransaction(transaction.serialize());
  const { value } = await connection.confirmTransaction({ signature: sent, ...lifetime }, 'finalized');
  expect(value.err).toBeNull();
}

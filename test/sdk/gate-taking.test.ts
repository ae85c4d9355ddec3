/** The permanent delegate takes tokens of a gated mint, on a real cluster with the stand-in for Token ACL. */
import { addStandInTokenAclProgram } from '@service/localnet';
import {
  decodeTokenAccount,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  setGatingProgramInstruction,
  TOKEN_2022_PROGRAM,
  TOKEN_ACL_PROGRAM,
  tokenAccountAddress,
} from '@service/protocol';
import type { ServiceErrorCode, Wallet } from '@service/sdk';
import {
  freezeAccount,
  pauseMint,
  type RecoverOptions,
  recover,
  redeem,
  resumeMint,
  setGate,
  setGateAuthority,
  thawAccount,
} from '@service/sdk/chain';
import { createTokenAccount } from '@service/server/test-service';
import {
  AccountRole,
  type Address,
  type Base64EncodedWireTransaction,
  decompileTransactionMessage,
  fetchEncodedAccount,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  type Signature,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { getInitializeAccount3Instruction, getMintToInstruction } from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createAssetMint, EXTENSIONS, type MintExtension } from './support/asset-mints.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const chain = () => ({
  deployment: market.deployment,
  rpc: market.world.net.rpc,
  clock: market.clock(),
});
const config = { programAddress: TOKEN_2022_PROGRAM };
const FROZEN = 2;

let gated: Gated;
beforeAll(async () => {
  // The keeper of the service would freeze accounts before the client does.
  Object.assign(market.world.created.service.settings, { keeper: { dailyLamports: 0n } });
  addStandInTokenAclProgram(market.world.net);
  await market.world.finalize();
  const { address } = market.issuer.signer;
  gated = await createGated([EXTENSIONS.permanentDelegate(address), EXTENSIONS.pausable(address)]);
});

type Gated = { readonly mint: Address; readonly held: Address; readonly own: Address };

/** Creates a gated mint: a lost wallet without a pass and the issuer, who has one, hold 100 base units each. */
async function createGated(more: readonly MintExtension[]): Promise<Gated> {
  const { issuer, rule, world, live } = market;
  const { signer } = issuer;
  const mint = await createAssetMint(market, [EXTENSIONS.defaultState(FROZEN), ...more]);
  const lost = (await generateKeyPairSigner()).address;
  const accounts: Address[] = [];
  for (const owner of [lost, signer.address]) {
    const tokenAccount = await createTokenAccount(world, signer, { mint, owner });
    await world.finalize();
    await live(() => thawAccount(signer, { ...chain(), mint, tokenAccount }));
    const minting = { mint, token: tokenAccount, mintAuthority: signer, amount: 100n };
    await market.sendFinal([getMintToInstruction(minting, config)]);
    accounts.push(tokenAccount);
  }
  const [held, own] = accounts as [Address, Address];
  await live(() => setGate(signer, { ...chain(), mint, rule, anyoneFreezes: false }));
  await live(() => freezeAccount(signer, { ...chain(), mint, tokenAccount: held }));
  return { mint, held, own };
}

/** An order to move tokens of the lost wallet to the issuer. A redemption ignores the destination. */
const order = ({ mint, held, own }: Gated = gated): RecoverOptions => ({
  ...{ ...chain(), mint, source: held, destination: own, amount: 40n, reason: 'court-order' },
});

async function tokensOf(account: Address) {
  const found = await fetchEncodedAccount(market.world.net.rpc, account, { commitment: 'finalized' });
  if (!found.exists) throw new Error('There is no token account.');
  return decodeTokenAccount(found.data)!;
}

/** A wallet that must not be asked. */
const mute = ({ address }: KeyPairSigner): Wallet => ({
  address,
  signTransaction: () => Promise.reject(new Error('asked')),
});

/** Returns what the chain shows of a transaction. */
async function landed(signature: Signature) {
  const asked = { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 0 } as const;
  const { meta, transaction } = (await market.world.net.rpc.getTransaction(signature, asked).send())!;
  const wire = getBase64Encoder().encode(transaction[0]);
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const instructions: readonly Instruction[] = decompileTransactionMessage(message).instructions;
  const memos = instructions.flatMap(({ programAddress, data }) =>
    programAddress === MEMO_PROGRAM ? new TextDecoder().decode(data) : [],
  );
  const bytes = wire.length;
  return { units: Number(meta!.computeUnitsConsumed), bytes, memos };
}

describe('the permanent delegate', () => {
  test('takes from a frozen account in one transaction, which records why', async () => {
    const { live, issuer } = market;
    const { held, own } = gated;
    expect(await tokensOf(held)).toMatchObject({ amount: 100n, frozen: true });
    const recovered = await live(() => recover(issuer.signer, order()));
    expect(await tokensOf(held)).toMatchObject({ amount: 60n, frozen: true });
    expect(await tokensOf(own)).toMatchObject({ amount: 140n, frozen: false });
    const burn = { ...order(), amount: 10n, reason: 'redemption' } as const;
    const redeemed = await live(() => redeem(issuer.signer, burn));
    expect(await tokensOf(held)).toMatchObject({ amount: 50n, frozen: true });
    for (const [{ signature }, memo] of [
      [recovered, 'recover: court-order'],
      [redeemed, 'redeem: redemption'],
    ] as const) {
      const { units, bytes, memos } = await landed(signature);
      expect(memos).toEqual([memo]);
      // A transaction without a limit may use 200,000 for each instruction. Token ACL itself and the memo program of
      // clusters need about 10,000 more than the stand-in and the memo program here.
      expect(units).toBeLessThan(12_000);
      expect(bytes).toBeLessThan(450);
    }
  });

  test('leaves a thawed account thawed', async () => {
    const { live, issuer } = market;
    const { mint, held } = gated;
    await live(() => thawAccount(issuer.signer, { ...chain(), mint, tokenAccount: held }));
    await live(() => recover(issuer.signer, { ...order(), amount: 5n }));
    expect(await tokensOf(held)).toMatchObject({ amount: 45n, frozen: false });
    await live(() => freezeAccount(issuer.signer, { ...chain(), mint, tokenAccount: held }));
  });

  test('moves tokens to an account that requires a memo with each transfer', async () => {
    const { live, issuer } = market;
    const { held, own } = gated;
    await requireMemos(own);
    const before = await Promise.all([held, own].map(tokensOf));
    await live(() => recover(issuer.signer, { ...order(), amount: 1n }));
    const after = await Promise.all([held, own].map(tokensOf));
    expect(after.map(({ amount }, index) => amount - before[index]!.amount)).toEqual([-1n, 1n]);
  });

  test('changes nothing if a part fails', async () => {
    const { live, issuer, world } = market;
    const { mint, held, own } = gated;
    const before = [await tokensOf(held), await tokensOf(own)];
    let wire: Base64EncodedWireTransaction | undefined;
    // Between the check and the signature, somebody freezes the destination.
    const slow: Wallet = {
      address: issuer.signer.address,
      async signTransaction(asked) {
        await freezeAccount(issuer.signer, { ...chain(), mint, tokenAccount: own });
        const signed = await partiallySignTransaction(
          [issuer.signer.keyPair],
          getTransactionDecoder().decode(asked),
        );
        wire = getBase64EncodedWireTransaction(signed);
        return new Uint8Array(getTransactionEncoder().encode(signed));
      },
    };
    await expectRefusal(
      live(() => recover(slow, order())),
      'TRANSACTION_FAILED',
      {
        message: expect.stringContaining('was not sent'),
        context: expect.objectContaining({ isFinal: true, instruction: 2 }),
      },
    );
    // The thaw lands with the rest, or not at all.
    const skipping = { encoding: 'base64', skipPreflight: true } as const;
    const signature = await world.net.rpc.sendTransaction(wire!, skipping).send();
    await world.finalize();
    const { value } = await world.net.rpc.getSignatureStatuses([signature]).send();
    expect(value[0]).toMatchObject({ err: { InstructionError: [2n, { Custom: 17n }] } });
    expect(await tokensOf(held)).toEqual(before[0]);
    expect(await tokensOf(own)).toEqual({ ...before[1], frozen: true });
    await live(() => thawAccount(issuer.signer, { ...chain(), mint, tokenAccount: own }));
  });

  test('is the only one who can', async () => {
    const { live, issuer, holder } = market;
    const { mint } = gated;
    const message = `The permanent delegate of the mint is ${issuer.signer.address}.`;
    for (const call of [recover, redeem]) {
      await expectRefusal(call(mute(holder.signer), order()), 'INVALID_ARGUMENT', {
        context: { field: 'wallet' },
        message: expect.stringContaining(message),
      });
    }
    // The freeze of another authority is not its own to lift.
    await live(() => setGateAuthority(issuer.signer, { ...chain(), mint, authority: holder.signer.address }));
    await expectRefusal(recover(mute(issuer.signer), order()), 'INVALID_ARGUMENT', {
      context: { field: 'wallet' },
      message: expect.stringContaining(`Only ${holder.signer.address} can thaw`),
    });
    await live(() => setGateAuthority(holder.signer, { ...chain(), mint, authority: issuer.signer.address }));
  });

  test('gives tokens only to a thawed account of a holder whose pass the gate counts', async () => {
    const { live, issuer, world, rule } = market;
    const { signer } = issuer;
    const { mint, held } = gated;
    const refused = (change: Partial<RecoverOptions>, code: ServiceErrorCode, more: object) =>
      expectRefusal(recover(mute(signer), { ...order(), ...change }), code, more);
    const wrong = (destination: Address, text: string) =>
      refused({ destination }, 'INVALID_ARGUMENT', {
        context: { field: 'destination' },
        message: expect.stringContaining(text),
      });
    await wrong(held, 'are the same token account');
    await wrong(market.destination, 'is a token account of the mint');
    const nowhere = await tokenAccountAddress({ mint, owner: mint });
    const missing = { context: { address: nowhere } };
    await refused({ destination: nowhere }, 'ACCOUNT_NOT_FOUND', missing);
    const owner = (await generateKeyPairSigner()).address;
    const destination = await createTokenAccount(world, signer, { mint, owner });
    await world.finalize();
    await wrong(destination, 'is frozen. Thaw it first');
    await live(() => thawAccount(signer, { ...chain(), mint, tokenAccount: destination }));
    await refused({ destination }, 'PASS_REQUIRED', { context: { rule, wallet: owner } });
    const loose = await createLooseAccount(mint, signer.address);
    await live(() => thawAccount(signer, { ...chain(), mint, tokenAccount: loose }));
    await wrong(loose, 'could get another owner');
    const { amount } = await tokensOf(held);
    await refused({ amount: amount + 1n }, 'INVALID_ARGUMENT', { context: { field: 'amount' } });
  });

  test('takes nothing while the mint is paused, and moves nothing under the gate of another program', async () => {
    const { live, issuer } = market;
    const { signer } = issuer;
    const { mint } = gated;
    await live(() => pauseMint(signer, { ...chain(), mint }));
    for (const call of [recover, redeem]) await expectRefusal(call(mute(signer), order()), 'MINT_PAUSED');
    await live(() => resumeMint(signer, { ...chain(), mint }));
    const setGatingProgram = (gate: Address) =>
      setGatingProgramInstruction({ authority: signer.address, mint, gate });
    await market.sendFinal([await setGatingProgram(TOKEN_2022_PROGRAM)]);
    await expectRefusal(recover(mute(signer), order()), 'GATE_UNUSABLE');
    await live(() => redeem(signer, { ...order(), amount: 1n }));
    await market.sendFinal([await setGatingProgram(market.world.program)]);
  });
});

/** Makes an account of the issuer require a memo right before each transfer to it. */
async function requireMemos(account: Address): Promise<void> {
  const { signer } = market.issuer;
  const at = { address: account, role: AccountRole.WRITABLE };
  const payer = { address: signer.address, role: AccountRole.WRITABLE_SIGNER };
  const owner = { address: signer.address, role: AccountRole.READONLY_SIGNER };
  const system = { address: SYSTEM_PROGRAM, role: AccountRole.READONLY };
  const [REALLOCATE, MEMO_TRANSFER, KIND] = [29, 30, 8];
  await market.sendFinal([
    { ...config, accounts: [at, payer, system, owner], data: Uint8Array.of(REALLOCATE, KIND, 0) },
    { ...config, accounts: [at, owner], data: Uint8Array.of(MEMO_TRANSFER, 0) },
  ]);
}

/** Creates a token account whose owner can change, at the issuer's cost. */
async function createLooseAccount(mint: Address, owner: Address): Promise<Address> {
  const { signer } = market.issuer;
  const account = await generateKeyPairSigner();
  // The mint can be paused, which each account notes.
  const space = 170n;
  const lamports = await market.world.rpc.getMinimumBalanceForRentExemption(space).send();
  const creation = { payer: signer, newAccount: account, lamports, space, ...config };
  await market.sendFinal(
    [
      getCreateAccountInstruction(creation),
      getInitializeAccount3Instruction({ account: account.address, mint, owner }, config),
    ],
    [account],
  );
  return account.address;
}

describe('a mint of another issuing tool', () => {
  test('without a permanent delegate keeps its tokens', async () => {
    const message = expect.stringContaining('without the power to take tokens');
    const plain = await createGated([]);
    for (const call of [recover, redeem]) {
      const refused = call(mute(market.issuer.signer), order(plain));
      await expectRefusal(refused, 'INVALID_ARGUMENT', { context: { field: 'mint' }, message });
    }
  });

  test('with permissioned burn is redeemed by the key that must sign, if that is the wallet', async () => {
    const { live, issuer, holder } = market;
    const { address } = issuer.signer;
    const delegate = EXTENSIONS.permanentDelegate(address);
    const own = await createGated([delegate, EXTENSIONS.permissionedBurn(address)]);
    await live(() => redeem(issuer.signer, order(own)));
    expect(await tokensOf(own.held)).toMatchObject({ amount: 60n, frozen: true });
    const burner = holder.signer.address;
    const others = await createGated([delegate, EXTENSIONS.permissionedBurn(burner)]);
    await expectRefusal(redeem(mute(issuer.signer), order(others)), 'INVALID_ARGUMENT', {
      context: { field: 'wallet' },
      message: expect.stringContaining(`${burner} must sign whenever tokens of the mint are burned.`),
    });
    await live(() => recover(issuer.signer, order(others)));
    expect(await tokensOf(others.held)).toMatchObject({ amount: 60n, frozen: true });
  });

  test('with a transfer hook of another program is redeemed, but not moved', async () => {
    const { live, issuer } = market;
    const hook = TOKEN_ACL_PROGRAM;
    const delegate = EXTENSIONS.permanentDelegate(issuer.signer.address);
    const hooked = await createGated([delegate, EXTENSIONS.transferHook(hook)]);
    await expectRefusal(recover(mute(issuer.signer), order(hooked)), 'INVALID_ARGUMENT', {
      context: { field: 'mint' },
      message: expect.stringContaining(`The program ${hook} decides about each transfer`),
    });
    await live(() => redeem(issuer.signer, order(hooked)));
    expect(await tokensOf(hooked.held)).toMatchObject({ amount: 60n, frozen: true });
  });
});

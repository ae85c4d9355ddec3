import {
  type Address,
  type Blockhash,
  createNoopSigner,
  fetchEncodedAccount,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import {
  getAdvanceNonceAccountInstruction,
  getAuthorizeNonceAccountInstruction,
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
} from '@solana-program/system';
import { expect, it } from 'vitest';
import { net, other, payer, useCluster } from '../test/support/cluster.ts';
import { type Signed, SOL } from '../test/support/index.ts';
import { nonceAfter } from './chain/durable-nonce.ts';
import { decodeTransaction } from './chain/transaction.ts';

useCluster();

const BLOCKHASH_LIFETIME = 150;

/** Creates a nonce account of an authority. */
async function createNonceAccount(nonceAuthority: Address = payer.address): Promise<Address> {
  const key = await generateKeyPairSigner();
  await net.land(
    [payer, key],
    [
      getCreateAccountInstruction({
        payer: createNoopSigner(payer.address),
        newAccount: createNoopSigner(key.address),
        lamports: SOL / 100n,
        space: 80,
        programAddress: '11111111111111111111111111111111' as Address,
      }),
      getInitializeNonceAccountInstruction({ nonceAccount: key.address, nonceAuthority }),
    ],
  );
  net.advanceSlots(1);
  return key.address;
}

async function nonceOf(account: Address): Promise<Blockhash> {
  const found = await fetchEncodedAccount(net.rpc, account, { commitment: 'processed' });
  if (!found.exists) throw new Error('There is no nonce account.');
  return getBase58Decoder().decode(found.data.slice(40, 72)) as Blockhash;
}

const advance = (nonceAccount: Address, authority: Address = payer.address) =>
  getAdvanceNonceAccountInstruction({ nonceAccount, nonceAuthority: createNoopSigner(authority) });

/** Signs a transaction whose lifetime is the present nonce of an account. */
async function signWithNonce(
  account: Address,
  instruction: Instruction,
  signers: readonly [KeyPairSigner, ...KeyPairSigner[]] = [payer],
): Promise<Signed> {
  const authority = signers.at(-1)!.address;
  const blockhash = await nonceOf(account);
  return net.sign(signers, [advance(account, authority), instruction], { blockhash });
}

const simulate = ({ wire }: Signed) =>
  net.call('simulateTransaction', wire, { encoding: 'base64', commitment: 'processed', sigVerify: true });

it('lands a transaction long after a blockhash would have expired, and only once', async () => {
  const nonce = await createNonceAccount();
  const blockhashed = await net.signTransfer(1n);
  const signed = await signWithNonce(nonce, net.transferOf(SOL));
  net.advanceSlots(BLOCKHASH_LIFETIME + 10);
  expect(await net.outcomeOf(blockhashed)).toBeNull();
  expect(simulate(signed)).toMatchObject({ result: { value: { err: null } } });
  expect(await net.outcomeOf(signed)).toMatchObject({ err: null });
  expect(await net.balanceOf(other)).toBe(SOL);

  net.advanceSlots(1);
  expect(simulate(signed)).toMatchObject({ result: { value: { err: 'BlockhashNotFound' } } });
  await net.sendRaw(signed);
  expect(await net.balanceOf(other)).toBe(SOL);
});

it('makes each nonce from the newest blockhash, as a cluster does', async () => {
  const nonce = await createNonceAccount();
  const first = await nonceOf(nonce);
  const signed = await signWithNonce(nonce, net.transferOf(1_000_000n));
  net.advanceSlots(1);
  const { value: latest } = await net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  await net.outcomeOf(signed);
  const made = nonceAfter(new Uint8Array(getBase58Encoder().encode(latest.blockhash)));
  expect(await nonceOf(nonce)).toBe(getBase58Decoder().decode(made));
  expect(await nonceOf(nonce)).not.toBe(first);
});

it('never brings a used nonce back, not even by an advance with the blockhash that it came from', async () => {
  const { value: old } = await net.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
  const nonce = await createNonceAccount();
  const signed = await signWithNonce(nonce, net.transferOf(1_000_000n));
  net.advanceSlots(1);
  expect(await net.outcomeOf(signed)).toMatchObject({ err: null });
  net.advanceSlots(1);
  const again = await net.sign([payer], [advance(nonce)], { blockhash: old.blockhash });
  expect(await net.outcomeOf(again)).toMatchObject({ err: null });
  net.advanceSlots(1);
  expect(simulate(signed)).toMatchObject({ result: { value: { err: 'BlockhashNotFound' } } });
});

it('advances the nonce and takes the fee if the transaction fails', async () => {
  const nonce = await createNonceAccount();
  const value = await nonceOf(nonce);
  const signed = await signWithNonce(nonce, net.transferOf(1_000n * SOL));
  net.advanceSlots(1);
  const before = await net.balanceOf(payer.address);
  expect(await net.outcomeOf(signed)).toMatchObject({ err: { InstructionError: [1n, { Custom: 1n }] } });
  expect(await net.balanceOf(payer.address)).toBe(before - 5_000n);
  expect(await nonceOf(nonce)).not.toBe(value);
  net.advanceSlots(1);
  await net.sendRaw(signed);
  expect(await net.balanceOf(payer.address)).toBe(before - 5_000n);
});

it('lands nothing in the slot that made the nonce', async () => {
  const nonce = await createNonceAccount();
  net.advanceSlots(1);
  await net.land([payer], [advance(nonce)]);
  const signed = await signWithNonce(nonce, net.transferOf(1_000_000n));
  expect(await net.outcomeOf(signed)).toBeNull();
  net.advanceSlots(1);
  expect(await net.outcomeOf(signed)).toMatchObject({ err: null });
});

it('rejects the nonce of another authority, another account and another instruction', async () => {
  const authority = await net.wallet();
  const nonce = await createNonceAccount(authority.address);
  const foreign = await signWithNonce(nonce, net.transferOf(1_000_000n));
  expect(await net.outcomeOf(foreign)).toBeNull();

  const own = await signWithNonce(nonce, net.transferOf(1_000_000n), [payer, authority]);
  expect(await net.outcomeOf(own)).toMatchObject({ err: null });

  const blockhash = await nonceOf(nonce);
  net.advanceSlots(1);
  const late = [net.transferOf(1n), advance(nonce, authority.address)];
  expect(await net.outcomeOf(await net.sign([payer, authority], late, { blockhash }))).toBeNull();
  const otherData = getAuthorizeNonceAccountInstruction({
    nonceAccount: nonce,
    nonceAuthority: createNoopSigner(authority.address),
    newNonceAuthority: payer.address,
  });
  expect(await net.outcomeOf(await net.sign([payer, authority], [otherData], { blockhash }))).toBeNull();
  const readonly = advance(nonce, authority.address);
  const accounts = [{ ...readonly.accounts[0], role: 0 }, ...readonly.accounts.slice(1)];
  const signed = await net.sign([payer, authority], [{ ...readonly, accounts } as Instruction], {
    blockhash,
  });
  expect(await net.outcomeOf(signed)).toBeNull();
});

it('returns the fee of a message with a durable nonce', async () => {
  const nonce = await createNonceAccount();
  const signed = await signWithNonce(nonce, net.transferOf(1n));
  const feeOf = () => {
    const { transaction } = decodeTransaction(Buffer.from(signed.wire, 'base64'));
    const message = getBase64Decoder().decode(transaction.messageBytes);
    return net.call('getFeeForMessage', message, { commitment: 'processed' });
  };
  net.advanceSlots(BLOCKHASH_LIFETIME + 10);
  expect(feeOf()).toMatchObject({ result: { value: 5_000n } });
  await net.outcomeOf(signed);
  net.advanceSlots(1);
  expect(feeOf()).toMatchObject({ result: { value: null } });
});

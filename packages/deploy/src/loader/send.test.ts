import { errorOf, SOL, stillLocalnet, transferInstruction, watchedRpc } from '@service/test-support';
import {
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  type KeyPairSigner,
  type Nonce,
} from '@solana/kit';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { type SendOptions, sendAll } from './send.ts';

let net: ReturnType<typeof stillLocalnet>;
let payer: KeyPairSigner;
beforeEach(async () => {
  net = stillLocalnet();
  payer = await net.wallet();
});

const SENDING = { commitment: 'processed', what: 'Paying', preflight: false, signal: undefined } as const;

const newWallets = (count: number) =>
  Promise.all(Array.from({ length: count }, () => generateKeyPairSigner()));
const payment = ({ address }: KeyPairSigner, lamports: bigint) => ({
  payer,
  signers: [],
  instructions: [transferInstruction(payer.address, address, lamports)],
});
const send = (drafts: ReturnType<typeof payment>[], options: Partial<SendOptions> = {}) =>
  sendAll({ rpc: net.rpc, drafts, ...SENDING, ...options });

it('sends many drafts and throws the error of one that failed on chain', async () => {
  const others = await newWallets(300);
  await send(others.map((other) => payment(other, SOL / 100n)));
  expect(await net.rpc.getTransactionCount({ commitment: 'processed' }).send()).toBe(300n);
  net.advanceSlots(1);
  const message = 'Paying failed on chain: {"InstructionError":[0,{"Custom":1}]}';
  const drafts = [payment(others[0]!, 1n), payment(others[1]!, 100n * SOL)];
  await expect(send(drafts)).rejects.toMatchObject({ code: 'FAILED_ON_CHAIN', message });
});

it('signs with a new blockhash only the drafts that did not land before theirs expired', async () => {
  const others = await newWallets(4);
  let sent = 0;
  const rpc = watchedRpc(net, {
    // Two land. Then the blockhash expires, before the others are sent.
    before: (method) => {
      if (method === 'sendTransaction' && ++sent === 3) net.advanceSlots(152);
    },
  });
  const drafts = others.map((other) => payment(other, SOL));
  await send(drafts, { rpc, preflight: true });
  expect(sent).toBe(6);
  expect(await net.rpc.getTransactionCount({ commitment: 'processed' }).send()).toBe(4n);
  for (const { address } of others) expect(await net.balanceOf(address)).toBe(SOL);
});

it('waits for a transaction whose sending got no answer, also while the RPC is down for a moment', async () => {
  const [other] = await newWallets(1);
  const failing = new Set(['sendTransaction', 'getBlockHeight', 'getSignatureStatuses']);
  const rpc = watchedRpc(net, {
    after: (method) => {
      if (failing.delete(method)) throw new Error('no answer');
    },
  });
  const signatures = await send([payment(other!, SOL)], { rpc, mostSilenceMs: 60_000 });
  expect(failing.size).toBe(0);
  expect(await net.balanceOf(other!.address)).toBe(SOL);
  const { value } = await net.rpc.getSignatureStatuses(signatures).send();
  expect(value).toMatchObject([{ err: null }]);
});

it('names the transaction that may have landed when the RPC stops responding', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const rpc = watchedRpc(net, {
    before: (method) => {
      if (method !== 'getBlockHeight') return;
      vi.advanceTimersByTime(31_000);
      throw new Error('down');
    },
  });
  const [other] = await newWallets(1);
  const error = await errorOf(send([payment(other!, SOL)], { rpc, mostSilenceMs: 60_000 }));
  const message = expect.stringMatching(/^Paying: .+: down\. Look up \w{60,} on chain before/);
  expect(error).toMatchObject({ code: 'UNCONFIRMED', message });
  expect(await net.balanceOf(other!.address)).toBe(SOL);
});

it('sends a change that must not be sent twice once, also if the node has forgotten that it landed', async () => {
  let sent = 0;
  // As after the sleep of a laptop: a node answers from its cache of the last 300 slots.
  const rpc = watchedRpc(net, {
    after: (method) => {
      if (method === 'sendTransaction' && ++sent === 1) net.advanceSlots(400);
    },
  });
  const [other] = await newWallets(1);
  const error = await errorOf(send([payment(other!, SOL)], { rpc, mostSilenceMs: 60_000 }));
  const message = expect.stringMatching(/^Paying: the RPC does not show .+ Look up \w{60,} on chain before/);
  expect(error).toMatchObject({ code: 'UNCONFIRMED', message });
  expect(await net.balanceOf(other!.address)).toBe(SOL);
});

/** A nonce that no account of the cluster has. */
const nonceOf = ({ address }: KeyPairSigner, account: KeyPairSigner) => ({
  nonce: address as string as Nonce,
  nonceAccountAddress: account.address,
  nonceAuthorityAddress: payer.address,
});
/** An account that has this nonce, in the form of `addAccounts`. */
function nonceAccount(nonce: KeyPairSigner, authority: KeyPairSigner) {
  const key = ({ address }: KeyPairSigner) => getAddressEncoder().encode(address);
  const [initialized, fee] = [[1, 0, 0, 0, 1, 0, 0, 0], new Array<number>(8).fill(0)];
  const data = Uint8Array.from([...initialized, ...key(authority), ...key(nonce), ...fee]);
  const owner = address('11111111111111111111111111111111');
  return { lamports: SOL, owner, executable: false, data };
}
const canLand = ({ address }: KeyPairSigner) =>
  `The signed transaction can still land. Advance the nonce of ${address} first, with solana new-nonce.`;

it('says that a transaction with a nonce can still land', async () => {
  const rpc = watchedRpc(net, {
    after: (method) => {
      if (method === 'sendTransaction') net.advanceSlots(400);
    },
  });
  const [other, account] = await newWallets(2);
  const lifetime = nonceOf(other!, account!);
  const error = await errorOf(send([payment(other!, SOL)], { rpc, lifetime, mostSilenceMs: 60_000 }));
  expect(error).toMatchObject({ code: 'UNCONFIRMED' });
  const { message } = error as Error;
  expect(message).toContain('it is valid until its nonce is advanced. Look up');
  expect(message).toContain(canLand(account!));
});

it('says how to cancel a transaction with a nonce that the RPC refused', async () => {
  const [other, account] = await newWallets(2);
  const lifetime = nonceOf(other!, account!);
  const refused = (options: object) =>
    errorOf(send([payment(other!, 1_000n * SOL)], { preflight: true, mostSilenceMs: 60_000, ...options }));
  const simulationFailed = { code: 'REFUSED', message: expect.stringContaining(canLand(account!)) };
  net.addAccounts(new Map([[account!.address, nonceAccount(other!, payer)]]));
  expect(await refused({ lifetime })).toMatchObject(simulationFailed);
  // A blockhash expires without anybody's help.
  const plain = (await refused({})) as Error;
  expect(plain).toMatchObject({ code: 'REFUSED' });
  expect(plain.message).not.toContain('can still land');
});

it('names each signature before its transaction is sent', async () => {
  const seen: string[] = [];
  const rpc = watchedRpc(net, { before: (method) => void seen.push(method) });
  const [other] = await newWallets(1);
  const onSigned = (signature: string) => void seen.push(signature);
  const [signature] = await send([payment(other!, SOL)], { rpc, onSigned });
  expect(seen.indexOf(signature!)).toBeGreaterThan(-1);
  expect(seen.indexOf(signature!)).toBeLessThan(seen.indexOf('sendTransaction'));
});

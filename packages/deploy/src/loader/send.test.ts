import { fundedWallet, SOL, stillLocalnet, transferInstruction } from '@service/test-support';
import { createSolanaRpcFromTransport, generateKeyPairSigner, type RpcTransport } from '@solana/kit';
import { expect, it } from 'vitest';
import { sendAll } from './send.ts';

it('sends many drafts and fails with the error of one that failed on chain', async () => {
  const net = stillLocalnet();
  const payer = await fundedWallet(net);
  const others = await Promise.all(Array.from({ length: 300 }, () => generateKeyPairSigner()));
  const draft = (to: number, lamports: bigint) => ({
    payer,
    signers: [],
    instructions: [transferInstruction(payer.address, others[to]!.address, lamports)],
  });
  const send = (drafts: ReturnType<typeof draft>[]) =>
    sendAll({
      rpc: net.rpc,
      drafts,
      commitment: 'processed',
      what: 'Paying',
      preflight: false,
      signal: undefined,
    });

  await send(others.map((_, index) => draft(index, SOL / 100n)));
  expect(await net.rpc.getTransactionCount().send()).toBe(300n);
  net.advanceSlots(1);
  await expect(send([draft(0, 1n), draft(1, 100n * SOL)])).rejects.toMatchObject({
    code: 'FAILED_ON_CHAIN',
    message: 'Paying failed on chain: {"InstructionError":[0,{"Custom":1}]}',
  });
});

it('signs anew what a dead blockhash kept out, and only that', async () => {
  const net = stillLocalnet();
  const payer = await fundedWallet(net);
  const others = await Promise.all(Array.from({ length: 4 }, () => generateKeyPairSigner()));
  const drafts = others.map(({ address }) => ({
    payer,
    signers: [],
    instructions: [transferInstruction(payer.address, address, SOL)],
  }));
  let sent = 0;
  const transport = (async (request: Parameters<RpcTransport>[0]) => {
    const { method } = request.payload as { method: string };
    // Two land; then the blockhash dies before the others are sent.
    if (method === 'sendTransaction' && ++sent === 3) net.advanceSlots(152);
    return net.transport(request);
  }) as RpcTransport;
  const rpc = createSolanaRpcFromTransport(transport);
  await sendAll({ rpc, drafts, commitment: 'processed', what: 'Paying', preflight: true, signal: undefined });
  expect(sent).toBe(6);
  expect(await net.rpc.getTransactionCount().send()).toBe(4n);
  for (const { address } of others) {
    expect((await net.rpc.getBalance(address, { commitment: 'processed' }).send()).value).toBe(SOL);
  }
});

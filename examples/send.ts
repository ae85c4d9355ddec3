/** Sends a transaction as any wallet does, and waits until it is final. For examples of other tools. */
import { setTimeout as delay } from 'node:timers/promises';
import * as kit from '@solana/kit';

export async function send(rpcUrl: string, payer: kit.KeyPairSigner, ...instructions: kit.Instruction[]) {
  const rpc = kit.createSolanaRpc(rpcUrl);
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (each) => kit.setTransactionMessageFeePayerSigner(payer, each),
    (each) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
    (each) => kit.appendTransactionMessageInstructions(instructions, each),
  );
  const wire = kit.getBase64EncodedWireTransaction(await kit.signTransactionMessageWithSigners(message));
  const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  const statusOf = async () => (await rpc.getSignatureStatuses([signature]).send()).value[0];
  while ((await statusOf())?.confirmationStatus !== 'finalized') await delay(200);
}

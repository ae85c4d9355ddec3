import { attempt } from '../../lib/attempt.ts';
import type { Service } from '../../service.ts';

/** The maximum cost of a wallet's first credential in lamports: rent of its account and the network fee. */
export const CREDENTIAL_LAMPORTS = 1_700_000n;

/** Returns the fee payer's balance at confirmed, in lamports. All readers of a moment share it. Throws the RPC's errors. */
export function readFeePayerBalance({ rpc, feePayer, shared }: Service): Promise<bigint> {
  return shared('fee payer', async (abortSignal) => {
    const { value } = await rpc
      .getBalance(feePayer.address, { commitment: 'confirmed' })
      .send({ abortSignal });
    return value;
  });
}

/** Returns whether the fee payer cannot pay for a credential. Throws the RPC's errors. */
export async function isFeePayerPoor(service: Service): Promise<boolean> {
  return (await readFeePayerBalance(service)) < CREDENTIAL_LAMPORTS;
}

/** Logs a warning if the fee payer cannot pay for a credential at confirmed. An RPC error is only logged. */
export async function warnOfLowBalance(service: Service): Promise<void> {
  const balance = await attempt(service, 'reading the fee payer’s balance', service.signal, () =>
    readFeePayerBalance(service),
  );
  if (!balance.ok || balance.value >= CREDENTIAL_LAMPORTS) return;
  service.log.warn(
    `The fee payer ${service.feePayer.address} has ${balance.value} lamports, but a credential costs ${CREDENTIAL_LAMPORTS}. Send SOL to it: without SOL it puts no credential on chain.`,
  );
}

import { attempt } from '../../lib/attempt.ts';
import type { Service } from '../../service.ts';

/** The maximum cost of a wallet's first credential in lamports: rent of its account and the network fee. */
const CREDENTIAL_LAMPORTS = 1_700_000n;

/** Logs a warning if the fee payer cannot pay for a credential at confirmed. An RPC error is only logged. */
export async function warnOfLowBalance(service: Service): Promise<void> {
  const { address } = service.feePayer;
  const balance = await attempt(service, 'reading the fee payer’s balance', service.signal, (abortSignal) =>
    service.rpc.getBalance(address, { commitment: 'confirmed' }).send({ abortSignal }),
  );
  if (!balance.ok || balance.value.value >= CREDENTIAL_LAMPORTS) return;
  service.log.warn(
    `The fee payer ${address} has ${balance.value.value} lamports, but a credential costs ${CREDENTIAL_LAMPORTS}. Send SOL to it: without SOL it puts no credential on chain.`,
  );
}

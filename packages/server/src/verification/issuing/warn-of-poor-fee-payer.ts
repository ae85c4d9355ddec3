import { attempt } from '../../lib/attempt.ts';
import type { Service } from '../../service.ts';

/** Lamports that a wallet's first credential takes at most: rent of its account, and the network's fee. */
const CREDENTIAL_LAMPORTS = 1_700_000n;

/** Logs one warning when the fee payer cannot pay for a credential, as of confirmed; an RPC that does not tell keeps nothing up. */
export async function warnOfPoorFeePayer(service: Service): Promise<void> {
  const { address } = service.feePayer;
  const balance = await attempt(service, 'looking at the fee payer', service.signal, (abortSignal) =>
    service.rpc.getBalance(address, { commitment: 'confirmed' }).send({ abortSignal }),
  );
  if (!balance.ok || balance.value.value >= CREDENTIAL_LAMPORTS) return;
  service.log.warn(
    `The fee payer ${address} has ${balance.value.value} lamports, but a credential costs ${CREDENTIAL_LAMPORTS}. Send SOL to it: without SOL it puts no credential on chain.`,
  );
}

/** The verifier's side of the load: signed webhook messages, repeated until the service acknowledges them. */
import { randomUUID } from 'node:crypto';
import { signWebhook } from '@service/contract/verifier';
import { credentialMessage, revocationMessage } from '@service/protocol';
import { commitmentOf, fieldToBytes } from '@service/protocol/eligibility';
import { newWitness, WEBHOOK_SECRET } from '@service/server/test-service';
import { type Address, signBytes } from '@solana/kit';
import type { Chain } from '../system/chain.ts';
import { pause } from '../wait.ts';
import { type DeliveredMessage, type Journal, noteSurprise } from './journal.ts';
import { type Service, sendUntilAnswered } from './send-request.ts';

const LIFETIME_SECONDS = 30n * 86_400n;
const REJECTED_MS = 1_000;

/** A person's attributes. */
export type Witness = ReturnType<typeof newWitness>;

interface Delivery {
  readonly service: Service;
  readonly chain: Chain;
  readonly journal: Journal;
  readonly sessionId: string;
  readonly wallet: Address;
}

/** Delivers a signed credential for new attributes. Returns the attributes. */
export async function deliverCredential(delivery: Delivery): Promise<Witness> {
  const { chain, wallet, sessionId } = delivery;
  const witness = newWitness();
  const commitment = fieldToBytes(commitmentOf(witness));
  const issuedAt = BigInt(chain.net.time);
  const expiresAt = issuedAt + LIFETIME_SECONDS;
  const statement = {
    program: chain.program,
    genesisHash: chain.net.genesisHash,
    wallet,
    commitment,
    issuedAt,
    expiresAt,
  };
  const hex = Buffer.from(commitment).toString('hex');
  const signature = await signatureOf(chain, credentialMessage(statement));
  await deliver(
    delivery,
    { type: 'verification.completed', time: issuedAt, commitment: hex },
    { sessionId, wallet, commitment: hex, issuedAt: `${issuedAt}`, expiresAt: `${expiresAt}`, signature },
  );
  return witness;
}

/** Delivers a signed revocation of everything that the verifier signed for the wallet until now. */
export async function deliverRevocation(delivery: Delivery): Promise<void> {
  const { chain, wallet, sessionId } = delivery;
  const revokedAt = BigInt(chain.net.time);
  const statement = { program: chain.program, genesisHash: chain.net.genesisHash, wallet, revokedAt };
  const signature = await signatureOf(chain, revocationMessage(statement));
  await deliver(
    delivery,
    { type: 'credential.revoked', time: revokedAt, commitment: null },
    { sessionId, wallet, revokedAt: `${revokedAt}`, signature },
  );
}

async function deliver(
  { service, journal, sessionId, wallet }: Delivery,
  about: Pick<DeliveredMessage, 'type' | 'time' | 'commitment'>,
  data: object,
): Promise<void> {
  const id = `msg_${randomUUID()}`;
  const entry: DeliveredMessage = { ...about, sessionId, wallet, isAcknowledged: false };
  journal.messages.push(entry);
  for (;;) {
    const now = Date.now();
    const body = JSON.stringify({ type: about.type, timestamp: new Date(now).toISOString(), data });
    const headers = {
      'content-type': 'application/json',
      ...signWebhook({ secret: WEBHOOK_SECRET, id, now, body }),
    };
    const reply = await sendUntilAnswered(service, {
      method: 'POST',
      path: '/api/verifier/webhook',
      body,
      headers,
    });
    if (reply.status === 200) {
      entry.isAcknowledged = true;
      return;
    }
    // A verifier repeats a message that is rejected, too.
    noteSurprise(journal, `/api/verifier/webhook ${reply.status} ${reply.code}: ${reply.message}`);
    await pause(REJECTED_MS, service.signal);
  }
}

async function signatureOf({ keys }: Chain, message: Uint8Array): Promise<string> {
  return Buffer.from(await signBytes(keys.verifier.keyPair.privateKey, message)).toString('base64');
}

/** A pause of the protocol stops every operation except a suspension, its end, and the end of a grant, as in the program. */
import { type PostedIntent, readOperationInstructions } from '@service/protocol';
import { getEndGrantInstructionDataEncoder } from '@service/protocol/generated';
import { confirmedConfig } from '../chain-head/index.ts';
import type { OperationRow } from '../database/schema.ts';
import { ServiceFault } from '../http/failures/fault.ts';
import type { Service } from '../service.ts';

/** Returns whether a pause stops the operation of an intent. */
export function stopsAtPause(intent: PostedIntent): boolean {
  return intent.kind === 'GRANT' ? intent.expiresAt !== 0n : intent.kind !== 'SUSPEND';
}

/** Returns whether a pause stops a prepared operation. */
export function draftStopsAtPause({ kind, message }: Pick<OperationRow, 'kind' | 'message'>): boolean {
  return kind === 'GRANT' ? !endsGrant(message) : kind !== 'SUSPEND';
}

const END_GRANT_DATA = Buffer.from(getEndGrantInstructionDataEncoder().encode({}));

function endsGrant(message: Uint8Array): boolean {
  const act = readOperationInstructions(message)?.instructions.at(-1);
  return act !== undefined && END_GRANT_DATA.equals(act.data);
}

/** Checks that governance has not paused the protocol. @throws ServiceFault PROTOCOL_PAUSED, or UNAVAILABLE before it is set up */
export async function assertNotPaused(service: Service): Promise<void> {
  const config = await confirmedConfig(service);
  if (!config)
    throw new ServiceFault('UNAVAILABLE', 'The protocol is not set up on this cluster yet. Retry later.');
  if (config.paused) throw new ServiceFault('PROTOCOL_PAUSED');
}

import { type Stack, type StackOptions, startStack } from '@service/development';
import pino from 'pino';

/** Starts a stack in this process, on free ports, whose chain and service are quick. */
export function startQuickStack(changes: Partial<StackOptions> = {}): Promise<Stack> {
  return startStack({
    ports: { site: 0, rpc: 0, verifier: 0 },
    slotMs: 100,
    finalitySlots: 2,
    pollIntervalMs: 100,
    log: pino({ level: 'silent' }),
    ...changes,
  });
}

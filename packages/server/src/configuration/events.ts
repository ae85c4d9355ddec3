/** The variables of events. `npx @service/server` and `npm start` read them in the same way. */
import { ConfigurationError, type Environment, type Fault, readVariables } from '@service/configuration';
import * as z from 'zod/mini';
import type { EventReceiver } from '../settings.ts';
import { serverVariables } from './variables.ts';

const eventVariables = z.pick(serverVariables, {
  EVENTS_URL: true,
  EVENTS_SECRET: true,
  PREVIOUS_EVENTS_SECRET: true,
});

type Variables = z.infer<typeof eventVariables>;

/**
 * Reads who gets events from environment variables, and the files that they name.
 *
 * @throws ConfigurationError with one line for each variable that is wrong or missing.
 */
export function readEvents(environment: Environment): EventReceiver | undefined {
  const { values, faults } = readVariables(eventVariables, environment);
  const problems = [...faults, ...eventFaults(values, faults)];
  if (problems.length > 0) throw new ConfigurationError(problems);
  return eventsOf(values);
}

/** Returns a fault for each variable that another one needs. */
export function eventFaults(values: Partial<Variables>, faults: readonly Fault[]): Fault[] {
  if (faults.some(({ variable }) => variable.includes('EVENTS_'))) return [];
  const [hasUrl, hasSecret] = [values.EVENTS_URL !== undefined, values.EVENTS_SECRET !== undefined];
  if (hasUrl !== hasSecret) {
    const [set, missing] = hasUrl ? ['EVENTS_URL', 'EVENTS_SECRET'] : ['EVENTS_SECRET', 'EVENTS_URL'];
    return [
      { variable: missing, line: `${set} is set, but ${missing} is not. Expected both, or none of them.` },
    ];
  }
  if (hasSecret || values.PREVIOUS_EVENTS_SECRET === undefined) return [];
  const line = 'PREVIOUS_EVENTS_SECRET is set, but EVENTS_SECRET is not. Expected EVENTS_SECRET too.';
  return [{ variable: 'EVENTS_SECRET', line }];
}

/** Returns the receiver of variables that have no fault; undefined if there is none. */
export function eventsOf(values: Partial<Variables>): EventReceiver | undefined {
  const { EVENTS_URL: url, EVENTS_SECRET: secret, PREVIOUS_EVENTS_SECRET: previous } = values;
  if (url === undefined) return undefined;
  return { url, secrets: [secret, previous].filter((each) => each !== undefined) };
}

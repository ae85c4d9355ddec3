/** How a process of the service starts and ends: locks, ports, dependencies, signals. */
export { type CloseOnSignalOptions, closeOnSignal } from './close-on-signal.ts';
export { DatabaseLockedError, lockDirectory } from './database/lock.ts';
export { portTaken } from './http/port-taken.ts';
export { UnreachableError } from './unreachable.ts';

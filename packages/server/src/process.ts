/** Tools for starting and ending a process of the service: locks, ports, dependencies, signals. */
export { DatabaseLockedError, lockDirectory } from './database/pglite/lock.ts';
export { portTaken } from './http/port-taken.ts';
export { type CloseOnSignalOptions, closeOnSignal } from './lib/close-on-signal.ts';
export { UnreachableError } from './lib/unreachable.ts';

/** Tools for starting and ending a process of the service: locks, ports, signals, and who gets events. */

export { readEvents } from './configuration/events.ts';
export { DatabaseLockedError, lockDirectory } from './database/pglite/lock.ts';
export { portTaken } from './http/port-taken.ts';
export { closeOnSignal } from './lib/close-on-signal.ts';

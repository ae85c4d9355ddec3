/** For tests of dApps: a service that lies in every way that this SDK refuses. */
export { type HostileFetch, type HostileFetchOptions, hostileFetch } from './hostile-fetch.ts';
export type { HostileCall, HostileCategory, HostileMode } from './hostile-mode.ts';
export { HOSTILE_MODES } from './hostile-modes.ts';

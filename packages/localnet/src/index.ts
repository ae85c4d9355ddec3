export { JournalError } from './chain/journal.ts';
export { type DevelopmentRole, developmentKey } from './development-keys.ts';
export type { Listener, ListenOptions } from './http.ts';
export { Localnet, type LocalnetOptions } from './localnet.ts';

export { type DevelopmentKeys, developmentKeys, developmentSeed } from './development-keys.ts';
export type { Listener, ListenOptions } from './http.ts';
export { JournalError } from './journal/journal.ts';
export { Localnet, type LocalnetOptions } from './localnet.ts';
export { addStandInGuardProgram, GUARD_PROGRAM_FILE } from './stand-in-guards.ts';
export { addStandInTokenAclProgram, TOKEN_ACL_PROGRAM_FILE } from './stand-in-token-acl.ts';
export type { SocketLimits } from './subscriptions/sockets.ts';

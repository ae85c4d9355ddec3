export {
  DeployError,
  type DeployErrorCode,
  type DeployedProgram,
  type DeployOptions,
  deployProgram,
} from './deploy/deploy.ts';
export type { DeployRpc } from './deploy/send.ts';
export type { Listener, ListenOptions } from './http.ts';
export { Localnet, type LocalnetOptions } from './localnet.ts';

/** Reads environment variables and deployment.json for every command of the service. */
export { type Deployment, readDeployment, writeDeployment } from './deployment-file.ts';
export { readEvents } from './events.ts';
export { holdsUser, keypair, wholeNumber } from './fields.ts';
export {
  ConfigurationError,
  documentationOf,
  type Environment,
  type Fault,
  readVariables,
  type VariablesSchema,
  variable,
} from './read-variables.ts';
export { serverVariables } from './variables.ts';

/** Reads environment variables by a schema, and deployment.json, for every command of the service. */
export { type Deployment, readDeployment, writeDeployment } from './deployment-file.ts';
export {
  exactHttpUrl,
  holdsUser,
  httpUrl,
  httpUrls,
  keypair,
  list,
  wholeNumber,
} from './fields.ts';
export { withForm } from './form.ts';
export {
  ConfigurationError,
  documentationOf,
  type Environment,
  type Fault,
  readVariables,
  type VariablesSchema,
  variable,
} from './read-variables.ts';
export { UnreachableError } from './unreachable.ts';

export { parseDeployment } from '../deployment.ts';

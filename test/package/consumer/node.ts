/** The journey in Node. Reads the deployment from the variable DEPLOYMENT, and prints the outcome as JSON. */
import { parseDeployment } from '@service/sdk';
import { journey } from './journey.js';
import { visit } from './visit.js';

const deployment = parseDeployment(JSON.parse(process.env.DEPLOYMENT ?? ''));
console.log(JSON.stringify(await journey(deployment, visit)));

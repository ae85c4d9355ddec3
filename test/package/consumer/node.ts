/** The journey in Node. Reads the deployment from the variable DEPLOYMENT, and prints the outcome as JSON. */
import { parseDeployment } from '@service/sdk';
import { journey } from './journey.js';

const deployment = parseDeployment(JSON.parse(process.env.DEPLOYMENT ?? ''));
const outcome = await journey(deployment, async (url) => {
  const body = new URLSearchParams({ region: 'CH', status: 'accredited', birthDate: '1985-02-28' });
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  return answer.headers.get('location') ?? url;
});
console.log(JSON.stringify(outcome));

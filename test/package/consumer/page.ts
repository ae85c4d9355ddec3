/** The journey in a page. The browser test sets `deployment` and `visit`, and reads `outcome`. */
import { parseDeployment } from '@service/sdk';
import { journey, type Outcome } from './journey.js';

declare global {
  var deployment: unknown;
  var visit: (url: string) => Promise<string>;
  var outcome: Promise<Outcome>;
}

globalThis.outcome = journey(parseDeployment(globalThis.deployment), globalThis.visit);

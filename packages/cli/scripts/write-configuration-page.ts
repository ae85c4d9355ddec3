/** `npm run generate -- configuration`: writes the configuration in docs/guides/operator.md from the schemas of the variables. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withConfiguration } from './configuration-page.ts';

const page = new URL('../../../docs/guides/operator.md', import.meta.url);
writeFileSync(page, withConfiguration(readFileSync(page, 'utf8')));

/** `npm run generate -- verifier-variables`: writes the variables in the README from their schemas. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withVariables } from './variables-page.ts';

const page = new URL('../README.md', import.meta.url);
writeFileSync(page, withVariables(readFileSync(page, 'utf8')));

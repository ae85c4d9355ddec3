/** `npm run docs:configuration`: writes docs/configuration.md from the schemas. */
import { writeFileSync } from 'node:fs';
import { configurationPage } from './table.ts';

writeFileSync(new URL('../../../../docs/configuration.md', import.meta.url), configurationPage());

/** Writes packages/sdk/docs/errors.md. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorsPage } from './support/errors-page.ts';

writeFileSync(fileURLToPath(new URL('../../packages/sdk/docs/errors.md', import.meta.url)), errorsPage());

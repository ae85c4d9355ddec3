/** Writes docs/wire.md. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wirePage } from './support/wire-page.ts';

writeFileSync(fileURLToPath(new URL('../../docs/wire.md', import.meta.url)), wirePage());

/** Writes the template into the package, for `npm run build`. */
import { resolve } from 'node:path';
import { writeTemplate } from './write-template.ts';

await writeTemplate(resolve(import.meta.dirname, '../dist/template'));

/** Writes the docstrings that the OpenAPI document uses as descriptions. */
import { writeFileSync } from 'node:fs';
import { readDocstrings } from './docstrings.ts';

const target = new URL('../src/openapi/docstrings.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(readDocstrings(), null, 2)}\n`);

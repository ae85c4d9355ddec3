/** The errors of the IDL and of the README. Their one source is the enum in `src/error.rs`. */
import { readFileSync } from 'node:fs';
import { type ErrorNode, errorNode } from 'codama';

const FIRST_CODE = 6000;

/** The errors in the order of their codes. */
export const errors = readErrors(readFileSync(new URL('../src/error.rs', import.meta.url), 'utf8'));

/** Reads the variants of the Rust enum. Throws on a line of the enum that is not a comment and then a variant. */
export function readErrors(source: string): ErrorNode[] {
  const body = /^pub enum Error \{\n(.*?)^\}/ms.exec(source)?.[1];
  if (body === undefined) throw new Error('error.rs has no `pub enum Error`. Restore the enum.');
  const found: ErrorNode[] = [];
  const rest = body.replace(/^ {4}\/\/\/ (.*)\.\n {4}(\w+)( = \d+)?,\n/gm, (_, message, variant, value) => {
    const code = FIRST_CODE + found.length;
    if ((value ?? '') !== (found.length === 0 ? ` = ${code}` : ''))
      throw new Error(`${variant} must not have a number: only the first error has one, ${FIRST_CODE}.`);
    const name = variant.charAt(0).toLowerCase() + variant.slice(1);
    found.push(errorNode({ name, code, message, docs: [message] }));
    return '';
  });
  if (rest !== '')
    throw new Error(`Write each error of error.rs as one comment line and one variant: ${rest}`);
  return found;
}

/** Returns the name that clients see, such as `DESTINATION_PASS_MISSING`. */
export function clientNameOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Returns the README with a new table of errors. */
export function withErrorTable(readme: string): string {
  const rows = errors.map(
    ({ code, name, message }) => `| ${code} | \`${clientNameOf(name)}\` | ${message} |\n`,
  );
  const table = `| number | name | meaning |\n|---|---|---|\n${rows.join('')}`;
  return readme.replace(
    /(<!-- errors -->\n).*?(<!-- end of errors -->)/s,
    (_, start, end) => start + table + end,
  );
}

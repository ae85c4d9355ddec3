import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const IDL = join(import.meta.dirname, '../../packages/program/idl.json');

interface Field {
  readonly name: string;
  readonly defaultValue?: { readonly number: number };
}

/** Returns the newest version of each kind of account, which the SDK and the service of this commit read too. */
export function accountVersions(): Record<string, number> {
  const { program } = JSON.parse(readFileSync(IDL, 'utf8')) as {
    program: { accounts: { name: string; data: { fields?: Field[]; data?: { fields: Field[] } } }[] };
  };
  return Object.fromEntries(
    program.accounts.map(({ name, data }) => {
      const fields = data.fields ?? data.data?.fields ?? [];
      const version = fields.find((field) => field.name === 'version')?.defaultValue?.number;
      if (version === undefined) throw new Error(`The IDL has no version of the account ${name}.`);
      return [name, version];
    }),
  );
}

/** Reads environment variables by a schema. Each is documented where it is defined; each fault is one line. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { holdsUser } from './fields.ts';
import { formOf } from './form.ts';

/** The documentation of a variable, for docs/guides/operator.md and for faults. */
export interface VariableDocumentation {
  /** One sentence. */
  readonly description: string;
  /** The form of the value, to follow "Expected". */
  readonly expected: string;
  readonly example: string;
  /** The default in words, if the schema has no fixed default. */
  readonly otherwise?: string;
  /** If true, its value is never shown, and `<NAME>_FILE` may name a file that contains it. */
  readonly secret?: boolean;
}

const documentation = z.registry<VariableDocumentation>();

/** Documentation whose form may be that of the schema. */
type Documentation = Omit<VariableDocumentation, 'expected'> &
  Partial<Pick<VariableDocumentation, 'expected'>>;

/** Returns the schema of a variable with its documentation attached. Throws Error if neither of them has a form. */
export function variable<S extends z.ZodMiniType>(schema: S, docs: Documentation): S {
  const expected = docs.expected ?? formOf(schema);
  if (expected === undefined) throw new Error(`The schema of "${docs.description}" has no form in words.`);
  // Clone it, because several variables share a schema.
  const own = schema.clone() as S;
  documentation.add(own, { ...docs, expected });
  return own;
}

/** The schemas of variables, by name. */
export type VariablesSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>;

/** Values of variables, as in `process.env`. An empty string counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A fault of one variable: its name, the problem and the expected form, but never a secret. */
export interface Fault {
  readonly variable: string;
  readonly line: string;
}

/** The configuration is wrong. The message has one line for each fault. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ line }) => line).join('\n'));
  }
}

/** Reads every variable of the schema. Returns the valid values, and a fault for each other variable. */
export function readVariables<S extends VariablesSchema>(
  schema: S,
  environment: Environment,
): { values: Partial<z.output<S>>; faults: readonly Fault[] } {
  const values: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const [name, form] of Object.entries(schema.shape)) {
    const { expected, otherwise, secret = false } = documentationOf(name, form);
    const found = secret ? readSecret(name, environment) : { text: environment[name] || undefined };
    if ('fault' in found) {
      faults.push({ variable: name, line: found.fault });
      continue;
    }
    const parsed = z.safeParse(form, found.text);
    if (parsed.success) {
      values[name] = parsed.data;
      continue;
    }
    const hints = [
      secret ? `, or a file that contains it, named in ${name}_FILE` : '',
      otherwise ? `; by default ${otherwise.replaceAll('`', '')}` : '',
    ];
    const hint = found.text === undefined ? hints.join('') : '';
    const line = `${describe(name, found.text, secret)} Expected ${expected.replaceAll('`', '')}${hint}.`;
    faults.push({ variable: name, line });
  }
  return { values: values as Partial<z.output<S>>, faults };
}

/** Returns the documentation of a variable. Throws Error if it has none. */
export function documentationOf(name: string, form: z.ZodMiniType): VariableDocumentation {
  const found = documentation.get(form);
  if (!found) throw new Error(`${name} is not documented`);
  return found;
}

function readSecret(
  name: string,
  environment: Environment,
): { text: string | undefined } | { fault: string } {
  const text = environment[name] || undefined;
  const file = environment[`${name}_FILE`] || undefined;
  if (file === undefined) return { text };
  if (text !== undefined) return { fault: `${name} and ${name}_FILE are both set. Set only one of them.` };
  try {
    return { text: readFileSync(file, 'utf8').trim() };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    // Do not show the path: an operator may have put the secret itself here by mistake.
    return {
      fault: `${name}_FILE names a file that cannot be read (${code}). Expected a file that contains the value.`,
    };
  }
}

function describe(name: string, text: string | undefined, secret: boolean): string {
  if (text === undefined) return `${name} is not set.`;
  return secret || text.split(',').some(holdsUser)
    ? `${name} is malformed (its value is not shown).`
    : `${name} is ${JSON.stringify(text)}, which is malformed.`;
}

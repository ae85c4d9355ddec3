/** Reading environment variables by a schema: each is documented where it is defined, each fault is one line. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** What people are told of a variable; the texts go into docs/configuration.md and into faults. */
export interface VariableDocumentation {
  /** One sentence. */
  readonly description: string;
  /** The form of the value, to follow "Expected". */
  readonly expected: string;
  readonly example: string;
  /** What is taken when it is not set, where that is no fixed value of the schema. */
  readonly otherwise?: string;
  /** Its value is never shown, and `<NAME>_FILE` may name a file that holds it. */
  readonly secret?: boolean;
}

const documentation = z.registry<VariableDocumentation>();

/** A variable: its schema with what people are told of it. */
export function variable<S extends z.ZodMiniType>(schema: S, told: VariableDocumentation): S {
  // A copy, because several variables are of the same form.
  const own = schema.clone() as S;
  documentation.add(own, told);
  return own;
}

/** Variables by their names. */
export type VariablesSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>;

/** Where variables come from, as in `process.env`; an empty text counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with one variable: what it is called, what is wrong, what is expected; never a secret. */
export interface Fault {
  readonly variable: string;
  readonly line: string;
}

/** What stands in the way of a start; the message has one line for each fault. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ line }) => line).join('\n'));
  }
}

/** Reads every variable of the schema: the values that are well, and a fault for each that is not. */
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
      secret ? `, or a file that holds it, named by ${name}_FILE` : '',
      otherwise ? `; by default ${otherwise.replaceAll('`', '')}` : '',
    ];
    const hint = found.text === undefined ? hints.join('') : '';
    const line = `${describe(name, found.text, secret)} Expected ${expected.replaceAll('`', '')}${hint}.`;
    faults.push({ variable: name, line });
  }
  return { values: values as Partial<z.output<S>>, faults };
}

/** What people are told of a variable. Throws Error when nothing is. */
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
  if (text !== undefined) return { fault: `${name} and ${name}_FILE are both set. Expected one of them.` };
  try {
    return { text: readFileSync(file, 'utf8').trim() };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { fault: `${name}_FILE: ${file} cannot be read (${code}). Expected a file that holds the value.` };
  }
}

function describe(name: string, text: string | undefined, secret: boolean): string {
  if (text === undefined) return `${name} is not set.`;
  return secret
    ? `${name} is malformed (its value is not shown).`
    : `${name} is ${JSON.stringify(text)}, which is malformed.`;
}

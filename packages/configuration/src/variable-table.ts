/** A table of variables in Markdown, for the pages that document a command. */
import * as z from 'zod/mini';
import { documentationOf, type VariablesSchema } from './read-variables.ts';

/** Returns a table with each variable, its meaning and form, its default and an example. */
export function variableTable(schema: VariablesSchema): string {
  const rows = Object.entries(schema.shape).map(([name, form]) => {
    const { description, expected, example, otherwise, secret } = documentationOf(name, form);
    const shown = secret ? `\`${name}\` *secret*` : `\`${name}\``;
    const byDefault = otherwise ?? defaultOf(form);
    return [shown, `${description} Form: ${expected}.`, byDefault, asCode(example)];
  });
  const all = [['variable', 'meaning', 'default', 'example'], ['---', '---', '---', '---'], ...rows];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function defaultOf(form: z.ZodMiniType): string {
  const { success, data } = z.safeParse(form, undefined);
  if (!success) return '**required**';
  return String(data) === '' ? 'none' : `\`${String(data)}\``;
}

/** Formats an example as code. An example in words has its own marks. */
function asCode(example: string): string {
  return example.includes('`') ? example : `\`${example}\``;
}

/** The forms of values in words, to follow "Expected", by their schemas. */
import * as z from 'zod/mini';

const forms = z.registry<{ readonly form: string }>();

/** Adds the form to a schema. */
export function withForm<S extends z.ZodMiniType>(schema: S, form: string): S {
  forms.add(schema, { form });
  return schema;
}

/** Returns the form of a schema, also inside `optional` and `_default`. Returns undefined if it has none. */
export function formOf(schema: z.ZodMiniType): string | undefined {
  const { innerType } = schema._zod.def as { readonly innerType?: z.ZodMiniType };
  return forms.get(schema)?.form ?? (innerType && formOf(innerType));
}

import type * as z from 'zod/mini';
import type { JsonSchema } from './types.ts';

/** What the document says of a field: a sentence, or a sentence with keywords that zod cannot tell. */
export type FieldText = string | ({ description: string } & JsonSchema);

/** A schema of the contract under a name of the document. */
export interface Component {
  readonly schema: z.ZodMiniType;
  readonly description: string;
  readonly fields: Readonly<Record<string, FieldText>>;
  /** Keywords for what the schema checks by code. */
  readonly keywords: JsonSchema;
}

/** Names a schema that is no record. */
export function value(schema: z.ZodMiniType, description: string, keywords: JsonSchema = {}): Component {
  return { schema, description, fields: {}, keywords };
}

/** Names a record, and says something of each of its fields: the compiler wants all of them. */
export function record<S extends z.core.$ZodLooseShape>(
  schema: z.ZodMiniObject<S>,
  description: string,
  fields: Readonly<Record<keyof S & string, FieldText>>,
): Component {
  return { schema, description, fields, keywords: {} };
}

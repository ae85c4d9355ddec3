/** The policy of a verifier: what its credentials mean. It is a JSON file with a version, which the audit trail names. */
import { readFileSync } from 'node:fs';
import { describeIssue, isStatusCode } from '@service/contract';
import * as z from 'zod/mini';
import { DOCUMENT_TYPES } from '../provider.ts';

const MAX_CREDENTIAL_DAYS = 3 * 366;

const statusField = z.string().check(z.refine(isStatusCode, 'must be a status of GET /api/config'));

/** The content of the policy file. */
export const policyRecord = z.strictObject({
  /** Names this policy in the audit trail. Change it with every change of the file. */
  version: z.string().check(z.regex(/^[\w.-]{1,40}$/, 'must be 1 to 40 letters, digits, dots, _ or -')),
  /** What the region of a credential means. `residence` needs a flow with a proof of address. */
  region: z.enum(['residence', 'nationality', 'document']),
  /** The kinds of documents that are accepted. */
  documents: z.array(z.enum(DOCUMENT_TYPES)).check(z.minLength(1)),
  /** Days until a credential expires. It also expires with the document. */
  credentialDays: z.int().check(z.gte(1), z.lte(MAX_CREDENTIAL_DAYS)),
  /**
   * The status for a tag; the first tag in this file that a person has counts. Everybody else is `retail`, because no identity
   * document proves another status.
   */
  statusOfTag: z._default(z.record(z.string(), statusField), {}),
});
/** A policy. */
export type Policy = z.infer<typeof policyRecord>;

/** Reads a policy file. Returns the policy, or a line for each fault in it. */
export function readPolicy(file: string): { readonly policy?: Policy; readonly faults: readonly string[] } {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'it is not JSON';
    return { faults: [`${file} cannot be read (${why}). Expected a policy as JSON.`] };
  }
  const parsed = z.safeParse(policyRecord, json);
  if (parsed.success) return { policy: parsed.data, faults: [] };
  const faults = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'the content'} in ${file} ${describeIssue(issue)}.`,
  );
  return { faults };
}

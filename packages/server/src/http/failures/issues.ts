import { describeIssue } from '@service/contract';
import type * as z from 'zod/mini';

/** What a schema refused, for the caller: where and what, of the first three. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], where: string): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${[where, ...issue.path.map(String)].join('.')} ${describeIssue(issue)}`)
    .join('; ');
}

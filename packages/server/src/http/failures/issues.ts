import { describeIssue } from '@service/contract';
import type * as z from 'zod/mini';

/** Describes the first three issues of a schema for the caller: the place and the problem. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], where: string): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${[where, ...issue.path.map(String)].join('.')} ${describeIssue(issue)}`)
    .join('; ');
}

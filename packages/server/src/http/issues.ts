import type * as z from 'zod/mini';

/** What a schema refused, for the caller: where and what, of the first three. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], where: string): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${[where, ...issue.path.map(String)].join('.')} ${describe(issue)}`)
    .join('; ');
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`;
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'too_small':
      return `must be ${issue.exact ? 'exactly' : 'at least'} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must be ${issue.exact ? 'exactly' : 'at most'} ${issue.maximum}${unit(issue.origin)}`;
    case 'invalid_union':
      // A union that is told apart by one field names that field's values.
      if ('options' in issue && Array.isArray(issue.options)) return describeChoice(issue.options);
      return issue.errors[0]?.[0] ? describe(issue.errors[0][0]) : 'is not valid';
    case 'invalid_value':
      return describeChoice(issue.values);
    default:
      return issue.message && issue.message !== 'Invalid input' ? issue.message : 'is not valid';
  }
}

function describeChoice(values: readonly unknown[]): string {
  return `must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' items long' : '';
}

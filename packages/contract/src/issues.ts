import type * as z from 'zod/mini';

/** Returns what is wrong with a value, as words that follow the name of its field: `must be a bigint`. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'too_small':
      return bounds(issue, `at least ${issue.minimum}`);
    case 'too_big':
      return bounds(issue, `at most ${issue.maximum}`);
    case 'invalid_union':
      // A discriminated union names the values that its discriminator can have.
      if ('options' in issue && Array.isArray(issue.options)) return describeChoice(issue.options);
      return issue.errors[0]?.[0] ? describeIssue(issue.errors[0][0]) : 'is not valid';
    case 'invalid_value':
      return describeChoice(issue.values);
    default:
      return issue.message && issue.message !== 'Invalid input' ? issue.message : 'is not valid';
  }
}

function describeChoice(values: readonly unknown[]): string {
  return `must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
}

const KINDS: Partial<Record<string, string>> = {
  array: 'an array',
  object: 'an object',
  int: 'a whole number',
};

function bounds({ origin, exact }: { origin: string; exact?: boolean }, bound: string): string {
  const count = exact ? bound.replace(/^at (?:least|most)/, 'exactly') : bound;
  const isOne = count.endsWith(' 1');
  if (origin === 'string') return `must be ${count} ${isOne ? 'character' : 'characters'} long`;
  return origin === 'array' ? `must have ${count} ${isOne ? 'entry' : 'entries'}` : `must be ${count}`;
}

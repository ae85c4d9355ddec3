/** Returns whether an error is PostgreSQL's unique violation of the named constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false;
  return 'constraint' in error && error.constraint === constraint;
}

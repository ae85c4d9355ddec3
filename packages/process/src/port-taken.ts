/**
 * Describes the error of a port that another process uses, with what to do. Returns null for another error.
 *
 * @param remedy second remedy, in words that follow "or"
 */
export function portTaken(error: unknown, remedy: (port: number) => string): string | null {
  const { code, port } = (error ?? {}) as { code?: unknown; port?: unknown };
  if (code !== 'EADDRINUSE') return null;
  return `port ${port} is taken. Stop the process that uses it, or ${remedy(Number(port))}`;
}

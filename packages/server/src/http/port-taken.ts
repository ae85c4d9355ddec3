/**
 * What to do about a port that another process has, as that of a server that still runs; null for another error.
 *
 * @param remedy beside ending what uses the port, as a sentence goes on after "or"
 */
export function portTaken(error: unknown, remedy: (port: number) => string): string | null {
  const { code, port } = (error ?? {}) as { code?: unknown; port?: unknown };
  if (code !== 'EADDRINUSE') return null;
  return `port ${port} is taken. End what uses it, or ${remedy(Number(port))}`;
}

/**
 * Writes a JSON-RPC response. Bigints become JSON numbers with every digit, which JSON.stringify cannot do. Members that
 * are undefined are left out.
 */
export function stringifyJson(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'string':
    case 'boolean':
    case 'number':
      return JSON.stringify(value);
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`;
      const members = Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}:${stringifyJson(member)}`);
      return `{${members.join(',')}}`;
    }
    default:
      throw new TypeError(`A ${typeof value} cannot be written as JSON.`);
  }
}

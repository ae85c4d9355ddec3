/** What the person asked for, before the service answered. */
export interface Asked {
  /** The name of the mutation, which is the last part of its key in `@service/sdk/query`. */
  readonly kind: string;
  /** The request, to name the accounts of a transaction. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** Writes amounts and addresses as the form wrote them. */
export interface Terms {
  /** Writes base units as tokens. */
  readonly tokens: (units: bigint) => string;
  /** Names the owner of a token account, a person, or any other address. */
  readonly name: (address: string) => string;
}

interface Call {
  readonly mutationKey?: readonly unknown[] | undefined;
  readonly variables?: unknown;
}

type Describe = (request: Asked['request'], terms: Terms) => string;
const moves =
  (verb: string): Describe =>
  ({ amount, destination }, { tokens, name }) =>
    `${verb} ${tokens(amount as bigint)} to ${name(String(destination))}.`;

const WORDS: Readonly<Record<string, Describe>> = {
  authenticate: () => 'Sign in at this site, on this cluster.',
  CREATE_RULE_SET: ({ name }) => `Create the rule set “${name}”.`,
  BIND_MINT: ({ mint, rule }, { name }) =>
    `Bind the token ${name(String(mint))} to the rule set ${name(String(rule))}.`,
  PROVE: ({ rule }, { name }) => `Prove the rule set ${name(String(rule))}.`,
  ISSUE: moves('Issue'),
  TRANSFER: moves('Transfer'),
};

export function readAsked({ mutationKey, variables }: Call): Asked {
  const request = (typeof variables === 'object' && variables ? variables : {}) as Asked['request'];
  return { kind: String(mutationKey?.at(-1)), request };
}

export function describeAsked({ kind, request }: Asked, terms: Terms): string {
  return WORDS[kind]?.(request, terms) ?? 'Read the state of the service.';
}

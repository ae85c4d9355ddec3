import { nameOrShortAddress } from '../site/address.tsx';

/** What the person asked for, before the service answered. */
export interface Asked {
  readonly words: string;
  /** The request, to name the accounts of a transaction. */
  readonly request: Readonly<Record<string, unknown>>;
}

interface Call {
  readonly mutationKey?: readonly unknown[] | undefined;
  readonly variables?: unknown;
}

const short = (address: unknown) => nameOrShortAddress(String(address));
const count = (amount: unknown) => (amount as bigint).toLocaleString('en');

/** The name of a mutation of `@service/sdk/query` is the last part of its key. */
const WORDS: Readonly<Record<string, (request: Readonly<Record<string, unknown>>) => string>> = {
  authenticate: () => 'Sign in at this site, on this cluster.',
  CREATE_RULE_SET: ({ name }) => `Create the rule set “${name}”.`,
  BIND_MINT: ({ mint, rule }) => `Bind the mint ${short(mint)} to the rule set ${short(rule)}.`,
  PROVE: ({ rule }) => `Prove the rule set ${short(rule)}.`,
  ISSUE: ({ amount, destination }) => `Issue ${count(amount)} base units to ${short(destination)}.`,
  TRANSFER: ({ amount, destination }) => `Transfer ${count(amount)} base units to ${short(destination)}.`,
};

export function describeAsked({ mutationKey, variables }: Call): Asked {
  const request = (typeof variables === 'object' && variables ? variables : {}) as Asked['request'];
  const words = WORDS[String(mutationKey?.at(-1))]?.(request) ?? 'Read the state of the service.';
  return { words, request };
}

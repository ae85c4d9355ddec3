/** The story that plays by itself: who is in it, what it shows, and where it is. */
import type { Clause, Credential, ServiceError, Witness } from '@service/sdk';
import type { FetchedPass } from '@service/sdk/chain';
import type { ReasonWords } from '../checks/reason-words.ts';
import type { Refusal } from '../lies/refusals.ts';

export type Role = 'issuer' | 'alice' | 'bob';

/** What the columns show of a person. */
export interface PersonState {
  /** What the person has, in few words, the newest last. */
  readonly has: readonly string[];
  /** Tokens in the wallet, in base units; null without a token account. */
  readonly tokens: bigint | null;
}

/** What the story shows at a chapter. */
export type Scene =
  | { readonly kind: 'rules'; readonly clauses: readonly Clause[] }
  | {
      readonly kind: 'knowledge';
      readonly name: string;
      readonly witness: Witness;
      readonly credential: Credential;
      /** Null while the proof is made. */
      readonly pass: FetchedPass | null;
    }
  /** The page says beforehand why the chain would reject. */
  | { readonly kind: 'check'; readonly reasons: readonly ReasonWords[] }
  /** The chain rejected what was sent anyway. */
  | { readonly kind: 'chain'; readonly error: ServiceError }
  /** The client refused what the service prepared. */
  | { readonly kind: 'refusal'; readonly refusal: Refusal }
  | { readonly kind: 'transfer'; readonly text: string };

/** Where the story is. */
export interface Story {
  readonly mode: 'ready' | 'playing' | 'waiting' | 'done' | 'failed';
  /** Whether it waits after the chapter under way. */
  readonly pausing: boolean;
  /** Index of the chapter under way, or of the last one. */
  readonly chapter: number;
  readonly scene: Scene | null;
  readonly people: Readonly<Record<Role, PersonState>>;
  /** How far a proof is, from 0 to 1; null at other times. */
  readonly proof: number | null;
  /** How many requests the wallets approved by themselves. */
  readonly approvals: number;
  readonly error: Error | null;
}

const NOBODY_YET: PersonState = { has: [], tokens: null };

export const BEGINNING: Story = {
  mode: 'ready',
  pausing: false,
  chapter: 0,
  scene: null,
  people: { issuer: NOBODY_YET, alice: NOBODY_YET, bob: NOBODY_YET },
  proof: null,
  approvals: 0,
  error: null,
};

/** Returns the story after a person has more. */
export function withMore(story: Story, role: Role, more: { has?: string; tokens?: bigint }): Story {
  const before = story.people[role];
  const after = {
    has: more.has ? [...before.has, more.has] : before.has,
    tokens: more.tokens ?? before.tokens,
  };
  return { ...story, people: { ...story.people, [role]: after } };
}

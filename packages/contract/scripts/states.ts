/** Draws the state diagrams of docs/operations.md from the contract's tables of transitions. */
import { OPERATION_TRANSITIONS } from '../src/operation.ts';
import { REVOCATION_TRANSITIONS, VERIFICATION_TRANSITIONS } from '../src/verification.ts';

type Table = Readonly<Record<string, readonly string[]>>;
type TransitionOf<T extends Table> = { [F in keyof T & string]: `${F} > ${T[F][number]}` }[keyof T & string];

/** A table of transitions with the cause of each one. A transition without a cause does not compile. */
interface Drawn<T extends Table> {
  readonly table: T;
  readonly begins: string;
  readonly causes: Readonly<Record<TransitionOf<T>, string>>;
}

const OPERATION: Drawn<typeof OPERATION_TRANSITIONS> = {
  table: OPERATION_TRANSITIONS,
  begins: 'prepared',
  causes: {
    'DRAFT > EXPIRED': '90 seconds pass, or the blockhash expires',
    'DRAFT > QUEUED': 'signed bytes submitted',
    'QUEUED > SUBMITTED': 'a node accepted the broadcast',
    'SUBMITTED > FINALIZED': 'succeeded at finality',
    'SUBMITTED > FAILED': 'failed at finality, or proven never to have landed',
    'SUBMITTED > UNRESOLVED': 'no RPC can establish the outcome',
    'UNRESOLVED > FINALIZED': 'succeeded at finality',
    'UNRESOLVED > FAILED': 'failed at finality, or proven never to have landed',
  },
};
const VERIFICATION: Drawn<typeof VERIFICATION_TRANSITIONS> = {
  table: VERIFICATION_TRANSITIONS,
  begins: 'opened at the verifier',
  causes: {
    'STARTED > ISSUING': 'the verifier reports a signed credential',
    'STARTED > FAILED': 'the verifier did not verify the person',
    'ISSUING > ISSUED': 'the credential is final on chain',
    'ISSUING > FAILED': 'rejected, replaced by a newer credential, revoked, expired or too old',
  },
};
const REVOCATION: Drawn<typeof REVOCATION_TRANSITIONS> = {
  table: REVOCATION_TRANSITIONS,
  begins: 'the verifier reports it',
  causes: {
    'REVOKING > WATCHING': 'nothing is left to revoke, or the verifier is inactive',
    'REVOKING > SETTLED': 'final on chain, or replaced by a newer credential',
    'WATCHING > REVOKING': 'the wallet’s credential changed, or a later revocation arrived',
    'SETTLED > REVOKING': 'a later revocation arrived',
  },
};
const DIAGRAMS = { operation: OPERATION, verification: VERIFICATION, revocation: REVOCATION };

const END = '<!-- end -->';

/** Returns the page with current diagrams. Throws Error if the page has no place for one. */
export function withDiagrams(page: string): string {
  return Object.entries(DIAGRAMS).reduce((drawn, [name, states]) => {
    const mark = `<!-- ${name}: drawn by npm run generate -->`;
    const begin = drawn.indexOf(mark);
    const end = drawn.indexOf(END, begin);
    if (begin < 0 || end < begin)
      throw new Error(`docs/operations.md has no "${mark}" followed by "${END}". Restore both comments.`);
    return `${drawn.slice(0, begin + mark.length)}\n${diagram(states)}\n${drawn.slice(end)}`;
  }, page);
}

function diagram({ table, begins, causes }: Drawn<Table>): string {
  const states = Object.entries(table);
  return [
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${states[0]![0]}: ${begins}`,
    ...states.flatMap(([from, tos]) => tos.map((to) => `  ${from} --> ${to}: ${causes[`${from} > ${to}`]}`)),
    ...states.flatMap(([from, tos]) => (tos.length === 0 ? `  ${from} --> [*]` : [])),
    '```',
  ].join('\n');
}

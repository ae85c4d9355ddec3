/** The diagram of docs/operations.md, drawn from the table of transitions. */
import { OPERATION_TRANSITIONS, type OperationState } from '../src/operation.ts';

type Transitions = typeof OPERATION_TRANSITIONS;
type Transition = { [F in OperationState]: `${F} > ${Transitions[F][number]}` }[OperationState];

/** What brings each transition about; one that is missing here does not compile. */
const CAUSES: Record<Transition, string> = {
  'DRAFT > EXPIRED': '90 seconds or the blockhash run out',
  'DRAFT > QUEUED': 'signed bytes submitted',
  'QUEUED > SUBMITTED': 'a node took the broadcast',
  'SUBMITTED > FINALIZED': 'succeeded at finality',
  'SUBMITTED > FAILED': 'failed at finality, or proven never to have landed',
  'SUBMITTED > UNRESOLVED': 'no RPC can tell the outcome',
  'UNRESOLVED > FINALIZED': 'succeeded at finality',
  'UNRESOLVED > FAILED': 'failed at finality, or proven never to have landed',
};

const BEGIN = '<!-- drawn by npm run docs:states -->';
const END = '<!-- end -->';

/** The page with its diagram drawn anew. @throws Error when the page has no place for it */
export function withDiagram(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no ${BEGIN} with ${END} after it`);
  return `${page.slice(0, begin + BEGIN.length)}\n${diagram()}\n${page.slice(end)}`;
}

function diagram(): string {
  const steps = Object.entries(OPERATION_TRANSITIONS).flatMap(([from, tos]) =>
    tos.map((to) => [from, to, CAUSES[`${from} > ${to}` as Transition]] as const),
  );
  const states = Object.keys(OPERATION_TRANSITIONS);
  const first = states.filter((state) => steps.every(([, to]) => to !== state));
  const last = states.filter((state) => steps.every(([from]) => from !== state));
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...first.map((state) => `  [*] --> ${state}: prepared`),
    ...steps.map(([from, to, cause]) => `  ${from} --> ${to}: ${cause}`),
    ...last.map((state) => `  ${state} --> [*]`),
    '```',
  ].join('\n');
}

/** Judges the answers that did not have the usual status: each must have a cause in the load or in a fault. */
import type { Finding } from './finding.ts';

/** Answers with a cause, as `noteAnswer` writes them. */
const EXPECTED: readonly RegExp[] = [
  // A fault lasted longer than the draft.
  /^\/api\/[\w/-]+ 200 EXPIRED$/,
  /^\/api\/transactions\/submit 409 DRAFT_EXPIRED$/,
  // A draft of the same wallet was signed before, and no answer said so.
  /^\/api\/[\w/-]+ 409 SIGNED_OPERATION_PENDING$/,
  // The response to the first answer was lost, and a challenge has one answer.
  /^sign-in 401 AUTHENTICATION_REQUIRED$/,
  // The credential is not in the index yet.
  /^\/api\/proofs 409 CREDENTIAL_REQUIRED$/,
];

/** Judges the unusual answers, which are counted by their route, status and code. */
export function judgeAnswers(answers: ReadonlyMap<string, number>): Finding[] {
  return [...answers]
    .filter(([answer]) => !EXPECTED.some((pattern) => pattern.test(answer)))
    .map(([answer, count]) => ({ fault: 'unexpected answers', what: `${count} times ${answer}`, count }));
}

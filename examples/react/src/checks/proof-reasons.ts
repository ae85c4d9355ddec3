import type { ProofCheckReason } from '@service/sdk';
import { formatSol } from '../chain/amounts.ts';
import type { ReasonWords } from './transfer-reasons.ts';

const WHO: Readonly<Record<ProofCheckReason['who'], string>> = {
  holder: 'You',
  issuer: 'The issuer',
  operator: 'The operator',
  verifier: 'A verifier',
};

export function wordsOfProofReason(reason: ProofCheckReason): ReasonWords {
  return { who: WHO[reason.who], text: textOf(reason) };
}

const REQUIREMENTS = { region: 'your region', status: 'your status', age: 'your age' } as const;
const listed = new Intl.ListFormat('en', { type: 'conjunction' });
const day = (seconds: bigint) => new Date(Number(seconds) * 1000).toLocaleString();

function textOf(reason: ProofCheckReason): string {
  switch (reason.code) {
    case 'PROTOCOL_PAUSED':
      return 'The protocol is paused. Wait until the operator ends the pause.';
    case 'NOT_FOUND':
      return 'The rule set does not exist on this cluster.';
    case 'CREDENTIAL_REQUIRED':
      return reason.revoked
        ? 'Your verifier revoked your credential. Get verified again.'
        : 'You have no credential yet. Get verified first.';
    case 'CREDENTIAL_EXPIRED':
      return `Your credential expired at ${day(reason.expiresAt)}. Get verified again.`;
    case 'VERIFIER_INACTIVE':
      return 'The verifier of your credential is no longer active. Get verified by another one.';
    case 'CIRCUIT_RETIRED':
    case 'CIRCUIT_MISMATCH':
      return 'This page has an old circuit. The operator must publish the new deployment.';
    case 'PASS_FEE_UNSET':
      return 'The pass fee is not set. The operator must set it first.';
    case 'PASS_FEE_UNFUNDED':
      return `The pass funds lack ${formatSol(reason.missingLamports)}. Any wallet can fund the rule set.`;
    case 'PASS_RENEWAL_TOO_EARLY':
      return `You can renew your pass from ${day(reason.renewableAt)}.`;
    case 'PASS_EXPIRY_INVALID':
      return 'The pass cannot be valid for that long. Choose an earlier expiry.';
    case 'WITNESS_INVALID':
      return 'Your private data belongs to an earlier verification. Get verified again.';
    case 'INSUFFICIENT_FUNDS':
      return `Your wallet needs ${formatSol(reason.needed - reason.balance)} more for fees and rent.`;
    case 'NOT_ELIGIBLE':
      return reason.clauses
        .map(({ clause, unmet }) => {
          const what = listed.format(unmet.map((part) => REQUIREMENTS[part]));
          return `Clause ${clause + 1} does not allow ${what}.`;
        })
        .join(' ');
  }
}

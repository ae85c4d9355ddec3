import type { ProofCheckReason } from '@service/sdk';
import { formatSol } from '../chain/amounts.ts';
import { dateOf, PAUSED, type ReasonWords } from './reason-words.ts';

const WHO: Readonly<Record<ProofCheckReason['who'], string>> = {
  holder: 'You',
  issuer: 'The issuer',
  operator: 'The operator',
  verifier: 'A verifier',
};

export function wordsOfProofReason(reason: ProofCheckReason): ReasonWords {
  return { who: WHO[reason.who], text: textOf(reason) };
}

const CHOOSE = 'Choose under “Rule sets” which wallet this one replaces.';

/** Says why an ended pass cannot be renewed. The wallet held a place, so another wallet took it if none is free. */
export function wordsOfEndedPassReason(reason: ProofCheckReason): ReasonWords {
  if (reason.code !== 'NO_PLACE_FREE') return wordsOfProofReason(reason);
  return { who: WHO.holder, text: `Another wallet of yours took the place of this one. ${CHOOSE}` };
}

const REQUIREMENTS = { region: 'your region', status: 'your status', age: 'your age' } as const;
const listed = new Intl.ListFormat('en', { type: 'conjunction' });

function textOf(reason: ProofCheckReason): string {
  switch (reason.code) {
    case 'PROTOCOL_PAUSED':
      return PAUSED;
    case 'NOT_FOUND':
      return 'The rule set does not exist on this cluster.';
    case 'CREDENTIAL_REQUIRED':
      return reason.revoked
        ? 'Your verifier revoked your credential. Get verified again.'
        : 'You have no credential yet. Get verified first.';
    case 'CREDENTIAL_EXPIRED':
      return `Your credential expired on ${dateOf(reason.expiresAt)}. Get verified again.`;
    case 'VERIFIER_INACTIVE':
      return 'The verifier of your credential is no longer active. Get verified by another one.';
    case 'VERIFIER_NOT_ACCEPTED':
      return 'This rule set accepts only credentials of another verifier. Get verified there.';
    case 'CIRCUIT_RETIRED':
    case 'CIRCUIT_MISMATCH':
      return 'This page has an old circuit. The operator must publish the new deployment.';
    case 'PASS_FEE_UNSET':
      return 'The pass fee is not set. Governance must set it first.';
    case 'PASS_FEE_ABOVE_LIMIT':
      return `The rule set pays a pass fee of at most ${formatSol(reason.maxPassFee)}. Its creator can agree to more.`;
    case 'PASS_FEE_UNFUNDED':
      return `The pass funds lack ${formatSol(reason.missingLamports)}. Any wallet can fund the rule set.`;
    case 'PASS_SUSPENDED':
      return 'The creator of the rule set suspended your pass. Ask the creator.';
    case 'PASS_RENEWAL_TOO_EARLY':
      return `You can renew your pass from ${dateOf(reason.renewableAt)}.`;
    case 'PASS_EXPIRY_INVALID':
      return 'The pass cannot be valid for that long. Choose an earlier expiry.';
    case 'WITNESS_INVALID':
      return 'Your witness belongs to an earlier verification. Get verified again.';
    case 'NO_PLACE_FREE':
      return `Other wallets of yours hold all places here. ${CHOOSE}`;
    case 'PLACE_NOT_IN_RULE_SET':
      return 'This rule set does not limit your wallets, so none has to be replaced.';
    case 'PLACE_NOT_HELD':
      return 'The wallet to replace does not count here. Choose another one.';
    case 'PLACE_TAKEN_TOO_SOON':
      return 'The wallet to replace proved this less than an hour ago. Try again later.';
    case 'PLACE_HELD_BY_SUSPENDED':
      return 'The creator of the rule set suspended the wallet to replace. Ask the creator.';
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

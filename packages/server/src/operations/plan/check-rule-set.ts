import {
  type ChainReader,
  type CreateRuleSetIntent,
  MAX_PASS_AGE_LIMIT_SECONDS,
  MIN_PASS_AGE_SECONDS,
  readAccount,
} from '@service/protocol';
import { LIMITED_CLAUSE_SLOTS } from '@service/protocol/eligibility';
import type { Address } from '@solana/kit';
import { invalidRequest } from '../../http/failures/fault.ts';

/** Checks a new rule set as the program will. @throws ServiceFault INVALID_REQUEST */
export async function checkRuleSet(
  reader: ChainReader,
  intent: CreateRuleSetIntent,
  rule: Address,
): Promise<void> {
  const { maxPassAgeSeconds } = intent;
  if (maxPassAgeSeconds < MIN_PASS_AGE_SECONDS || maxPassAgeSeconds > MAX_PASS_AGE_LIMIT_SECONDS) {
    throw invalidRequest(
      `maxPassAgeSeconds must be from ${MIN_PASS_AGE_SECONDS} to ${MAX_PASS_AGE_LIMIT_SECONDS}.`,
    );
  }
  if (intent.walletsPerPerson && (!intent.verifier || intent.clauses.length > LIMITED_CLAUSE_SLOTS)) {
    throw invalidRequest(
      `body.walletsPerPerson needs body.verifier and at most ${LIMITED_CLAUSE_SLOTS} clauses.`,
    );
  }
  if (intent.verifier && !(await readAccount(reader, 'verifier', intent.verifier))) {
    throw invalidRequest('body.verifier must be the address of a Verifier account.');
  }
  if (await readAccount(reader, 'ruleSet', rule)) {
    throw invalidRequest('The wallet already has a rule set with this nonce. Use another nonce.');
  }
}

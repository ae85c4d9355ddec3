import { type CreateRuleSetRequest, REGION_GROUPS } from '@service/sdk';

export type EditedClause = CreateRuleSetRequest['clauses'][number];

/** What the editor starts with. */
export const FIRST_CLAUSE: EditedClause = {
  regions: REGION_GROUPS.EU,
  statuses: ['professional', 'institutional'],
  minAge: 18,
};

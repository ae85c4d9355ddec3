import { expect, test } from 'vitest';
import { createJournal } from '../load/journal.ts';
import { type CampaignResult, isClean, reportOf } from './report.ts';

const result: CampaignResult = {
  seed: 1,
  faults: new Map([['process killed', 2]]),
  judgement: { acknowledged: 3, final: 3, findings: [] },
  exits: [{ replica: 'server-1', code: 1, hadListened: false }],
  back: [{ replica: 'server-1', faults: ['process killed'], seconds: 40 }],
  journal: createJournal(),
  folder: '/details',
};
const lastLine = (changes: Partial<CampaignResult> = {}) => reportOf({ ...result, ...changes }).at(-1);
const ZEROES =
  '3 acknowledged, 0 lost, 0 doubled, 0 stuck, 0 wrong, 0 worse, 0 events lost, 0 events doubled, 0 events out of order, 0 unexpected answers, 0 slow returns, 0 exits; back after at most 40.0 s of 40';

test('a campaign that found nothing is clean, although a start failed while a dependency was down', () => {
  expect(lastLine()).toBe(ZEROES);
  expect(isClean(result)).toBe(true);
});

test.each<[string, Partial<CampaignResult>, string]>([
  [
    'a server that is back too late',
    { back: [{ replica: 'server-1', faults: ['all faults'], seconds: 41 }] },
    '1 slow returns, 0 exits; back after at most 41.0 s of 40',
  ],
  [
    'an end of a server that had listened',
    { exits: [{ replica: 'server-1', code: 1, hadListened: true }] },
    '1 exits',
  ],
  [
    'answers without a cause',
    {
      judgement: {
        ...result.judgement,
        findings: [{ fault: 'unexpected answers', what: 'INTERNAL', count: 229 }],
      },
    },
    '229 unexpected answers',
  ],
])('%s fails the campaign', (_what, changes, count) => {
  expect(lastLine(changes)).toContain(count);
  expect(isClean({ ...result, ...changes })).toBe(false);
});

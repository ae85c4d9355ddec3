import { expect, it } from 'vitest';
import { EXPLAINED_FINDINGS, findingsOf, unexplained } from '../scripts/circomspect-findings.ts';
import { readSources } from '../scripts/compile.ts';

it('each explained finding is about a statement of the circuit', async () => {
  const sources = await readSources();
  for (const { file, statement } of EXPLAINED_FINDINGS) {
    expect(sources[file]?.split('\n').map((line) => line.trim())).toContain(statement);
  }
});

it('a finding without an explanation is reported, and an explanation without a finding', async () => {
  const sources = await readSources();
  const physicalLocation = {
    artifactLocation: { uri: 'file:///circuits/one-hot.circom' },
    region: { startLine: 1 },
  };
  const report = { runs: [{ results: [{ ruleId: 'CS0005', locations: [{ physicalLocation }] }] }] };
  const found = findingsOf(report, sources);
  const lines = unexplained([...EXPLAINED_FINDINGS.slice(1), ...found], EXPLAINED_FINDINGS);
  expect(lines).toEqual([
    'new: CS0005 one-hot.circom: pragma circom 2.1.6;',
    'gone: CS0008 mask-member.circom: var member = 0;',
  ]);
  expect(unexplained(EXPLAINED_FINDINGS, EXPLAINED_FINDINGS)).toEqual([]);
});

it('an explanation is about one finding: the same one in another statement with the same text is reported', () => {
  const [first] = EXPLAINED_FINDINGS;
  expect(unexplained([...EXPLAINED_FINDINGS, first!], EXPLAINED_FINDINGS)).toEqual([
    'new: CS0008 mask-member.circom: var member = 0;',
  ]);
});

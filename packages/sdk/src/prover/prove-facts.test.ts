import { FIELD_ORDER } from '@service/protocol/eligibility';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { artifactBytes, artifacts, attributes, facts } from '../../test/support/prover/eligible.ts';
import { serviceError } from '../../test/support/service-error.ts';
import { preloadProver } from '../eligibility/prover-lifetime.ts';
import { artifactsFrom } from './artifact-source/artifacts-from.ts';
import type { ProofProgress } from './progress.ts';
import { proveFacts } from './prove-facts.ts';
import { disposeProver } from './worker/proving-queue.ts';

const { digest } = artifacts;
const source = artifactsFrom({ digest, bytes: artifactBytes });
const untouched = { digest, load: vi.fn() };

afterAll(disposeProver);

describe('proveFacts', () => {
  it('proves from pinned artifacts and reports each phase', async () => {
    await disposeProver();
    const reports: ProofProgress[] = [];
    const onProgress = (report: ProofProgress) => reports.push(report);
    expect(await proveFacts(facts, attributes, source, { onProgress })).toHaveLength(256);
    const order = ['artifacts', 'prover', 'witness', 'proof', 'verification'];
    const places = reports.map(({ phase, fraction }) => order.indexOf(phase) + fraction / 2);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const last = new Map(reports.map(({ phase, fraction }) => [phase, fraction]));
    expect([...last]).toEqual(order.map((phase) => [phase, 1]));
  });

  it('loads and starts nothing more after preloadProver', async () => {
    await disposeProver();
    const load = vi.fn(source.load);
    await preloadProver({ ...source, load });
    const fractions: number[] = [];
    const onProgress = ({ phase, fraction }: ProofProgress) => {
      if (phase === 'artifacts') fractions.push(fraction);
    };
    expect(await proveFacts(facts, attributes, source, { onProgress })).toHaveLength(256);
    expect(load).toHaveBeenCalledOnce();
    expect(fractions).toEqual([0, 1]);
  });

  it('rejects with the error of a listener, and still makes the next proof', async () => {
    const bug = new Error('a bug of the page');
    for (const at of ['artifacts', 'witness', 'proof', 'verification']) {
      const onProgress = ({ phase }: ProofProgress) => {
        if (phase === at) throw bug;
      };
      await expect(proveFacts(facts, attributes, source, { onProgress })).rejects.toBe(bug);
    }
    expect(await proveFacts(facts, attributes, source)).toHaveLength(256);
  });

  it('rejects with the error of a listener also if signals have no reason, as in React Native', async () => {
    const reason = vi.spyOn(AbortSignal.prototype, 'reason', 'get').mockReturnValue(undefined);
    const bug = new Error('a bug of the page');
    const onProgress = () => {
      throw bug;
    };
    try {
      await expect(proveFacts(facts, attributes, source, { onProgress })).rejects.toBe(bug);
    } finally {
      reason.mockRestore();
    }
  });

  it('ends with an abort while a source of the caller never answers', async () => {
    const controller = new AbortController();
    const load = vi.fn(() => new Promise<never>(() => {}));
    const { signal } = controller;
    const proving = proveFacts(facts, attributes, { digest, load }, { signal });
    await vi.waitFor(() => expect(load).toHaveBeenCalled());
    controller.abort();
    await expect(proving).rejects.toThrow(serviceError('ABORTED'));
  });

  it.each([
    ['another salt', { salt: attributes.salt + 1n }],
    ['another person', { person: attributes.person + 1n }],
    ['another region', { region: 41 }],
    ['an earlier birth date', { birthDate: attributes.birthDate - 512 }],
  ])('rejects a witness with %s before it loads anything', async (_, change) => {
    const proving = proveFacts(facts, { ...attributes, ...change }, untouched);
    await expect(proving).rejects.toThrow(serviceError('WITNESS_INVALID'));
    expect(untouched.load).not.toHaveBeenCalled();
  });

  it('rejects a witness out of range without quoting it', async () => {
    const salt = FIELD_ORDER + 77n;
    const error = await proveFacts(facts, { ...attributes, salt }, untouched).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'ServiceError', code: 'WITNESS_INVALID' });
    expect(`${error.message}${JSON.stringify(error.context)}`).not.toContain(String(salt));
  });

  it('rejects clauses that do not have the rule hash', async () => {
    const proving = proveFacts({ ...facts, clauses: facts.clauses.slice(1) }, attributes, untouched);
    const mismatch = serviceError('RECORD_MISMATCH', { context: { fields: ['ruleHash'] } });
    await expect(proving).rejects.toThrow(mismatch);
  });

  it('returns the unmet requirements of each clause only in the context, not in the message or on the console', async () => {
    const printed = (['log', 'info', 'warn', 'error', 'debug'] as const).map((method) =>
      vi.spyOn(console, method),
    );
    const minor = { ...facts, asOf: facts.asOf - 20 * 512 };
    const error = await proveFacts(minor, attributes, untouched).catch((thrown) => thrown);
    const clauses = ['region', 'age'].map((requirement, clause) => ({ clause, unmet: [requirement] }));
    expect(error).toMatchObject({ code: 'NOT_ELIGIBLE', context: { clauses } });
    expect(`${error.message}${error.stack}`).not.toMatch(/region|status|age\b/);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    expect(untouched.load).not.toHaveBeenCalled();
  });

  it('rejects a context out of range', async () => {
    const proving = proveFacts({ ...facts, expiresAt: -1n }, attributes, untouched);
    await expect(proving).rejects.toThrow(serviceError('INVALID_ARGUMENT'));
  });
});

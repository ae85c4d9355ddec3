/** Runs in a page of a browser: proves under the page's policy and reports the result to the server. */
import { checkPlatform } from '../../../src/platform/check-platform.ts';
import { artifactsFrom } from '../../../src/prover/artifact-source/artifacts-from.ts';
import type { ProofProgress } from '../../../src/prover/progress.ts';
import { proveFacts } from '../../../src/prover/prove-facts.ts';
import { disposeProver } from '../../../src/prover/worker/proving-queue.ts';

interface Wanted {
  readonly digest: string;
  readonly facts: Record<'rule' | 'wallet', string>;
  readonly attributes: Parameters<typeof proveFacts>[1];
}

/** The report of a page. */
export interface PageReport {
  /** Bytes of the proof, or the error's code and message. */
  readonly length?: number;
  readonly code?: string;
  readonly message?: string;
  /** True if the page's thread made the proof. */
  readonly here: boolean;
  /** How often the page's thread was free while the proof was made. */
  readonly turns: number;
  /** Messages on the console and in the page's error handlers. */
  readonly printed: readonly string[];
  /** What checkPlatform names. */
  readonly missing: readonly string[];
  /** What the policy blocked. */
  readonly blocked: readonly string[];
}

const printed: string[] = [];
for (const method of ['log', 'warn', 'error'] as const) {
  console[method] = (...words: unknown[]) => void printed.push(words.join(' '));
}
addEventListener('error', ({ message }) => void printed.push(message));
addEventListener('unhandledrejection', ({ reason }) => void printed.push(String(reason)));
const blocked: string[] = [];
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  blocked.push(`${effectiveDirective} ${blockedURI.split('/').at(-1)}`);
});

let turns = 0;
let watch: ReturnType<typeof setInterval> | undefined;

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

async function prove(): Promise<Pick<PageReport, 'length' | 'code' | 'message' | 'here'>> {
  const wanted = JSON.parse(await (await fetch('/wanted')).text(), (_, value) =>
    typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as Wanted;
  const facts = { ...wanted.facts, rule: bytes(wanted.facts.rule), wallet: bytes(wanted.facts.wallet) };
  const source = artifactsFrom({ digest: wanted.digest, url: new URL('/artifacts', location.href) });
  let here = false;
  const onProgress = ({ phase }: ProofProgress) => {
    if (phase === 'proof') watch ??= setInterval(() => turns++, 1);
    if (phase === 'verification') clearInterval(watch);
    // Workers load their own files, which are not among the page's.
    here ||= performance.getEntriesByType('resource').some(({ name }) => name.includes('make-proof'));
  };
  try {
    const proof = await proveFacts(facts as never, wanted.attributes, source, { onProgress });
    return { length: proof.length, here };
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message, here };
  } finally {
    await disposeProver();
  }
}

const outcome = await prove();
const missing = checkPlatform().map(({ feature }) => feature);
const report: PageReport = { ...outcome, turns, missing, printed, blocked };
await fetch('/report', { method: 'POST', body: JSON.stringify(report) });

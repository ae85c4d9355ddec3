import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { isInstalled } from '../browser/support/engines/executables.ts';

/** A test that may be skipped. */
interface AllowedSkip {
  readonly file: string;
  /** Full name of the test, or of a group that holds it. */
  readonly name: string;
  readonly reason: string;
  /** Whether this run may skip it. */
  isAllowed(): boolean;
}

const withoutChromium = () => !isInstalled('Chromium');
const withoutPython = () => !existsSync(process.env.PYTHON ?? '/usr/bin/python3');
const onPglite = () => !process.env.TEST_DATABASE_URL;

/** Every test that a run may skip, with the reason. */
export const ALLOWED_SKIPS: readonly AllowedSkip[] = [
  {
    file: 'test/deploy/ceremony.slow.test.ts',
    name: 'a ceremony with the real powers of tau',
    reason: 'Needs powersOfTau28_hez_final_11.ptau, which is not committed. POWERS_OF_TAU names the file.',
    isAllowed: () => !process.env.POWERS_OF_TAU,
  },
  {
    file: 'packages/server/src/http/postgres-outage.slow.test.ts',
    name: 'while PostgreSQL is stopped',
    reason: 'PGlite cannot be stopped and started. npm run test:postgres runs this test.',
    isAllowed: onPglite,
  },
  {
    file: 'packages/server/src/database/connections.test.ts',
    name: 'a connection to PostgreSQL',
    reason: 'PGlite has no connections. npm run test:postgres runs this test.',
    isAllowed: onPglite,
  },
  {
    file: 'packages/server/src/metrics/metrics.test.ts',
    name: 'shows the connections to PostgreSQL, without those of the scrape',
    reason: 'PGlite has no connections. npm run test:postgres runs this test.',
    isAllowed: onPglite,
  },
  {
    file: 'packages/server/src/events/order.test.ts',
    name: 'with transactions that overlap',
    reason: 'Needs two connections, which PGlite does not have. npm run test:postgres runs this test.',
    isAllowed: onPglite,
  },
  {
    file: 'packages/server/src/http/rate-limits.test.ts',
    name: 'a rejected visitor causes no query in PostgreSQL',
    reason: 'Counts the queries of PostgreSQL. npm run test:postgres runs this test.',
    isAllowed: onPglite,
  },
  {
    file: 'packages/server/src/http/rate-limits.test.ts',
    name: 'a rejected IPv6 /48 causes no query from a new /64',
    reason: 'Counts the queries of PostgreSQL. npm run test:postgres runs this test.',
    isAllowed: onPglite,
  },
  {
    file: 'packages/server/src/operations/races.test.ts',
    name: 'submissions > of the same bytes',
    reason: 'Needs two connections, which PGlite does not have. npm run test:postgres runs this test.',
    isAllowed: onPglite,
  },
  {
    file: 'packages/server/src/openapi/conformance.test.ts',
    name: 'records the examples',
    reason: 'Writes a generated file. npm run generate -- examples runs this test.',
    isAllowed: () => process.env.OPENAPI_EXAMPLES !== 'write',
  },
  {
    file: 'packages/server/src/openapi/conformance.test.ts',
    name: 'a running service',
    reason: 'npm run generate -- examples runs the recording alone.',
    isAllowed: () => process.env.OPENAPI_EXAMPLES === 'write',
  },
  {
    file: 'packages/server/test/crash/every-call.slow.test.ts',
    name: 'a crash right after a call',
    reason:
      'PostgreSQL shows nothing more. npm test runs it on PGlite, and the campaigns crash replicas on PostgreSQL.',
    isAllowed: () => !onPglite(),
  },
  {
    file: 'packages/sdk/src/prover/worker/browser.slow.test.ts',
    name: 'in a page',
    reason: 'Needs Chromium. .ci/install-browser installs it.',
    isAllowed: withoutChromium,
  },
  {
    file: 'packages/server/src/openapi/page.slow.test.ts',
    name: 'the page of the API in a browser',
    reason: 'Needs Chromium. .ci/install-browser installs it.',
    isAllowed: withoutChromium,
  },
  {
    file: 'packages/server/src/openapi/engines.slow.test.ts',
    name: 'Python',
    reason: 'Needs Python 3. .ci/install-python installs it.',
    isAllowed: withoutPython,
  },
  {
    file: 'test/docs/built-site.slow.test.ts',
    name: 'in a browser',
    reason: 'Needs Chromium. .ci/install-browser installs it.',
    isAllowed: withoutChromium,
  },
  {
    file: 'test/browser/journey.test.ts',
    name: 'the demo in Chromium',
    reason: 'Needs Chromium. .ci/install-browser installs it.',
    isAllowed: withoutChromium,
  },
  {
    file: 'test/browser/journey.test.ts',
    name: 'the demo in Firefox',
    reason: 'Needs Firefox. .ci/install-browser installs it.',
    isAllowed: () => !isInstalled('Firefox'),
  },
  {
    file: 'test/browser/journey.test.ts',
    name: 'the demo in WebKit',
    reason: 'Needs WebKitGTK and Xvfb. .ci/install-browser installs them.',
    isAllowed: () => !isInstalled('WebKit'),
  },
];

/** Returns the tests that were skipped although this machine can run them, as lines of text. */
export function unexpectedSkips(
  skipped: readonly { readonly file: string; readonly name: string }[],
  allowed: readonly AllowedSkip[] = ALLOWED_SKIPS,
): string[] {
  const isAllowed = ({ file, name }: { file: string; name: string }) =>
    allowed.some((each) => each.file === file && name.includes(each.name) && each.isAllowed());
  return skipped.filter((test) => !isAllowed(test)).map(({ file, name }) => `${file} > ${name}`);
}

/** Fails a CI run in which a test was skipped that this machine can run. */
export class AllowedSkipsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    // Elsewhere a person may choose tests by name, which skips the others.
    if (!process.env.CI) return;
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test: TestCase) => ({
        file: relative(process.cwd(), module.moduleId),
        name: test.fullName,
      })),
    );
    const unexpected = unexpectedSkips(skipped);
    if (unexpected.length === 0) return;
    const list = unexpected.map((line) => `  ${line}\n`).join('');
    process.stderr.write(
      `${unexpected.length} tests were skipped that this machine can run:\n${list}` +
        'Run them, or add each to test/framework/allowed-skips.ts with its reason.\n',
    );
    process.exitCode = 1;
  }
}

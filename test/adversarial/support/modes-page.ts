/** Writes the page of the hostile modes. */
import type { HostileCategory, HostileMode } from '@service/testing';

const TITLES: Record<HostileCategory, string> = {
  'sign-in': 'Sign-in',
  reads: 'Reads',
  prepare: 'Prepare',
  outcome: 'Outcome',
  transport: 'Transport',
};

/** Returns the page, in Markdown. */
export function hostileServicePage(modes: readonly HostileMode[]): string {
  const categories = Object.keys(TITLES) as HostileCategory[];
  const of = (category: HostileCategory) => modes.filter((mode) => mode.category === category);
  const counts = categories.map((category) => `${TITLES[category]} ${of(category).length}`).join(', ');
  return `# Hostile service

<!-- Made from the tests by npm run docs:hostile. -->

A service can tamper in ${modes.length} ways that are tested: ${counts}. Each has the error code that the client throws.

The tests play each of them in front of the real service on a real cluster. They check that the wallet is not asked to sign, that nothing is submitted and that no proof is made, unless the mode allows it. Where the code is "none", the call resolves with what the caller's own RPC shows.

Use a mode in the tests of your dApp:

\`\`\`ts
import { ServiceClient } from '@service/sdk';
import { hostileFetch, hostileHandlers, serviceHandlers } from '@service/testing';

const client = new ServiceClient({ deployment, fetch: hostileFetch('prepare-other-amount', fetch) }); // a real service
server.use(...hostileHandlers('prepare-other-amount', await serviceHandlers())); // msw, and a service in memory
\`\`\`
${categories.map((category) => section(TITLES[category], of(category))).join('')}`;
}

function section(title: string, modes: readonly HostileMode[]): string {
  const rows = modes.map(({ id, description, call, code, kinds }) => {
    const where = kinds ? ` (${kinds.join(', ')})` : '';
    return `| \`${id}\` | ${description}${where} | \`${call}\` | ${code ? `\`${code}\`` : 'none'} |\n`;
  });
  return `\n## ${title}\n\n| mode | what the service does | call | code |\n|---|---|---|---|\n${rows.join('')}`;
}

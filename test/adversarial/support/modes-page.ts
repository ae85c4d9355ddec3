/** The page of the hostile modes. */
import type { HostileCategory, HostileMode } from '@service/testing';

const TITLES: Record<HostileCategory, string> = {
  'sign-in': 'Sign-in',
  reads: 'Reads',
  prepare: 'Prepare',
  outcome: 'Outcome',
  transport: 'Transport',
};

/** The page, in Markdown. */
export function hostileServicePage(modes: readonly HostileMode[]): string {
  const categories = Object.keys(TITLES) as HostileCategory[];
  const of = (category: HostileCategory) => modes.filter((mode) => mode.category === category);
  const counts = categories.map((category) => `${TITLES[category]} ${of(category).length}`).join(', ');
  return `# A service that lies

<!-- Made from the tests by npm run docs:hostile. -->

${modes.length} lies that a service can tell, each with the code that the client answers with: ${counts}. The tests tell every one of them in front of the real service on a real cluster, and see that the wallet is not asked, nothing is submitted and nothing is proved that should not be. Where the code is "none" the call resolves to what the caller's own RPC shows, whatever the service says.

Tell one to your own dApp:

\`\`\`ts
import { ServiceClient } from '@service/sdk';
import { hostileFetch, hostileHandlers, serviceHandlers } from '@service/testing';

const client = new ServiceClient({ deployment, fetch: hostileFetch('prepare-other-amount', fetch) });
server.use(...hostileHandlers('prepare-other-amount', await serviceHandlers())); // with msw, and no server at all
\`\`\`
${categories.map((category) => section(TITLES[category], of(category))).join('')}`;
}

function section(title: string, modes: readonly HostileMode[]): string {
  const rows = modes.map(({ id, lie, call, code, kinds }) => {
    const where = kinds ? ` (${kinds.join(', ')})` : '';
    return `| \`${id}\` | ${lie}${where} | \`${call}\` | ${code ? `\`${code}\`` : 'none'} |\n`;
  });
  return `\n## ${title}\n\n| mode | the lie | told to | code |\n|---|---|---|---|\n${rows.join('')}`;
}

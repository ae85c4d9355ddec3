/** Writes the page of the published hostile modes. */
import type { HostileMode } from '@service/testing';

/** Returns the page, in Markdown. */
export function hostileServicePage(modes: readonly HostileMode[]): string {
  const rows = modes.map(({ id, description, call, code, kinds, page }) => {
    const where = kinds ? ` (${kinds.join(', ')})` : '';
    const cells = [`\`${id}\``, description + where, `\`${call}\``, code ? `\`${code}\`` : 'none', page];
    return `| ${cells.join(' | ')} |\n`;
  });
  return `# Hostile modes

<!-- Made from @service/testing by npm run generate. -->

\`@service/testing\` can make a service tamper in ${modes.length} ways. Each leads to something else that a page must show. Use them in the tests of your dApp:

\`\`\`ts
import { ServiceClient } from '@service/sdk';
import { hostileFetch } from '@service/testing';
import { hostileHandlers, serviceHandlers } from '@service/testing/msw';

const client = new ServiceClient({ deployment, fetch: hostileFetch('prepare-other-amount', fetch) }); // a real service
server.use(...hostileHandlers('prepare-other-amount', await serviceHandlers())); // msw, and a service in memory
\`\`\`

The client throws the code. Where it is "none", the call resolves with what the caller's own RPC shows. The wallet is asked to sign nothing that was changed. Only the modes of \`createRuleSet\`, and \`sign-in-as-another\`, change something after the signature.

| mode | what the service does | call | code | what a page should do |
|---|---|---|---|---|
${rows.join('')}
The tests of this project play these ways and hundreds of others in front of the real service: see \`test/adversarial\`.
`;
}

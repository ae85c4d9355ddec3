/** `npx @service/cli powers`. */
import { fetchPowers } from '@service/sdk/chain';
import { expect, test } from 'vitest';
import { useCommand } from './support/command-line.ts';

const { market, run } = useCommand();

test('powers prints each sentence about a mint', async () => {
  const { deployment, mint, rule } = market;
  const { sentences } = await fetchPowers({ deployment, rpc: market.world.net.rpc, mint });
  const shown = await run('powers --mint', mint);
  expect(shown).toMatchObject({ code: 0, err: '' });
  expect(shown.out.split('\n')).toEqual(sentences.map(({ text }) => text));
  const other = await run('powers --mint', rule);
  expect(other).toMatchObject({ code: 2, out: '' });
  expect(other.err).toContain(`ACCOUNT_NOT_FOUND: Your own RPC has no Token-2022 mint at ${rule}`);
  expect((await run('powers')).err).toContain('--mint is missing: the Token-2022 mint.');
});

/** `npx @service/cli powers`. */
import { fetchPowers } from '@service/sdk/chain';
import { CHAIN_OPTIONS, openChain } from './change/open-chain.ts';
import { guarded } from './guarded.ts';
import { readOptions } from './options.ts';
import { ended, plainLines } from './output.ts';

const OPTIONS = { mint: 'the Token-2022 mint', ...CHAIN_OPTIONS };

/** Shows who has which power over a mint. Returns the exit code: 0, or 2 if something could not be read. */
export function powers(argv: readonly string[]): Promise<number> {
  return guarded(
    argv,
    { usage: 'powers --mint <address> --deployment <file> [--rpc URL]', options: OPTIONS },
    async () => {
      const options = readOptions(argv, OPTIONS);
      const mint = options.address('mint');
      const { deployment, rpc } = await openChain(options);
      const { sentences } = await fetchPowers({ deployment, rpc, mint });
      return ended(0, plainLines(sentences.map(({ text }) => text).join('\n')));
    },
  );
}

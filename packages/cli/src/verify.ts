/** `npx @service/cli verify receipt.json`. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isServiceError, parseReceipt, type Receipt, verifyReceipt } from '@service/sdk';
import { createSolanaRpc, isAddress } from '@solana/kit';
import { ended, plain } from './output.ts';

export const VERIFY_USAGE = `Usage: npx @service/cli verify <receipt.json> [--rpc URL] [--program ADDRESS]

Checks a receipt of client.fetchReceipt against the chain.
  --rpc URL          an RPC of the receipt's cluster that you trust; the default is Solana's public RPC
  --program ADDRESS  the program of the receipt; without it, compare the printed one yourself
`;

/** Public RPCs of the clusters by genesis hash. A receipt must not name its RPC, because that RPC could confirm a false receipt. */
const PUBLIC_RPCS: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'https://api.mainnet-beta.solana.com',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'https://api.devnet.solana.com',
  '4uhcVJyU9pJkvQyS88uRDiswHScSGQZPoGqtvpkQRVmM': 'https://api.testnet.solana.com',
};

/** Returns the exit code: 0 if the receipt is valid, 1 if not, 2 if the check could not finish. */
export async function verify(argv: readonly string[]): Promise<number> {
  const asked = read(argv);
  if (typeof asked === 'string') return ended(2, `${asked}\n\n${VERIFY_USAGE}`);
  if (asked === null) return ended(0, VERIFY_USAGE);
  const { file, rpc, program } = asked;
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return ended(2, `The file ${file} cannot be read. Pass the path of a receipt.`);
  }
  let url = rpc;
  try {
    url ??= PUBLIC_RPCS[parseReceipt(text).genesisHash];
    if (!url) return ended(2, 'The cluster of the receipt has no known public RPC. Pass one with --rpc URL.');
    const receipt = await verifyReceipt(text, {
      // kit's URL type distinguishes clusters; here the genesis hash does.
      rpc: createSolanaRpc(url as string),
      program,
      onCheck: (line) => console.log(`ok  ${plain(line)}`),
      signal: AbortSignal.timeout(60_000),
    });
    if (!program)
      console.log('    Compare the program with the one that you expect, or pass it with --program.');
    console.log(`The receipt is valid:\n${fieldsOf(receipt)}`);
    return 0;
  } catch (error) {
    if (isServiceError(error, 'RECEIPT_INVALID'))
      return ended(1, plain(`NO  ${error.code}: ${error.message}`));
    if (!isServiceError(error)) throw error;
    return ended(
      2,
      `${plain(`??  ${error.code} of the RPC ${url}: ${error.message}`)}\nThe receipt could not be checked. Pass another RPC with --rpc URL.`,
    );
  }
}

/** Returns every checked field, one per line. */
function fieldsOf(receipt: Receipt): string {
  return Object.entries(receipt)
    .map(([field, value]) => plain(`    ${field}: ${value}`))
    .join('\n');
}

/** Returns the parsed arguments, a text that says what is wrong with them, or null if they ask for help. */
function read(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        rpc: { type: 'string' },
        program: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [file, ...others] = positionals;
    const { rpc, program } = values;
    if (values.help) return null;
    if (!file || others.length > 0) return 'Pass the path of one receipt.';
    if (rpc !== undefined && !/^https?:\/\//.test(rpc)) return '--rpc must be an http or https URL.';
    if (program !== undefined && !isAddress(program)) return '--program must be a base58 address.';
    return { file, rpc, program };
  } catch (error) {
    return error instanceof Error ? error.message : 'The arguments cannot be read.';
  }
}

import {
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { formatSol } from '../chain/amounts.ts';
import { shortAddress } from '../site/address.tsx';

/** An instruction for people to read. */
interface DescribedInstruction {
  readonly program: string;
  readonly what: string;
}

type Describe = (data: ReadonlyUint8Array) => string;

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

const u64At = (data: ReadonlyUint8Array, offset: number) =>
  new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true);

/** Programs that the wallet knows, and what it shows of their instructions. */
const PROGRAMS: Readonly<Record<string, readonly [name: string, describe: Describe]>> = {
  [MEMO]: ['Memo', (data) => `“${new TextDecoder().decode(data as Uint8Array)}”`],
  '11111111111111111111111111111111': [
    'System program',
    (data) => (data[0] === 2 ? `sends ${formatSol(u64At(data, 4))}` : 'creates an account'),
  ],
  [TOKEN_2022]: [
    'Token-2022',
    (data) =>
      data[0] === 12 ? `transfers ${u64At(data, 1)} base units` : 'sets up a mint or a token account',
  ],
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: ['Associated token program', () => 'creates a token account'],
  ComputeBudget111111111111111111111111111111: ['Compute budget', () => 'sets a limit or a priority fee'],
};

/** Returns what a transaction does, as far as this wallet knows its programs. */
export function describeTransaction(wire: Uint8Array): readonly DescribedInstruction[] {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (!('instructions' in message)) return [];
  return message.instructions.map(({ programAddressIndex, data = new Uint8Array() }) => {
    const address = message.staticAccounts[programAddressIndex] ?? '';
    const [program, describe] = PROGRAMS[address] ?? [`Program ${shortAddress(address)}`, describeUnknown];
    return { program, what: describe(data) };
  });
}

function describeUnknown(data: ReadonlyUint8Array): string {
  return `${data.length} bytes of data, ${getBase58Decoder().decode(data.slice(0, 6))}…`;
}

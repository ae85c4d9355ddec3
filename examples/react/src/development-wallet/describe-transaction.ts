import {
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { formatSol } from '../chain/amounts.ts';
import { TOKEN_2022_PROGRAM } from '../chain/token-program.ts';
import { shortAddress } from '../site/address.tsx';

/** An instruction for people to read. */
interface DescribedInstruction {
  readonly program: string;
  readonly what: string;
}

/** Returns what an instruction does, or null if this wallet does not know it. */
type Describe = (data: ReadonlyUint8Array, accounts: readonly string[]) => string | null;

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

const u64At = (data: ReadonlyUint8Array, offset: number) =>
  new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true);

function describeSystem(data: ReadonlyUint8Array, [, account = '']: readonly string[]): string | null {
  if (data[0] === 0) return 'creates an account';
  if (data[0] === 2 && data.length === 12)
    return `sends ${formatSol(u64At(data, 4))} to ${shortAddress(account)}`;
  return null;
}

function describeToken(data: ReadonlyUint8Array, accounts: readonly string[]): string | null {
  const at = (index: number) => shortAddress(accounts[index] ?? '');
  if (data[0] === 11 && data.length === 1) return `thaws the token account ${at(0)}`;
  if (data[0] === 12 && data.length === 10)
    return `transfers ${u64At(data, 1)} base units to the token account ${at(2)}`;
  if (data[0] === 14 && data.length === 10)
    return `issues ${u64At(data, 1)} base units to the token account ${at(1)}`;
  if (data[0] === 20) return 'sets up a token';
  if (data[0] === 28 && data[1] === 0 && data[2] === 2) return 'freezes new accounts of a token';
  if (data[0] === 36) return 'sets the transfer hook of a token';
  return null;
}

/** The program of the service. A real wallet would know it from its IDL. */
function describeService(data: ReadonlyUint8Array, accounts: readonly string[]): string | null {
  const at = (index: number) => shortAddress(accounts[index] ?? '');
  if (data[0] === 8) return 'creates a rule set';
  if (data[0] === 9 && data.length === 9)
    return `sends ${formatSol(u64At(data, 1))} of a rule set’s pass funds to ${at(2)}`;
  if (data[0] === 10 && data.length === 2) return `binds the mint ${at(1)} to the rule set ${at(2)}`;
  if (data[0] === 11 && (data.length === 269 || data.length === 302)) {
    const opens = `opens or renews your pass of the rule set ${at(2)}`;
    return accounts.length > 9 ? `${opens}, and ends the pass of ${at(9)}` : opens;
  }
  if (data[0] === 12 && data.length === 1) return `closes the pass ${at(0)}`;
  if (data[0] === 13 && data.length === 9)
    return `issues ${u64At(data, 1)} base units to the token account ${at(4)}`;
  if (data[0] === 23 && data.length === 10)
    return `takes ${u64At(data, 1)} base units from the token account ${at(4)} for ${at(5)}`;
  if (data[0] === 24 && data.length === 10)
    return `burns ${u64At(data, 1)} base units of the token account ${at(4)}`;
  if (data[0] === 29 && data.length === 9)
    return u64At(data, 1) === 0n ? `lifts the suspension of ${at(2)}` : `suspends ${at(2)}`;
  if (data[0] === 30 && data.length === 9) return `grants a pass of the rule set ${at(2)} to ${at(3)}`;
  if (data[0] === 31 && data.length === 1) return `ends the grant ${at(1)}`;
  if (data[0] === 32 && data.length === 2)
    return `has passes of the rule set ${at(3)} open the gate of the mint ${at(1)}`;
  return null;
}

/** Token ACL, which thaws and freezes what a gate allows. */
function describeTokenAcl(data: ReadonlyUint8Array, accounts: readonly string[]): string | null {
  const at = (index: number) => shortAddress(accounts[index] ?? '');
  if (data[0] === 0 && data.length === 33) return `gives Token ACL the freeze authority of the mint ${at(2)}`;
  if (data[0] === 6 && data.length === 1) return `thaws the token account ${at(2)} by a pass`;
  if (data[0] === 7 && data.length === 1) return `freezes the token account ${at(2)} without a pass`;
  if (data[0] === 8 && data.length === 3) {
    const allowed = [data[2] === 1 && 'thaw', data[1] === 1 && 'freeze'].filter(Boolean).join(' and ');
    return allowed
      ? `lets anybody ${allowed} what the gate allows`
      : 'lets nobody thaw or freeze by the gate';
  }
  return null;
}

/** Programs that the wallet knows, and what it shows of their instructions. */
const PROGRAMS: Readonly<Record<string, readonly [name: string, describe: Describe]>> = {
  [MEMO]: ['Memo', (data) => `“${new TextDecoder().decode(data as Uint8Array)}”`],
  '11111111111111111111111111111111': ['System program', describeSystem],
  [TOKEN_2022_PROGRAM]: ['Token-2022', describeToken],
  TACLkU6CiCdkQN2MjoyDkVg2yAH9zkxiHDsiztQ52TP: ['Token ACL', describeTokenAcl],
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: ['Associated token program', () => 'creates a token account'],
  ComputeBudget111111111111111111111111111111: ['Compute budget', () => 'sets a limit or a priority fee'],
};

/** Returns what a transaction does, as far as this wallet knows its programs. `service` is the address of the service's program. */
export function describeTransaction(wire: Uint8Array, service: string): readonly DescribedInstruction[] {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (!('instructions' in message)) return [];
  const addressOf = (index: number): string => message.staticAccounts[index] ?? '';
  return message.instructions.map((instruction) => {
    const { programAddressIndex, accountIndices = [], data = new Uint8Array() } = instruction;
    const address = addressOf(programAddressIndex);
    const [program, describe] =
      address === service
        ? (['Rule sets and passes', describeService] as const)
        : (PROGRAMS[address] ?? [`Program ${shortAddress(address)}`, () => null]);
    return { program, what: describe(data, accountIndices.map(addressOf)) ?? describeUnknown(data) };
  });
}

function describeUnknown(data: ReadonlyUint8Array): string {
  return `${data.length} bytes of data, ${getBase58Decoder().decode(data.slice(0, 6))}…`;
}

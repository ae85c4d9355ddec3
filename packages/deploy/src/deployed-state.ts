/** What of a protocol stands on a cluster already. */
import { type AccountOf, programAddresses, readAccounts, UPGRADEABLE_LOADER } from '@service/protocol';
import type { Address } from '@solana/kit';
import { DeployError } from './loader/deploy-error.ts';
import { findProgramDataAddress } from './loader/instructions.ts';
import { abortOf, type DeployRpc } from './loader/send.ts';
import type { Protocol } from './protocol.ts';

/** What was found at confirmed; null for what is not there. */
export interface Standing {
  readonly program: Address | null;
  readonly config: AccountOf<'config'> | null;
  readonly circuit: AccountOf<'circuit'> | null;
  readonly verifier: AccountOf<'verifier'> | null;
}

/** Bytes of program data before the code: tag, slot, optional upgrade authority. */
export const PROGRAM_DATA_HEADER_BYTES = 45;

/**
 * Looks at what stands.
 *
 * @throws DeployError STANDS_OTHERWISE when the program's address holds something else than these bytes.
 */
export async function readStanding(
  options: Protocol & { rpc: DeployRpc; signal?: AbortSignal },
): Promise<Standing> {
  const { rpc, keys, signal } = options;
  const program = keys.program.address;
  const at = programAddresses(program);
  const { value: account } = await rpc
    .getAccountInfo(program, { encoding: 'base64', commitment: 'confirmed' })
    .send(abortOf(signal));
  if (!account) return { program: null, config: null, circuit: null, verifier: null };
  if (account.owner !== UPGRADEABLE_LOADER || !account.executable) {
    throw new DeployError(
      'STANDS_OTHERWISE',
      `${program} is no upgradeable program: take another program key`,
    );
  }
  await assertIsThisCode(options);
  const [config, circuit, verifier] = await readAccounts({ rpc, program, commitment: 'confirmed', signal }, [
    ['config', await at.config()],
    ['circuit', await at.circuit(options.circuit.id)],
    ['verifier', await at.verifier(options.verifier.authority)],
  ]);
  return {
    program,
    config: config?.data ?? null,
    circuit: circuit?.data ?? null,
    verifier: verifier?.data ?? null,
  };
}

async function assertIsThisCode({
  rpc,
  keys,
  so,
  signal,
}: Protocol & { rpc: DeployRpc; signal?: AbortSignal }): Promise<void> {
  const { value } = await rpc
    .getAccountInfo(await findProgramDataAddress(keys.program.address), {
      encoding: 'base64',
      commitment: 'confirmed',
    })
    .send(abortOf(signal));
  const code = Buffer.from(value?.data[0] ?? '', 'base64').subarray(PROGRAM_DATA_HEADER_BYTES);
  // An upgrade may leave room after the code, which is zeros.
  const isSame =
    code.subarray(0, so.length).equals(so) && code.subarray(so.length).every((byte) => byte === 0);
  if (isSame) return;
  throw new DeployError(
    'STANDS_OTHERWISE',
    `The program at ${keys.program.address} is of other code than was built here. Build the code that it is of, ` +
      'or upgrade it first: solana program deploy --program-id PROGRAM_KEYPAIR program.so',
  );
}

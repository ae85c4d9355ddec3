/** The parts of a protocol that a cluster already has. */
import {
  type AccountOf,
  findProgramDataAddress,
  PROGRAM_DATA_HEADER_BYTES,
  programAddresses,
  readAccounts,
  UPGRADEABLE_LOADER,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import type { DeployProtocolOptions } from './deploy-options.ts';
import { DeployError } from './loader/deploy-error.ts';
import { abortOf } from './loader/send.ts';

/** Accounts at confirmed; null for each that does not exist. */
export interface DeployedState {
  readonly program: Address | null;
  readonly config: AccountOf<'config'> | null;
  readonly circuit: AccountOf<'circuit'> | null;
  readonly verifier: AccountOf<'verifier'> | null;
}

type StateOptions = Pick<DeployProtocolOptions, 'rpc' | 'keys' | 'so' | 'circuit' | 'verifier' | 'signal'>;

/**
 * Reads the state of a cluster.
 *
 * @throws DeployError STATE_DIFFERS when the program's address does not hold these bytes.
 */
export async function readDeployedState(options: StateOptions): Promise<DeployedState> {
  const { rpc, keys, signal } = options;
  const program = keys.program.address;
  const at = programAddresses(program);
  const account = await readAccount(options, program);
  if (!account) return { program: null, config: null, circuit: null, verifier: null };
  if (account.owner !== UPGRADEABLE_LOADER || !account.executable) {
    throw new DeployError(
      'STATE_DIFFERS',
      `The account ${program} is not an upgradeable program. Use another program key.`,
    );
  }
  await assertSameCode(options);
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

async function assertSameCode(options: StateOptions): Promise<void> {
  const { keys, so } = options;
  const account = await readAccount(options, await findProgramDataAddress(keys.program.address));
  const code = Buffer.from(account?.data[0] ?? '', 'base64').subarray(PROGRAM_DATA_HEADER_BYTES);
  // After an upgrade to shorter code, zeros may follow.
  const isSame =
    code.subarray(0, so.length).equals(so) && code.subarray(so.length).every((byte) => byte === 0);
  if (isSame) return;
  throw new DeployError(
    'STATE_DIFFERS',
    `The program at ${keys.program.address} has other code than the local build. ` +
      'Build the deployed version, or upgrade it first: solana program deploy --program-id PROGRAM_KEYPAIR program.so',
  );
}

async function readAccount({ rpc, signal }: StateOptions, address: Address) {
  const config = { encoding: 'base64', commitment: 'confirmed' } as const;
  return (await rpc.getAccountInfo(address, config).send(abortOf(signal))).value;
}

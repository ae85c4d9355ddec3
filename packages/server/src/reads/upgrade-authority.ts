/** Who can replace the program. Config only records who could when governance last wrote it. */
import { findProgramDataAddress, PROGRAM_DATA_HEADER_BYTES, UPGRADEABLE_LOADER } from '@service/protocol';
import { type Address, getAddressDecoder, getBase64Encoder } from '@solana/kit';
import type { Service } from '../service.ts';

const TAG_OF_PROGRAM_DATA = 3;

/** Reads the upgrade authority at finalized: null if nobody can upgrade the program. Throws the RPC's errors. */
export async function readUpgradeAuthority(
  { rpc, settings }: Pick<Service, 'rpc' | 'settings'>,
  abortSignal: AbortSignal,
): Promise<Address | null> {
  const { value } = await rpc
    .getAccountInfo(await findProgramDataAddress(settings.program), {
      commitment: 'finalized',
      encoding: 'base64',
      dataSlice: { offset: 0, length: PROGRAM_DATA_HEADER_BYTES },
    })
    .send({ abortSignal });
  // A program that was never deployed.
  if (!value) return null;
  const data = getBase64Encoder().encode(value.data[0]);
  if (value.owner !== UPGRADEABLE_LOADER || data[0] !== TAG_OF_PROGRAM_DATA) {
    throw new Error(
      `The program data of ${settings.program} is not of the upgradeable loader. Check the program address.`,
    );
  }
  return data[12] === 1 ? getAddressDecoder().decode(data, 13) : null;
}

/** Who can replace the program. Config only records who could when governance last wrote it. */
import { findProgramDataAddress, PROGRAM_DATA_HEADER_BYTES, upgradeAuthorityOf } from '@service/protocol';
import { type Address, getBase64Encoder } from '@solana/kit';
import type { Service } from '../service.ts';

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
  const found = upgradeAuthorityOf(value.owner, getBase64Encoder().encode(value.data[0]));
  if (found === undefined) {
    throw new Error(
      `The program data of ${settings.program} is not of the upgradeable loader. Check the program address.`,
    );
  }
  return found;
}

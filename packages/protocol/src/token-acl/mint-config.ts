/** The accounts of Token ACL (sRFC 37), which thaws and freezes token accounts of a mint after it asked a gate. */
import {
  type Address,
  address,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  type MaybeEncodedAccount,
} from '@solana/kit';

/** The Token ACL program. */
export const TOKEN_ACL_PROGRAM = address('TACLkU6CiCdkQN2MjoyDkVg2yAH9zkxiHDsiztQ52TP');

const MINT_CONFIG_TYPE = 1;
/** Type, bump, whether anyone can thaw and freeze (1 byte each), mint, authority, gate (32 bytes each). */
const MINT_CONFIG_BYTES = 100;

/** The configuration of a mint. Its account is the freeze authority of the mint. */
export interface MintConfig {
  /** Whether anyone can thaw what the gate allows. */
  readonly canThaw: boolean;
  /** Whether anyone can freeze what the gate allows. */
  readonly canFreeze: boolean;
  readonly mint: Address;
  /** Can thaw and freeze without the gate, name another gate, and delete the configuration. */
  readonly authority: Address;
  /** The program that is asked. */
  readonly gate: Address;
}

/** Derives the address of the configuration of a mint. */
export const mintConfigAddress = (mint: Address): Promise<Address> => derive('MINT_CONFIG', mint);

/** Derives the address of the account that exists while the gate is asked about a token account. */
export const flagAddress = (tokenAccount: Address): Promise<Address> => derive('FLAG_ACCOUNT', tokenAccount);

async function derive(seed: string, of: Address): Promise<Address> {
  const seeds = [seed, getAddressEncoder().encode(of)];
  const [found] = await getProgramDerivedAddress({ programAddress: TOKEN_ACL_PROGRAM, seeds });
  return found;
}

/** Decodes the configuration of a mint. Returns null when the account is absent or anything else. */
export function decodeMintConfig(account: MaybeEncodedAccount): MintConfig | null {
  if (!account.exists || account.programAddress !== TOKEN_ACL_PROGRAM) return null;
  const { data } = account;
  if (data.length !== MINT_CONFIG_BYTES || data[0] !== MINT_CONFIG_TYPE) return null;
  const addressAt = (offset: number) => getAddressDecoder().decode(data, offset);
  return {
    canThaw: data[2] !== 0,
    canFreeze: data[3] !== 0,
    mint: addressAt(4),
    authority: addressAt(36),
    gate: addressAt(68),
  };
}

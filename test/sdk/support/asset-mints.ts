/** Mints that the issuer of a market made without this project, as those of other issuing tools. */
import { TOKEN_2022_PROGRAM } from '@service/protocol';
import { AccountRole, type Address, generateKeyPairSigner, getAddressEncoder } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { getInitializeMint2Instruction } from '@solana-program/token';
import type { Market } from './market.ts';

const config = { programAddress: TOKEN_2022_PROGRAM };

/** An extension of a mint: the bytes of its value, and the data of the instruction that adds it. */
export type MintExtension = readonly [bytes: number, ...data: number[]];

const key = (of: Address) => [...getAddressEncoder().encode(of)];

export const EXTENSIONS = {
  /** State of new token accounts. */
  defaultState: (state: number): MintExtension => [1, 28, 0, state],
  permanentDelegate: (of: Address): MintExtension => [32, 35, ...key(of)],
  pausable: (by: Address): MintExtension => [33, 44, 0, ...key(by)],
  permissionedBurn: (by: Address): MintExtension => [32, 46, 0, ...key(by)],
  /** A hook that nobody can change. */
  transferHook: (program: Address): MintExtension => [
    64,
    36,
    0,
    ...new Array<number>(32).fill(0),
    ...key(program),
  ],
};

const MINT_BYTES = 82n;
/** Bytes before the first extension. */
const EXTENDED_BYTES = 166n;

/** Creates a mint of the issuer, with 2 decimals. The issuer is the mint authority. */
export async function createAssetMint(
  market: Pick<Market, 'issuer' | 'world' | 'sendFinal'>,
  extensions: readonly MintExtension[] = [],
  { freezeAuthority = market.issuer.signer.address } = {},
): Promise<Address> {
  const { signer } = market.issuer;
  const mint = await generateKeyPairSigner();
  const space = extensions.reduce(
    (sum, [bytes]) => sum + 4n + BigInt(bytes),
    extensions.length === 0 ? MINT_BYTES : EXTENDED_BYTES,
  );
  const lamports = await market.world.rpc.getMinimumBalanceForRentExemption(space).send();
  const accounts = [{ address: mint.address, role: AccountRole.WRITABLE }];
  const authorities = { mintAuthority: signer.address, freezeAuthority };
  await market.sendFinal(
    [
      getCreateAccountInstruction({ payer: signer, newAccount: mint, lamports, space, ...config }),
      ...extensions.map(([, ...data]) => ({ ...config, accounts, data: Uint8Array.from(data) })),
      getInitializeMint2Instruction({ mint: mint.address, decimals: 2, ...authorities }, config),
    ],
    [mint],
  );
  return mint.address;
}

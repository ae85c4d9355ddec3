/** Holders of a market, without a proof for each one. */
import { CREDENTIAL_OFFSETS, PASS_OFFSETS, programAddresses, tokenAccountAddress } from '@service/protocol';
import { findCredentialPda, findPassPda } from '@service/protocol/generated';
import { type Address, fetchEncodedAccount, generateKeyPairSigner, getAddressEncoder } from '@solana/kit';
import type { Market } from './market.ts';

/** A wallet with a credential, a pass and an empty token account. */
export interface Holder {
  readonly owner: Address;
  readonly tokenAccount: Address;
  readonly pass: Address;
  readonly credential: Address;
}

/** Returns the newest state of an account, in the form of `addAccounts`. Throws if there is none. */
export async function accountOf({ world }: Market, address: Address) {
  const found = await fetchEncodedAccount(world.rpc, address, { commitment: 'processed' });
  if (!found.exists) throw new Error(`there is no account ${address}`);
  const { lamports, data, programAddress: owner, executable } = found;
  return { lamports: BigInt(lamports), data: new Uint8Array(data), owner, executable };
}

/** Offset of the owner of a token account, after the mint. */
const TOKEN_OWNER = 32;

/** Adds holders to the chain: copies of what the market's holder has, for other wallets. A proof for each would take minutes. */
export async function addHolders(market: Market, count: number): Promise<Holder[]> {
  const { world, holder, rule, mint, destination } = market;
  const { net, program } = world;
  const at = programAddresses(program);
  const { address } = holder.signer;
  const source = {
    pass: await accountOf(market, await at.pass(rule, address)),
    credential: await accountOf(market, await at.credential(address)),
    tokenAccount: await accountOf(market, destination),
  };
  const added = new Map<Address, typeof source.pass>();
  const holders: Holder[] = [];
  for (let index = 0; index < count; index += 1) {
    const { address: owner } = await generateKeyPairSigner();
    const key = getAddressEncoder().encode(owner);
    const [pass, passBump] = await findPassPda({ rule, wallet: owner }, { programAddress: program });
    const [credential, credentialBump] = await findCredentialPda(
      { wallet: owner },
      { programAddress: program },
    );
    const tokenAccount = await tokenAccountAddress({ mint, owner });
    const copy = (from: typeof source.pass, parts: readonly (readonly [number, ArrayLike<number>])[]) => {
      const data = new Uint8Array(from.data);
      for (const [offset, bytes] of parts) data.set(bytes, offset);
      return { ...from, data };
    };
    added.set(
      pass,
      copy(source.pass, [
        [PASS_OFFSETS.wallet, key],
        [PASS_OFFSETS.bump, [passBump]],
      ]),
    );
    added.set(
      credential,
      copy(source.credential, [
        [CREDENTIAL_OFFSETS.wallet, key],
        [CREDENTIAL_OFFSETS.bump, [credentialBump]],
      ]),
    );
    added.set(tokenAccount, copy(source.tokenAccount, [[TOKEN_OWNER, key]]));
    holders.push({ owner, tokenAccount, pass, credential });
  }
  net.addAccounts(added);
  return holders;
}

/** Mints of Token ACL (sRFC 37) whose gate is the program, and their token accounts. */
import { addStandInTokenAclProgram } from '@service/localnet';
import {
  createMintConfigInstruction,
  createTokenAccountInstruction,
  setGateInstruction,
  TOKEN_2022_PROGRAM,
  thawByPassInstruction,
  togglePermissionlessInstruction,
  tokenAccountAddress,
} from '@service/protocol';
import { AccountRole, type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { getInitializeMint2Instruction } from '@solana-program/token';
import { send } from './chain.ts';
import type { Cluster } from './cluster.ts';

/** Bytes of a mint with a default account state. */
const SPACE = 171n;
const FROZEN = 2;

/** Creates a mint whose new token accounts are frozen, and gates it to a rule set. */
export async function createGatedMint(
  world: Cluster,
  issuer: KeyPairSigner,
  options: { rule: Address; honoursGranted?: boolean; anyoneFreezes?: boolean },
): Promise<Address> {
  const { rule, honoursGranted = false, anyoneFreezes = true } = options;
  addStandInTokenAclProgram(world.net);
  const newAccount = await generateKeyPairSigner();
  const mint = newAccount.address;
  const config = { programAddress: TOKEN_2022_PROGRAM };
  const initializeState = {
    ...config,
    accounts: [{ address: mint, role: AccountRole.WRITABLE }],
    data: Uint8Array.of(28, 0, FROZEN),
  };
  const keys = { mintAuthority: issuer.address, freezeAuthority: issuer.address };
  await send(
    world,
    issuer,
    [
      getCreateAccountInstruction({
        payer: issuer,
        newAccount,
        lamports: 10_000_000n,
        space: SPACE,
        ...config,
      }),
      initializeState,
      getInitializeMint2Instruction({ mint, decimals: 2, ...keys }, config),
    ],
    [newAccount],
  );
  const of = { authority: issuer.address, mint };
  await send(world, issuer, [
    await createMintConfigInstruction({ ...of, gate: world.program }),
    await setGateInstruction(world.program, { ...of, rule, honoursGranted }),
    await togglePermissionlessInstruction({ ...of, canThaw: true, canFreeze: anyoneFreezes }),
  ]);
  return mint;
}

/** Creates the associated token account of a holder of a pass, and thaws it. */
export async function openThawed(
  world: Cluster,
  payer: KeyPairSigner,
  options: { mint: Address; owner: Address; rule: Address },
): Promise<Address> {
  const tokenAccount = await tokenAccountAddress(options);
  await send(world, payer, [
    await createTokenAccountInstruction({ payer: payer.address, ...options }),
    await thawByPassInstruction(world.program, { caller: payer.address, tokenAccount, ...options }),
  ]);
  return tokenAccount;
}

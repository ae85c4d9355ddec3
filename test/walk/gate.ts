/** Steps of a mint without a hook, whose token accounts Token ACL thaws and freezes by passes. */
import { decodeMintConfig, mintConfigAddress, NEVER, TOKEN_2022_PROGRAM } from '@service/protocol';
import { isServiceError, tokenAccountOf } from '@service/sdk';
import { createTokenAccount, freezeWithoutPass, setGate as set, thawByPass } from '@service/sdk/chain';
import { callsTo, errorOf } from '@service/test-support';
import {
  AccountRole,
  type Address,
  createNoopSigner,
  fetchEncodedAccount,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { same, tokensOf, transactionOf } from './chain-check.ts';
import { isFrozen } from './desk.ts';
import { type DeskState, runStep } from './walk-state.ts';

const TOKEN_2022 = { programAddress: TOKEN_2022_PROGRAM };
/** A mint with the extension DefaultAccountState. */
const MINT_BYTES = 171n;
const [INITIALIZE_DEFAULT_STATE, FROZEN] = [28, 2];
const DECIMALS = 2;

/** Sends instructions as a wallet does that knows nothing of this project. Throws unless they succeed. */
async function sendPlainly(
  { rpc, cluster }: DeskState,
  signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
  instructions: readonly Instruction[],
): Promise<Signature> {
  const { sign, sendRaw } = callsTo({ rpc } as never);
  const signature = await sendRaw(await sign(signers, instructions, { commitment: 'confirmed' }));
  await cluster.finalized(signature);
  same('error', (await transactionOf(rpc, signature)).error, null);
  return signature;
}

/** The issuer creates a mint as other tools do: no hook, and new token accounts are frozen. */
export async function createGatedMint(state: DeskState): Promise<Address> {
  const { issuer, rpc } = state;
  const key = await generateKeyPairSigner();
  await runStep(state, 'issuer creates a mint without a hook, whose accounts are frozen', async () => {
    const { address } = issuer.wallet;
    const lamports = await rpc.getMinimumBalanceForRentExemption(MINT_BYTES).send();
    const payer = createNoopSigner(address);
    const newAccount = createNoopSigner(key.address);
    const authorities = { mintAuthority: address, freezeAuthority: address };
    const signature = await sendPlainly(
      state,
      [issuer.wallet, key],
      [
        getCreateAccountInstruction({ payer, newAccount, lamports, space: MINT_BYTES, ...TOKEN_2022 }),
        {
          ...TOKEN_2022,
          accounts: [{ address: key.address, role: AccountRole.WRITABLE }],
          data: Uint8Array.of(INITIALIZE_DEFAULT_STATE, 0, FROZEN),
        },
        getInitializeMint2Instruction({ mint: key.address, decimals: DECIMALS, ...authorities }, TOKEN_2022),
      ],
    );
    return { state: 'FINALIZED', signature };
  });
  return key.address;
}

/** The issuer makes the program the gate of the mint. */
export async function setGate(state: DeskState, mint: Address): Promise<void> {
  const { issuer, deployment, rule, rpc } = state;
  await runStep(state, 'issuer makes the program the gate of the mint', async () => {
    const { signature } = await set(issuer.wallet, { deployment, mint, rule, honoursGranted: true });
    const address = await mintConfigAddress(mint);
    const config = decodeMintConfig(await fetchEncodedAccount(rpc, address, { commitment: 'finalized' }));
    const expected = [deployment.program, true, true];
    same('configuration of Token ACL', [config?.gate, config?.canThaw, config?.canFreeze], expected);
    return { state: 'FINALIZED', signature };
  });
}

/** The holder creates and thaws its own token account. The vault cannot sign, so the holder thaws its account, too. */
export async function thaw(state: DeskState, mint: Address): Promise<void> {
  const { holder, deployment, vault } = state;
  for (const [what, owner] of [
    ['holder thaws its token account by its pass', holder.wallet.address],
    ['holder thaws the token account of the vault by the granted pass', vault],
  ] as const) {
    await runStep(state, what, async () => {
      const { tokenAccount, signature } = await thawByPass(holder.wallet, { deployment, mint, owner });
      same('frozen', await isFrozen(state, tokenAccount), false);
      return { state: 'FINALIZED', signature: signature ?? undefined };
    });
  }
}

/** The outsider has no pass. The SDK refuses, and its account stays frozen. */
export async function refuseThaw(state: DeskState, mint: Address): Promise<void> {
  const { outsider, deployment } = state;
  await runStep(
    state,
    'REFUSED LOCALLY: the outsider, who has no pass, thaws its token account',
    async () => {
      const { tokenAccount } = await createTokenAccount(outsider.wallet, { deployment, mint });
      const refusal = await errorOf(thawByPass(outsider.wallet, { deployment, mint }));
      if (!isServiceError(refusal, 'PASS_REQUIRED')) throw refusal;
      same('frozen', await isFrozen(state, tokenAccount), true);
      return { state: refusal.code };
    },
  );
}

/** A plain TransferChecked moves the tokens: no hook, and no account of the program. */
export async function transferPlainly(state: DeskState, mint: Address): Promise<void> {
  const { issuer, holder, vault, rpc } = state;
  const source = await tokenAccountOf({ mint, owner: holder.wallet.address });
  const destination = await tokenAccountOf({ mint, owner: vault });
  await runStep(state, 'holder sends tokens to the vault by a plain transfer', async () => {
    const mintAuthority = createNoopSigner(issuer.wallet.address);
    const minting = getMintToInstruction({ mint, token: source, mintAuthority, amount: 100n }, TOKEN_2022);
    await sendPlainly(state, [issuer.wallet], [minting]);
    const authority = createNoopSigner(holder.wallet.address);
    const move = { source, mint, destination, authority, amount: 30n, decimals: DECIMALS };
    const signature = await sendPlainly(
      state,
      [holder.wallet],
      [getTransferCheckedInstruction(move, TOKEN_2022)],
    );
    same('tokens', [await tokensOf(rpc, source), await tokensOf(rpc, destination)], [70n, 30n]);
    return { state: 'FINALIZED', signature };
  });
}

/** The pass of the holder is suspended. Now anyone, such as the outsider, freezes its account. */
export async function freezeSuspended(state: DeskState, mint: Address): Promise<void> {
  const { issuer, holder, outsider, deployment, rule } = state;
  const owner = holder.wallet.address;
  const suspend = (until: bigint) => issuer.client.suspend(issuer.wallet, { rule, holder: owner, until });
  await runStep(
    state,
    'outsider freezes the account of the holder, whose pass is suspended again',
    async () => {
      await suspend(NEVER);
      const options = { deployment, mint, owner };
      // The keeper of the service may be faster. Then there is no signature.
      const { tokenAccount, signature } = await freezeWithoutPass(outsider.wallet, options);
      same('frozen', await isFrozen(state, tokenAccount), true);
      await suspend(0n);
      return { state: 'FINALIZED', signature: signature ?? undefined };
    },
  );
}

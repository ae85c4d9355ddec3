/** Steps of the issuer with tokens of holders: recover, redeem, freeze and pause. */
import { decodeTokenAccount, TOKEN_2022_PROGRAM } from '@service/protocol';
import { tokenAccountOf } from '@service/sdk';
import { freezeAccount, pauseMint, resumeMint, thawAccount } from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import type { Address } from '@solana/kit';
import { dataOf, same, supplyOf, tokensOf } from './chain-check.ts';
import { accountOfActor } from './issuing.ts';
import { type DeskState, operationStep, runStep } from './walk-state.ts';

const RECOVERED = 40_000n;
const REDEEMED = 10_000n;

/** The issuer moves tokens of the holder to the vault. The holder does not sign. */
export async function recover(state: DeskState): Promise<void> {
  const { issuer, holder, mint, rpc, vault } = state;
  await operationStep(state, `issuer recovers ${RECOVERED} from the holder to the vault`, async (options) => {
    const [source, destination] = [
      await accountOfActor(state, holder),
      await tokenAccountOf({ mint, owner: vault }),
    ];
    const before = await tokensOf(rpc, source);
    const request = { mint, source, destination, amount: RECOVERED, reason: 'lost-key' } as const;
    const recovered = await issuer.client.recover(issuer.wallet, request, options);
    const after = [await tokensOf(rpc, source), await tokensOf(rpc, destination)];
    same('tokens', after, [before - RECOVERED, RECOVERED]);
    return recovered;
  });
}

/** The issuer burns tokens of the holder. */
export async function redeem(state: DeskState): Promise<void> {
  const { issuer, holder, mint, rpc } = state;
  await operationStep(state, `issuer redeems ${REDEEMED} of the holder`, async (options) => {
    const source = await accountOfActor(state, holder);
    const [before, supply] = [await tokensOf(rpc, source), await supplyOf(rpc, mint)];
    const request = { mint, source, amount: REDEEMED, reason: 'redemption' } as const;
    const redeemed = await issuer.client.redeem(issuer.wallet, request, options);
    const after = [await tokensOf(rpc, source), await supplyOf(rpc, mint)];
    same('tokens and supply', after, [before - REDEEMED, supply - REDEEMED]);
    return redeemed;
  });
}

/** The issuer freezes the account of the holder, and thaws it. */
export async function freezeAndThaw(state: DeskState): Promise<void> {
  const { issuer, holder, mint, deployment } = state;
  const tokenAccount = await accountOfActor(state, holder);
  const asked = { deployment, mint, tokenAccount };
  await runStep(state, 'issuer freezes the token account of the holder', async () => {
    const { signature } = await freezeAccount(issuer.wallet, asked);
    same('frozen', await isFrozen(state, tokenAccount), true);
    return { state: 'FINALIZED', signature };
  });
  await runStep(state, 'issuer thaws it', async () => {
    const { signature } = await thawAccount(issuer.wallet, asked);
    same('frozen', await isFrozen(state, tokenAccount), false);
    return { state: 'FINALIZED', signature };
  });
}

/** The issuer pauses the mint, which refuses an issue, and resumes it. */
export async function pauseAndResume(state: DeskState): Promise<void> {
  const { issuer, holder, mint, deployment } = state;
  await runStep(state, 'issuer pauses the mint', async () => {
    const { signature } = await pauseMint(issuer.wallet, { deployment, mint });
    const destination = await accountOfActor(state, holder);
    const issue = issuer.client.issue(issuer.wallet, { mint, destination, amount: 1n });
    same('issue while paused', (await errorOf(issue)) instanceof Error, true);
    return { state: 'FINALIZED', signature };
  });
  await runStep(state, 'issuer resumes the mint', async () => {
    const { signature } = await resumeMint(issuer.wallet, { deployment, mint });
    return { state: 'FINALIZED', signature };
  });
}

/** Returns whether a token account is frozen at finalized. */
export async function isFrozen({ rpc }: DeskState, account: Address): Promise<boolean> {
  const decoded = decodeTokenAccount(await dataOf(rpc, account, TOKEN_2022_PROGRAM));
  if (!decoded) throw new Error(`${account} is not a token account.`);
  return decoded.frozen;
}

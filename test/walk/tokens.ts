/** Steps: token accounts, issuing, and a transfer between two pass holders. */
import { tokenAccountOf } from '@service/sdk';
import { createTokenAccount } from '@service/sdk/chain';
import { same, supplyOf, tokensOf } from './chain-check.ts';
import { operationStep, runStep } from './report.ts';
import type { Actor, WalkState } from './walk-state.ts';

const ISSUED = 100_000n;
const TRANSFERRED = 12_345n;

/** Each actor creates a token account. */
export async function openTokenAccounts(state: WalkState): Promise<void> {
  const { deployment, mint, rpc } = state;
  for (const { name, wallet } of [state.issuer, state.holder, state.outsider]) {
    await runStep(state, `${name} creates a token account`, async () => {
      const { tokenAccount, signature } = await createTokenAccount(wallet, { deployment, mint });
      if (!signature) throw new Error('The token account already existed.');
      same('token account', tokenAccount, await tokenAccountOf({ mint, owner: wallet.address }));
      same('tokens', await tokensOf(rpc, tokenAccount), 0n);
      return { state: 'FINALIZED', signature };
    });
  }
}

/** The issuer issues tokens to itself. */
export async function issueTokens(state: WalkState): Promise<void> {
  const { issuer, mint, rpc } = state;
  await operationStep(state, `issuer issues ${ISSUED} base units`, async (options) => {
    const destination = await accountOfActor(state, issuer);
    const issued = await issuer.client.issue(issuer.wallet, { mint, destination, amount: ISSUED }, options);
    same('issued', await tokensOf(rpc, destination), ISSUED);
    same('supply', await supplyOf(rpc, mint), ISSUED);
    return issued;
  });
}

/** The issuer transfers tokens to the holder. */
export async function transferTokens(state: WalkState): Promise<void> {
  const { issuer, holder, mint, rpc } = state;
  await operationStep(state, `issuer transfers ${TRANSFERRED} to the holder`, async (options) => {
    const source = await accountOfActor(state, issuer);
    const destination = await accountOfActor(state, holder);
    const request = { mint, source, destination, amount: TRANSFERRED };
    const transferred = await issuer.client.transfer(issuer.wallet, request, options);
    same('source', await tokensOf(rpc, source), ISSUED - TRANSFERRED);
    same('destination', await tokensOf(rpc, destination), TRANSFERRED);
    return transferred;
  });
}

/** Derives the token account of an actor for the mint of the walk. */
export function accountOfActor(state: WalkState, actor: Actor) {
  return tokenAccountOf({ mint: state.mint, owner: actor.wallet.address });
}

/** A real account of every kind. The matrix passes them in the place of other accounts. */
import { TOKEN_2022_PROGRAM, tokenAccountAddress } from '@service/protocol';
import type { Address } from '@solana/kit';
import { addMarket, holdersChain } from '../support/bindings.ts';
import { type Account, addressOf } from '../support/chain.ts';
import { at, CIRCUIT_ID } from '../support/governance.ts';
import { ruleAddress } from '../support/rule-sets.ts';
import type { Kind } from './kinds.ts';

/** An account and what it is. */
export interface SampleAccount {
  readonly kind: Kind;
  readonly owner: 'program' | 'token';
  readonly account: Account;
}

let made: Promise<readonly SampleAccount[]> | undefined;

/** One account of every kind that has data; made once. */
export function sampleAccounts(): Promise<readonly SampleAccount[]> {
  made ??= make();
  return made;
}

async function make(): Promise<readonly SampleAccount[]> {
  const chain = await holdersChain();
  const mint = await addMarket(chain);
  const [holder, verifier, ruleSet] = [
    await addressOf('holder'),
    await addressOf('verifier'),
    await ruleAddress(),
  ];
  const places: Partial<Record<Kind, Address>> = {
    config: await at.config(),
    treasury: await at.treasury(),
    verifier: await at.verifier(verifier),
    circuit: await at.circuit(CIRCUIT_ID),
    credential: await at.credential(holder),
    ruleSet,
    mintBinding: await at.mintBinding(mint),
    pass: await at.pass(ruleSet, holder),
    extraAccountMetaList: await at.extraAccountMetaList(mint),
    mint,
    tokenAccount: await tokenAccountAddress({ mint, owner: holder }),
  };
  return Object.entries(places).map(([kind, address]) => {
    const account = chain.account(address)!;
    return {
      kind: kind as Kind,
      owner: account.owner === TOKEN_2022_PROGRAM ? 'token' : 'program',
      account,
    };
  });
}

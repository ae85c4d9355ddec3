/** A real account of every kind. The matrix passes them in the place of other accounts. */
import { gateListAddresses, TOKEN_2022_PROGRAM } from '@service/protocol';
import type { Address } from '@solana/kit';
import { type Account, PROGRAM } from '../support/chain.ts';
import { addGatedMarket, addTokenAcl } from '../support/gates.ts';
import { at, CIRCUIT, CONFIG, credentialAt, TREASURY, verifierAt } from '../support/governance.ts';
import { addMarket, holdersChain } from '../support/market.ts';
import { addLimitedRuleSet, placeAt, proveInPlace } from '../support/places.ts';
import { passAt, RULE } from '../support/rule-sets.ts';
import { tokens } from '../support/token-instructions.ts';
import type { Kind } from './kinds.ts';

export interface SampleAccount {
  readonly kind: Kind;
  readonly owner: 'program' | 'token';
  readonly account: Account;
}

let made: Promise<readonly SampleAccount[]> | undefined;

/** Returns one account of every kind that has data. Makes them once. */
export function sampleAccounts(): Promise<readonly SampleAccount[]> {
  made ??= make();
  return made;
}

async function make(): Promise<readonly SampleAccount[]> {
  const chain = await holdersChain();
  await addLimitedRuleSet(chain);
  await chain.confirm(proveInPlace());
  const mint = await addMarket(chain);
  addTokenAcl(chain);
  const gated = await addGatedMarket(chain);
  const places: Partial<Record<Kind, Address>> = {
    config: CONFIG,
    treasury: TREASURY,
    verifier: await verifierAt('verifier'),
    circuit: CIRCUIT,
    credential: await credentialAt('holder'),
    ruleSet: RULE,
    mintBinding: await at.mintBinding(mint),
    pass: await passAt('holder'),
    place: await placeAt(),
    extraAccountMetaList: await at.extraAccountMetaList(mint),
    ...(await gateListAddresses(PROGRAM, gated)),
    mint,
    tokenAccount: await tokens('holder'),
  };
  return Object.entries(places).map(([kind, address]) => {
    const account = chain.account(address)!;
    const owner = account.owner === TOKEN_2022_PROGRAM ? 'token' : 'program';
    return { kind: kind as Kind, owner, account };
  });
}

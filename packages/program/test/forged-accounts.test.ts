/**
 * Accounts with the very bytes that the program expects, but for one thing that no honest transaction can bring about:
 * each is written past the runtime, to see that the check stands on its own.
 */
import {
  SYSTEM_PROGRAM,
  tokenAccountAddress,
  transferInstruction,
  UPGRADEABLE_LOADER,
} from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__TOKEN_ACCOUNT_INVALID as TOKEN_ACCOUNT_INVALID,
  RULE_SET_PASS_ERROR__WRONG_ACCOUNT_TYPE as WRONG_ACCOUNT_TYPE,
  RULE_SET_PASS_ERROR__WRONG_OWNER as WRONG_OWNER,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMarket, holdersChain, issueTokens, mintOf } from './_bindings.ts';
import { at, deployedChain, initialize } from './_governance.ts';
import { expectDone, expectRefused } from './_outcome.ts';
import { endProver } from './_proofs.ts';
import { ruleAddress } from './_rule-sets.ts';
import { addressOf, Chain, PROGRAM, programDataAddress } from './_setup.ts';

/** Places in a token account: its state, and the type that extensions follow. */
const STATE_AT = 108;
const ACCOUNT_TYPE_AT = 165;
/** Bytes of the second entry of the list account, at its end; the version is the first. */
const BINDING_ENTRY = 99;

let saved: Uint8Array;
let chain: Chain;
let mint: Address;
const tokens = async (name: string) => tokenAccountAddress({ mint, owner: await addressOf(name) });

beforeAll(async () => {
  const ready = await holdersChain();
  mint = await addMarket(ready);
  expectDone(await ready.send(await issueTokens()));
  saved = ready.save();
});
beforeEach(async () => {
  chain = await Chain.from(saved);
});
afterAll(endProver);

describe('a token account', () => {
  it('is refused when a program other than Token-2022 owns it', async () => {
    const destination = await tokens('holder');
    chain.write(destination, { ...chain.account(destination)!, owner: await addressOf('impostor') });

    expectRefused(await chain.send(await issueTokens()), TOKEN_ACCOUNT_INVALID);
  });

  it.each([
    ['it is not initialised', STATE_AT, 0],
    ['its type is that of a mint', ACCOUNT_TYPE_AT, 1],
  ])('is refused when %s', async (_, place, value) => {
    chain.patch(await tokens('holder'), place, [value]);

    expectRefused(await chain.send(await issueTokens()), TOKEN_ACCOUNT_INVALID);
  });
});

describe('the list account of a mint', () => {
  it('is refused when its version is another', async () => {
    const intent = {
      kind: 'TRANSFER' as const,
      wallet: await addressOf('holder'),
      mint,
      source: await tokens('holder'),
      destination: await tokens('other holder'),
      amount: 1n,
    };
    const transfer = await transferInstruction(PROGRAM, intent, {
      rule: await ruleAddress(),
      requireSource: false,
      decimals: mintOf(chain, mint).decimals,
      sourceOwner: intent.wallet,
      destinationOwner: await addressOf('other holder'),
    });
    expectDone(await chain.send(transfer));

    const list = await at.extraAccountMetaList(mint);
    chain.patch(list, chain.data(list).length - BINDING_ENTRY, [2]);

    expectRefused(await chain.send(transfer), WRONG_ACCOUNT_TYPE);
  });
});

describe('ProgramData', () => {
  it('is refused when the loader does not own it', async () => {
    const deployed = await deployedChain();
    const programData = await programDataAddress();
    const account = deployed.account(programData)!;
    expect(account.owner).toBe(UPGRADEABLE_LOADER);
    deployed.write(programData, { ...account, owner: SYSTEM_PROGRAM });

    expectRefused(await deployed.send(await initialize()), WRONG_OWNER);
  });
});

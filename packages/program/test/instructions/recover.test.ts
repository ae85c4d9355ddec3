import { addressBytes } from '@service/contract';
import { SYSTEM_PROGRAM } from '@service/protocol';
import { getApproveInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { addressOf, type Chain, HOUR, noop } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { revoke } from '../support/credentials.ts';
import { eventsOf } from '../support/events.ts';
import { at, CIRCUIT, endPasses, setCircuit, setVerifier } from '../support/governance.ts';
import { freeze, pauseMint, REASONS, recover, SECURITY, securityChain } from '../support/issuers.ts';
import {
  addMarket,
  balanceOf,
  bindMint,
  HOLDER_EXPIRY,
  holdersChain,
  issueTokens,
  mintOf,
  transfer,
} from '../support/market.ts';
import {
  addLooseTokenAccount,
  addMint,
  addTokenAccount,
  nonTransferable,
  pausable,
  permanentDelegate,
  transferHook,
} from '../support/mints.ts';
import { LATEST_EXPIRY, suspendPass } from '../support/passes.ts';
import { burn, ONE, ofToken2022, token2022, tokens } from '../support/token-instructions.ts';

const [mint, issuer] = [await addressOf(SECURITY), await addressOf('issuer')];
const [source, destination] = [await tokens('holder', SECURITY), await tokens('other holder', SECURITY)];
const binding = await at.mintBinding(mint);

/** Returns the tokens of the holder, those of the other holder, and the supply. */
const amounts = (chain: Chain) => [
  balanceOf(chain, source),
  balanceOf(chain, destination),
  mintOf(chain, mint).supply,
];

describe('recover', () => {
  const chain = chainPerTest(securityChain);

  it('moves tokens without their owner, and leaves supply and mint as they are', async () => {
    const outcome = await chain.confirm(recover({ amount: 400n }));
    expect([...outcome.changed].sort()).toEqual([source, destination].sort());
    expect(amounts(chain)).toEqual([600n, 400n, 1_000n]);
    expect(outcome.units).toBeLessThan(200_000);
  });

  it.each(REASONS)('records the reason %s', async (reason) => {
    const outcome = await chain.confirm(recover({ reason, amount: 5n }));
    const event = { event: 'tokensRecovered', mint, source, destination, amount: 5n, reason: BigInt(reason) };
    expect(eventsOf(outcome)).toEqual([event]);
  });

  it('takes everything from a holder whose key is lost', async () => {
    await chain.confirm(recover({ amount: 1_000n }));
    expect(amounts(chain)).toEqual([0n, 1_000n, 1_000n]);
  });

  it('takes tokens from an owner without a live pass', async () => {
    chain.setTime(HOLDER_EXPIRY);
    await chain.confirm(recover());
    expect(amounts(chain)).toEqual([990n, 10n, 1_000n]);
  });

  it('takes tokens from an owner whose pass is suspended, and whose credential is revoked', async () => {
    await chain.confirm(suspendPass());
    await chain.confirm(recover());
    await revoke(chain, 'holder');
    await chain.confirm(recover({ amount: 20n }));
    expect(amounts(chain)).toEqual([970n, 30n, 1_000n]);
  });

  it('is refused for every other wallet: holders, governance, an unrelated wallet', async () => {
    for (const by of ['holder', 'other holder', 'governance', 'unrelated wallet']) {
      await chain.reject('NOT_ISSUER', recover({ issuer: by }));
    }
  });

  it('is refused to an owner without a pass, with an expired or an ended one', async () => {
    await chain.reject('DESTINATION_PASS_MISSING', recover({ to: 'outsider' }));
    chain.setTime(LATEST_EXPIRY);
    await chain.reject('DESTINATION_PASS_EXPIRED', recover());
    chain.setTime(LATEST_EXPIRY - 1n);
    await chain.confirm(recover());
    await chain.confirm(endPasses());
    await chain.reject('DESTINATION_PASS_EXPIRED', recover());
  });

  it('is refused to an owner whose credential is revoked, also while its pass is live', async () => {
    await revoke(chain, 'other holder');
    await chain.reject('CREDENTIAL_REVOKED', recover());
  });

  it('accepts a live pass of a deactivated verifier and a retired circuit, as issue-tokens does', async () => {
    await chain.confirm(setVerifier({ active: false }));
    await chain.confirm(setCircuit({ id: 'next', previousCircuit: CIRCUIT }));
    await chain.confirm(recover());
  });

  it('is refused to a token account whose owner can be changed, but takes tokens from any account', async () => {
    const loose = { at: 'loose', owner: 'other holder', mint, immutableOwner: false };
    const account = await addLooseTokenAccount(chain, loose);
    await chain.reject('TOKEN_ACCOUNT_OWNER_MUTABLE', recover({ destination: account }));
    const fixed = await addLooseTokenAccount(chain, { ...loose, at: 'fixed', immutableOwner: true });
    await chain.confirm(recover({ destination: fixed }));
    await chain.confirm(recover({ source: fixed, from: 'other holder' }));
    expect(amounts(chain)).toEqual([990n, 10n, 1_000n]);
  });

  it('is refused from an account to itself', async () => {
    await chain.reject('DUPLICATE_ACCOUNT', recover({ to: 'holder' }));
  });

  it('is refused with a token account of another mint', async () => {
    await addMarket(chain, { mint: ONE });
    await chain.reject('TOKEN_ACCOUNT_INVALID', recover({ source: await tokens('holder', ONE) }));
    await chain.reject('TOKEN_ACCOUNT_INVALID', recover({ destination: await tokens('other holder', ONE) }));
  });

  it('is refused for no tokens, for more than the holder has, and for a reason without a code', async () => {
    await chain.reject('AMOUNT_INVALID', recover({ amount: 0n }));
    await chain.reject(1, recover({ amount: 1_001n }));
    for (const reason of [0, 8, 255]) await chain.reject('REASON_INVALID', recover({ reason }));
  });

  it('needs a thaw of a frozen source: thaw, recover and freeze fit in one transaction', async () => {
    await chain.confirm(freeze('holder'));
    await chain.reject(17, recover());
    await chain.confirm(freeze('holder', { thaw: true }), recover(), freeze('holder'));
    expect(amounts(chain)).toEqual([990n, 10n, 1_000n]);
    await chain.reject(17, recover());
  });

  it('is refused to a frozen destination', async () => {
    await chain.confirm(freeze('other holder'));
    await chain.reject(17, recover());
  });

  it('is stopped by no CPI guard, and by no required memo of the destination', async () => {
    for (const name of ['holder', 'other holder']) {
      const [account, owner, payer] = [
        await tokens(name, SECURITY),
        await addressOf(name),
        await addressOf('payer'),
      ];
      // Reallocate for MemoTransfer (8) and CpiGuard (11), then enable both.
      const room = ofToken2022([29, 8, 0, 11, 0], [account, payer, SYSTEM_PROGRAM, owner], [payer, owner]);
      await chain.confirm(
        room,
        ...[30, 34].map((number) => ofToken2022([number, 0], [account, owner], [owner])),
      );
    }
    await chain.reject(/Custom\(36\)/, transfer({ mint: SECURITY }));
    await chain.confirm(recover());
    expect(amounts(chain)).toEqual([990n, 10n, 1_000n]);
  });

  it('leaves the approvals of the holder as they are', async () => {
    const delegate = { source, delegate: binding, amount: 100n };
    await chain.confirm(getApproveInstruction({ ...delegate, owner: await noop('holder') }, token2022));
    await chain.confirm(recover({ amount: 200n }));
    // 121 bytes of a token account are before the amount of the approval.
    expect(new DataView(chain.data(source).buffer).getBigUint64(121, true)).toBe(100n);
  });

  it('is the only way: the issuer itself can neither burn nor move the tokens of a holder', async () => {
    const theirs = await burn(10n, { mint: SECURITY, authority: 'issuer', account: source });
    await chain.reject(/Custom\(4\)/, theirs);
    await chain.reject(/Custom\(4\)/, transfer({ mint: SECURITY, authority: 'issuer' }));
    // SetAuthority of the permanent delegate (8) to the issuer.
    const back = [6, 8, 1, ...addressBytes(issuer)];
    await chain.reject(/Custom\(4\)/, ofToken2022(back, [mint, issuer], [issuer]));
  });
});

describe('recover, by the extensions of the mint', () => {
  const chain = chainPerTest(holdersChain);

  /** Binds a mint with these extensions, and issues 1,000 tokens to the holder. */
  const bound = async (...extensions: ReturnType<typeof transferHook>[]) => {
    await addMarket(chain, { mint: SECURITY, freezeAuthority: 'issuer', extensions });
    await chain.confirm(issueTokens({ mint: SECURITY }));
  };
  const approveBinding = async () => {
    const approval = { source, delegate: binding, owner: await noop('holder'), amount: 500n };
    await chain.confirm(getApproveInstruction(approval, token2022));
  };

  it('is refused without a permanent delegate, even if the holder has approved the binding', async () => {
    await bound(transferHook());
    await chain.reject('RECOVERY_NOT_ENABLED', recover());
    await approveBinding();
    await chain.reject('RECOVERY_NOT_ENABLED', recover());
  });

  it('is refused if the permanent delegate was removed before the binding, even with an approval', async () => {
    await addMint(chain, {
      mint: SECURITY,
      freezeAuthority: 'issuer',
      extensions: [transferHook(), permanentDelegate(issuer)],
    });
    // SetAuthority of the permanent delegate (8) to none.
    await chain.confirm(ofToken2022([6, 8, 0], [mint, issuer], [issuer]));
    await chain.confirm(bindMint({ mint: SECURITY }));
    for (const owner of ['holder', 'other holder']) await addTokenAccount(chain, owner, mint);
    await chain.confirm(issueTokens({ mint: SECURITY }));
    await approveBinding();
    await chain.reject('RECOVERY_NOT_ENABLED', recover());
  });

  it('works if the issuer was the permanent delegate, which the binding took over', async () => {
    await bound(transferHook(), permanentDelegate(issuer));
    await chain.confirm(recover());
    expect(amounts(chain)).toEqual([990n, 10n, 1_000n]);
  });

  it('is stopped while the mint is paused: resume, recover and pause fit in one transaction', async () => {
    await bound(transferHook(), permanentDelegate(binding), pausable(issuer));
    await chain.confirm(pauseMint());
    // MintPaused
    await chain.reject(67, recover());
    await chain.confirm(pauseMint({ resume: true }), recover(), pauseMint());
    expect(amounts(chain)).toEqual([990n, 10n, 1_000n]);
    await chain.reject(67, transfer({ mint: SECURITY }));
  });

  it('moves tokens that cannot be transferred', async () => {
    await bound(transferHook(), permanentDelegate(binding), nonTransferable());
    // NonTransferable
    await chain.reject(/Custom\(37\)/, transfer({ mint: SECURITY }));
    await chain.confirm(recover());
    expect(amounts(chain)).toEqual([990n, 10n, 1_000n]);
  });

  it('works from a source with an expired pass if the binding requires the pass of the source', async () => {
    const extensions = [transferHook(), permanentDelegate(binding)];
    await addMarket(chain, { mint: SECURITY, extensions, requireSource: true });
    await chain.confirm(issueTokens({ mint: SECURITY }));
    chain.setTime(HOLDER_EXPIRY + HOUR);
    await chain.reject('SOURCE_PASS_EXPIRED', transfer({ mint: SECURITY, requireSource: true }));
    await chain.confirm(recover());
    expect(amounts(chain)).toEqual([990n, 10n, 1_000n]);
  });
});

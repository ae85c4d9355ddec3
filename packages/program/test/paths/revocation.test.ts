/**
 * A revocation whose passes nobody ends. Without `readsCredential`, the wallet keeps its live pass, and transfers work until
 * somebody closes the pass. With it, they fail at once.
 */
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, type Chain, DAY, HOUR, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  ATTRIBUTES,
  CREDENTIAL_EXPIRY,
  commitmentBytes,
  credentialOf,
  discardCredential,
  issueCredential,
  revoke,
  revokeCredential,
} from '../support/credentials.ts';
import { at, credentialAt, endPasses, pause, setVerifier } from '../support/governance.ts';
import { withAddress } from '../support/instruction.ts';
import {
  acceptIssuer,
  addNextRule,
  addSecurity,
  announceInTime,
  applyRule,
  NEXT_RULE,
  nominateIssuer,
  recover,
} from '../support/issuers.ts';
import {
  addMarket,
  balanceOf,
  bindingOf,
  boundMintOf,
  execute,
  HOLDER_EXPIRY,
  issueTokens,
  markTransfer,
  readingChain,
  transfer,
} from '../support/market.ts';
import { addTokenAccount } from '../support/mints.ts';
import { nameOfCode } from '../support/outcome.ts';
import { grantPass, passOf, prove, suspendPass } from '../support/passes.ts';
import { approve, BOTH, ONE, READS_BOTH, READS_ONE, tokens } from '../support/token-instructions.ts';

const NEWER = { attributes: { ...ATTRIBUTES, salt: 7n } };
const newCommitment = commitmentBytes(NEWER.attributes);
const back = { from: 'other holder', to: 'holder' };

/** A chain on which both holders have tokens of every mint. */
async function tradingChain(): Promise<Chain> {
  const chain = await readingChain();
  for (const mint of [ONE, BOTH, READS_ONE, READS_BOTH]) {
    await chain.confirm(issueTokens({ mint, holder: 'other holder' }));
  }
  return chain;
}

const chain = chainPerTest(tradingChain);

const expectRefused = async (of: Chain = chain) => {
  await of.reject('SOURCE_PASS_UNSUPPORTED', transfer({ mint: READS_BOTH }));
  for (const mint of [READS_ONE, READS_BOTH])
    await of.reject('DESTINATION_PASS_UNSUPPORTED', transfer({ mint, ...back }));
};

const expectAccepted = async () => {
  for (const mint of [READS_ONE, READS_BOTH]) {
    await chain.confirm(transfer({ mint }));
    await chain.confirm(transfer({ mint, ...back }));
  }
};

describe('a holder whose credential was revoked, and whose pass nobody ended', () => {
  it('still sends and receives tokens of a mint that reads no credential', async () => {
    await revoke(chain);
    for (const mint of [ONE, BOTH]) {
      await chain.confirm(transfer({ mint }));
      await chain.confirm(transfer({ mint, ...back }));
    }
  });

  it('receives none of a mint that reads credentials, and sends none if it requires the source', async () => {
    await expectAccepted();
    await revoke(chain);
    await expectRefused();
    expect((await passOf(chain)).expiresAt).toBe(HOLDER_EXPIRY);
    // The binding does not require the source, so nothing of the sender is read.
    await chain.confirm(transfer({ mint: READS_ONE, amount: 11n }));
  });

  it('is stopped in the transaction of the revocation', async () => {
    const sent = [...(await revokeCredential()), await transfer({ mint: READS_BOTH })];
    const { refusal } = await chain.send(...sent);
    expect([refusal?.instruction, nameOfCode(refusal!.code)]).toEqual([2, 'SOURCE_PASS_UNSUPPORTED']);
  });

  it('cannot trade by a delegate either', async () => {
    await chain.confirm(approve(READS_BOTH, 'outsider'));
    const delegated = { mint: READS_BOTH, authority: 'outsider' };
    await chain.confirm(transfer(delegated));
    await revoke(chain);
    await chain.reject('SOURCE_PASS_UNSUPPORTED', transfer(delegated));
  });

  it('cannot be issued tokens, or have tokens recovered to it', async () => {
    await addSecurity(chain, { readsCredential: true });
    await revoke(chain, 'other holder');
    await chain.reject('DESTINATION_PASS_UNSUPPORTED', recover());
    await chain.reject(
      'DESTINATION_PASS_UNSUPPORTED',
      issueTokens({ mint: READS_ONE, holder: 'other holder' }),
    );
    await chain.reject('CREDENTIAL_REVOKED', issueTokens({ holder: 'other holder' }));
  });
});

describe('a holder with another credential than the pass was proved with', () => {
  it('does not escape a revocation with the credential of another verifier, until it proves that one', async () => {
    const second = { verifier: 'second verifier', previousVerifier: 'verifier' };
    await chain.confirm(setVerifier({ verifier: 'second verifier' }));
    await revoke(chain);
    await chain.confirm(issueCredential({ ...second, issuedAt: NOW + 1n, commitment: newCommitment }));
    expect((await credentialOf(chain)).revoked).toBe(false);
    await expectRefused();
    for (const mint of [ONE, BOTH]) await chain.confirm(transfer({ mint, ...back }));
    chain.setTime(NOW + HOUR);
    await chain.confirm(
      withAddress(
        await prove({ ...NEWER, expiresAt: HOLDER_EXPIRY }),
        await at.verifier(await addressOf('verifier')),
        await at.verifier(await addressOf('second verifier')),
      ),
    );
    await expectAccepted();
  });

  it('does not escape it with a newer credential of the same verifier', async () => {
    await revoke(chain);
    await chain.confirm(issueCredential({ issuedAt: NOW + 1n, commitment: newCommitment }));
    await expectRefused();
  });

  it('does not escape it because another verifier signed the same commitment', async () => {
    const { commitment } = await credentialOf(chain);
    const second = { verifier: 'second verifier', previousVerifier: 'verifier' };
    await chain.confirm(setVerifier({ verifier: 'second verifier' }));
    await revoke(chain);
    await chain.confirm(
      issueCredential({ ...second, issuedAt: NOW + 1n, commitment: Uint8Array.from(commitment) }),
    );
    await expectRefused();
  });

  it('proves again after it verified again, and can trade meanwhile if the commitment is the same', async () => {
    const { commitment } = await credentialOf(chain);
    const renewal = { issuedAt: NOW + 1n, commitment: Uint8Array.from(commitment) };
    await chain.confirm(issueCredential({ ...renewal, expiresAt: CREDENTIAL_EXPIRY + DAY }));
    await expectAccepted();
    chain.setTime(NOW + HOUR);
    await chain.confirm(issueCredential({ issuedAt: NOW + HOUR, commitment: newCommitment }));
    await expectRefused();
    await chain.confirm(prove({ ...NEWER, expiresAt: HOLDER_EXPIRY }));
    await expectAccepted();
  });

  it('has no pass that outlives its credential', async () => {
    const { commitment } = await credentialOf(chain);
    const shorter = (issuedAt: bigint, expiresAt: bigint) =>
      issueCredential({ issuedAt, expiresAt, commitment: Uint8Array.from(commitment) });
    await chain.confirm(shorter(NOW + 1n, HOLDER_EXPIRY));
    await expectAccepted();
    await chain.confirm(shorter(NOW + 2n, HOLDER_EXPIRY - 1n));
    await expectRefused();
  });

  it('is refused after it discarded the credential', async () => {
    await chain.confirm(discardCredential());
    await expectRefused();
  });

  it('is not stopped by a verifier whose credential it does not have', async () => {
    await chain.confirm(setVerifier({ verifier: 'second verifier' }));
    await chain.confirm(revokeCredential({ verifier: 'second verifier' }));
    await expectAccepted();
  });
});

describe('a granted pass', () => {
  const [HONOURS, STRICT] = ['honours and reads', 'reads and does not honour'] as const;
  const options = { requireSource: true, readsCredential: true };
  const both = { requireSource: true, readsCredential: true };

  it('has no credential, and counts where the mint honours grants', async () => {
    for (const mint of [HONOURS, STRICT]) {
      const honoursGranted = mint === HONOURS;
      const address = await addMarket(chain, { mint, ...options, honoursGranted });
      await addTokenAccount(chain, 'vault', address);
      await chain.confirm(issueTokens({ mint }));
    }
    await chain.confirm(grantPass({ holder: 'vault' }));
    expect(chain.account(await credentialAt('vault'))).toBeNull();
    await chain.confirm(transfer({ mint: HONOURS, to: 'vault', ...both }));
    await chain.confirm(transfer({ mint: HONOURS, from: 'vault', to: 'other holder', amount: 5n, ...both }));
    await chain.confirm(issueTokens({ mint: HONOURS, holder: 'vault' }));
    await chain.reject('DESTINATION_PASS_GRANTED', transfer({ mint: STRICT, to: 'vault', ...both }));
    // The other side is read as before.
    await revoke(chain, 'other holder');
    await chain.reject(
      'DESTINATION_PASS_UNSUPPORTED',
      transfer({ mint: HONOURS, from: 'vault', to: 'other holder', amount: 5n, ...both }),
    );
  });

  it('depends on no credential, so a revocation does not stop it', async () => {
    const address = await addMarket(chain, { mint: HONOURS, ...options, honoursGranted: true });
    await chain.confirm(issueTokens({ mint: HONOURS }));
    await chain.confirm(issueCredential({ wallet: 'outsider' }));
    await chain.confirm(grantPass({ holder: 'outsider' }));
    await revoke(chain, 'outsider');
    await chain.confirm(transfer({ mint: HONOURS, to: 'outsider', ...both }));
    expect(balanceOf(chain, await tokens('outsider', HONOURS))).toBe(10n);
    expect((await bindingOf(chain, address)).readsCredential).toBe(true);
  });
});

describe('the order of the checks', () => {
  it('is the pause, then the pass, then the credential', async () => {
    await revoke(chain);
    await chain.reject('DESTINATION_PASS_MISSING', transfer({ mint: READS_ONE, to: 'outsider' }));
    chain.setTime(NOW + 1n);
    await chain.confirm(suspendPass({ until: NOW + HOUR }));
    await chain.reject('SOURCE_PASS_SUSPENDED', transfer({ mint: READS_BOTH }));
    chain.setTime(NOW + HOUR);
    await expectRefused();
    await chain.confirm(endPasses());
    await chain.reject('DESTINATION_PASS_EXPIRED', transfer({ mint: READS_ONE, ...back }));
    await chain.confirm(pause());
    await chain.reject('PROTOCOL_PAUSED', transfer({ mint: READS_ONE, ...back }));
  });
});

describe('a wrong credential', () => {
  it('passed to execute is refused: of another wallet, of another program, of another kind, or none', async () => {
    await markTransfer(chain, READS_BOTH);
    const good = await execute({ mint: READS_BOTH });
    const [mine, theirs] = [await credentialAt('holder'), await credentialAt('other holder')];
    const forged = await addressOf('forged');
    chain.write(forged, { ...chain.account(mine)!, owner: await addressOf('other program') });
    for (const real of [mine, theirs]) {
      await chain.reject('CREDENTIAL_MISSING', withAddress(good, real, forged));
      await chain.reject('CREDENTIAL_MISSING', withAddress(good, real, await credentialAt('outsider')));
      await chain.reject('WRONG_ACCOUNT_TYPE', withAddress(good, real, good.accounts![6]!.address));
    }
    await chain.reject('WRONG_ADDRESS', withAddress(good, mine, theirs));
    await chain.reject('WRONG_ADDRESS', withAddress(good, theirs, mine));
    for (const omitted of [7, 8, 9]) {
      const accounts = good.accounts!.filter((_, index) => index !== omitted);
      await chain.reject(/InstructionError\(0/, { ...good, accounts });
    }
    await chain.confirm(good);
  });

  it('in a transfer is refused by Token-2022, which derives the address from the list', async () => {
    await revoke(chain);
    const [mine, theirs] = [await credentialAt('holder'), await credentialAt('other holder')];
    const whole = await transfer({ mint: READS_BOTH });
    // IncorrectAccount of the interface.
    await chain.reject(/InstructionError\(0, Custom\(2724315840\)\)/, withAddress(whole, mine, theirs));
    for (const address of [mine, theirs]) {
      const accounts = whole.accounts!.filter((account) => account.address !== address);
      await chain.reject(/InstructionError\(0/, { ...whole, accounts });
    }
  });

  it('is not avoided by the accounts of a mint that reads none', async () => {
    await revoke(chain);
    for (const mint of [READS_ONE, READS_BOTH]) {
      const bare: Instruction = await transfer({ mint, ...back, readsCredential: false });
      await chain.reject(/InstructionError\(0/, bare);
    }
    await markTransfer(chain, READS_ONE);
    const direct = await execute({ mint: READS_ONE });
    const without = { ...direct, accounts: direct.accounts!.slice(0, -1) };
    await chain.reject('WRONG_ACCOUNT_COUNT', without);
    const role = AccountRole.READONLY;
    const more = [...direct.accounts!, { address: await credentialAt('holder'), role }];
    await chain.reject('WRONG_ACCOUNT_COUNT', { ...direct, accounts: more });
  });
});

describe('the choice of a binding', () => {
  it('stays when the rule set or the issuer changes', async () => {
    await addNextRule(chain);
    const address: Address = await addressOf(READS_BOTH);
    const list = await at.extraAccountMetaList(address);
    const metas = chain.data(list).slice(0, 16 + 5 * 35);
    await announceInTime(chain, READS_BOTH);
    await chain.confirm(applyRule({ mint: READS_BOTH }));
    await chain.confirm(nominateIssuer({ mint: READS_BOTH }));
    await chain.confirm(acceptIssuer({ mint: READS_BOTH }));
    const changed = { rule: NEXT_RULE, issuer: await addressOf('next issuer'), readsCredential: true };
    expect(await bindingOf(chain, address)).toMatchObject(changed);
    expect(boundMintOf(chain, list)).toMatchObject(changed);
    expect(chain.data(list).slice(0, metas.length)).toEqual(metas);
    for (const wallet of ['holder', 'other holder'])
      await chain.confirm(prove({ wallet, rule: NEXT_RULE, expiresAt: HOLDER_EXPIRY }));
    await chain.confirm(transfer({ mint: READS_BOTH, rule: NEXT_RULE }));
    await revoke(chain);
    await chain.reject('SOURCE_PASS_UNSUPPORTED', transfer({ mint: READS_BOTH, rule: NEXT_RULE }));
  });
});

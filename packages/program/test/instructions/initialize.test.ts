import { getTreasuryDecoder } from '@service/protocol/generated';
import { none } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, GENESIS_HASH, PROGRAM, PROGRAM_DATA } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { CONFIG, configOf, deployedChain, initialize, TREASURY } from '../support/governance.ts';

const chain = chainPerTest(deployedChain);

describe('initialize', () => {
  it('creates Config and Treasury: unpaused, without pass fee or circuit', async () => {
    const outcome = await chain.confirm(initialize());

    expect([...outcome.changed].sort()).toEqual([CONFIG, TREASURY].sort());
    expect(configOf(chain)).toMatchObject({
      genesisHash: GENESIS_HASH,
      authority: await addressOf('governance'),
      paused: false,
      passFee: none(),
      activeCircuit: none(),
    });
    expect(getTreasuryDecoder().decode(chain.data(TREASURY))).toMatchObject({
      accountType: 2,
      version: 1,
      feesCollected: 0n,
    });
    for (const account of [CONFIG, TREASURY]) {
      expect(chain.account(account)?.owner).toBe(PROGRAM);
      expect(chain.aboveRent(account)).toBe(0n);
    }
  });

  it('refuses everyone if the program cannot be upgraded', async () => {
    chain.setUpgradeAuthority(null);
    await chain.reject('NOT_UPGRADE_AUTHORITY', initialize());
  });

  it('refuses a ProgramData of the right form at another address', async () => {
    const forged = await addressOf('forged program data');
    chain.write(forged, chain.account(PROGRAM_DATA)!);
    chain.patch(forged, 13, new Uint8Array(32));
    await chain.reject('WRONG_ADDRESS', initialize({ programData: forged }));
  });
});

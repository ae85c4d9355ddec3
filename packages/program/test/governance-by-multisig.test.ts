/** Governance by a multisig: the authority is an address of another program, which signs by calling this one. */
import { readFileSync } from 'node:fs';
import { addressBytes } from '@service/contract';
import { AccountRole, getProgramDerivedAddress, type Instruction, none } from '@solana/kit';
import { expect, it } from 'vitest';
import { addressOf, NOW, PROGRAM, SOL, UNRELATED_WALLET } from './support/chain.ts';
import { chainPerTest } from './support/chain-per-test.ts';
import {
  acceptAuthority,
  CONFIG,
  configOf,
  endPasses,
  initializedChain,
  nominateAuthority,
  PASS_FEE,
  pause,
  retireCircuit,
  setCircuit,
  setGuardian,
  setPassFee,
  setVerifier,
  TREASURY,
  unpause,
  verifierAt,
  withdrawFees,
} from './support/governance.ts';

const FILE = '../../localnet/stand-in-multisig-program/artifact/stand-in-multisig-program.so';
const MULTISIG = await addressOf('multisig program');
const MEMBER = await addressOf('member');
const [VAULT, BUMP] = await getProgramDerivedAddress({
  programAddress: MULTISIG,
  seeds: ['vault', addressBytes(MEMBER)],
});

const chain = chainPerTest(async () => {
  const initialized = await initializedChain();
  initialized.addProgram(MULTISIG, readFileSync(new URL(FILE, import.meta.url)));
  await initialized.confirm(nominateAuthority({ nominee: VAULT }));
  await initialized.confirm(byVault(await acceptAuthority()));
  return initialized;
});

/** Sends an instruction through the multisig: the vault is in the place of the next governance, and the member signs. */
async function byVault(sent: Instruction | Promise<Instruction>, member = MEMBER): Promise<Instruction> {
  const { accounts = [], data } = await sent;
  const nextGovernance = await addressOf('next governance');
  return {
    programAddress: MULTISIG,
    accounts: [
      { address: member, role: AccountRole.READONLY_SIGNER },
      { address: VAULT, role: AccountRole.READONLY },
      { address: PROGRAM, role: AccountRole.READONLY },
      ...accounts.map((account) =>
        account.address === nextGovernance ? { address: VAULT, role: AccountRole.READONLY } : account,
      ),
    ],
    data: Uint8Array.of(BUMP, ...data!),
  };
}

const authority = 'next governance';

it('accepts the nomination of an address without a key', () => {
  expect(configOf(chain)).toMatchObject({ authority: VAULT, nominee: none() });
});

it('sends every instruction of governance', async () => {
  chain.fund(TREASURY, SOL);
  const sent = [
    pause({ authority }),
    unpause({ authority }),
    setPassFee({ authority }),
    setGuardian({ authority }),
    endPasses({ authority }),
    setVerifier({ authority }),
    setCircuit({ authority }),
    retireCircuit({ authority }),
    withdrawFees({ authority, lamports: 5n }),
  ];
  for (const instruction of sent) await chain.confirm(byVault(instruction));

  expect(configOf(chain)).toMatchObject({
    paused: false,
    passFee: { value: PASS_FEE },
    guardian: { value: await addressOf('guardian') },
    passesValidFrom: NOW + 1n,
  });
  expect(chain.account(await verifierAt('verifier'))).not.toBeNull();
  expect(chain.lamports(UNRELATED_WALLET)).toBeGreaterThanOrEqual(5n);
});

it('hands governance back to a key', async () => {
  await chain.confirm(byVault(nominateAuthority({ authority, nominee: UNRELATED_WALLET })));
  await chain.confirm(acceptAuthority({ nominee: 'unrelated wallet' }));
  expect(configOf(chain).authority).toBe(UNRELATED_WALLET);
});

it('is refused without the multisig, and for the vault of another member', async () => {
  const direct = await byVault(pause({ authority }), UNRELATED_WALLET);
  expect((await chain.send(direct)).refusal).not.toBeNull();
  await chain.reject('NOT_AUTHORITY', pause());
  const unsigned = {
    ...(await pause()),
    accounts: [VAULT, CONFIG].map((address) => ({ address, role: AccountRole.WRITABLE })),
  };
  await chain.reject('MISSING_SIGNATURE', unsigned);
  expect(configOf(chain).paused).toBe(false);
});

import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferCheckedInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { programAddresses, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../addresses.ts';
import { integerToBytes } from '../eligibility/field.ts';
import {
  getBindMintInstruction,
  getCreateRuleSetInstruction,
  getIssueTokensInstruction,
  getProveInstruction,
} from '../generated/index';
import { PROVE_ACCOUNTS } from '../generated/operation-accounts';
import { DEVELOPMENT_PROGRAM } from '../index.ts';
import { accountMetas, addressesByName } from './account-roles.ts';
import {
  bindMintInstruction,
  createRuleSetInstruction,
  issueInstruction,
  proveInstruction,
  transferInstruction,
} from './instruction.ts';

const [wallet, mint, rule, destination, source, verifier, circuit] = [
  'wa11et',
  'mint',
  'ru1e',
  'destinat',
  'source',
  'verifier',
  'circuit',
].map((name) => name.padEnd(43, '2') as Address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const program = DEVELOPMENT_PROGRAM;
const at = programAddresses(program);
const signer = createNoopSigner(wallet);

/** Returns the parts of an instruction that a message contains. */
const partsOf = ({ programAddress, accounts = [], data }: Instruction) => ({
  programAddress,
  accounts: accounts.map(({ address, role }) => ({ address, role })),
  data: [...(data ?? [])],
});

describe('the instruction of an operation is the one of the generated client', () => {
  it('for CREATE_RULE_SET', async () => {
    const fields = { nonce: 7n, name: 'Adults', maxPassAgeSeconds: 86_400n };
    const clause = { regionMask: 5n, statusMask: 3, minAge: 18 };
    const created = createRuleSetInstruction(program, {
      kind: 'CREATE_RULE_SET',
      wallet,
      ...fields,
      clauses: [clause],
    });
    const expected = getCreateRuleSetInstruction({
      creator: signer,
      ruleSet: await at.ruleSet(wallet, 7n),
      config: await at.config(),
      systemProgram: SYSTEM_PROGRAM,
      ...fields,
      clauses: [{ ...clause, regionMask: integerToBytes(5n) }],
    });
    expect(partsOf(await created)).toEqual(partsOf(expected));
  });

  it('for BIND_MINT', async () => {
    const bound = bindMintInstruction(program, {
      kind: 'BIND_MINT',
      wallet,
      mint,
      rule,
      requireSource: true,
    });
    const expected = getBindMintInstruction({
      issuer: signer,
      mint,
      ruleSet: rule,
      mintBinding: await at.mintBinding(mint),
      extraAccountMetaList: await at.extraAccountMetaList(mint),
      config: await at.config(),
      tokenProgram: TOKEN_2022_PROGRAM,
      systemProgram: SYSTEM_PROGRAM,
      requireSource: true,
    });
    expect(partsOf(await bound)).toEqual(partsOf(expected));
  });

  it('for PROVE', async () => {
    const fields = { expiresAt: 9n, asOf: 65_000, proof: new Uint8Array(256).fill(3) };
    const intent = { kind: 'PROVE', wallet, rule, ...fields } as const;
    const expected = getProveInstruction({
      wallet: signer,
      config: await at.config(),
      ruleSet: rule,
      credential: await at.credential(wallet),
      verifier,
      circuit,
      pass: await at.pass(rule, wallet),
      systemProgram: SYSTEM_PROGRAM,
      ...fields,
    });
    expect(partsOf(await proveInstruction(program, intent, { verifier, circuit }))).toEqual(
      partsOf(expected),
    );
  });

  it.each([
    ['in a place', undefined],
    ['in the place of another wallet', destination],
  ])('for PROVE %s', async (_, replaces) => {
    const tag = new Uint8Array(32).fill(7);
    const fields = { expiresAt: 9n, asOf: 65_000, proof: new Uint8Array(256).fill(3) };
    const place = { number: 1, tag };
    const intent = { kind: 'PROVE', wallet, rule, ...fields, place, replaces } as const;
    const expected = getProveInstruction({
      wallet: signer,
      config: await at.config(),
      ruleSet: rule,
      credential: await at.credential(wallet),
      verifier,
      circuit,
      pass: await at.pass(rule, wallet),
      systemProgram: SYSTEM_PROGRAM,
      place: await at.place(rule, tag),
      ...(replaces ? { replacedWallet: replaces, replacedPass: await at.pass(rule, replaces) } : {}),
      ...fields,
      claim: place,
    });
    const made = partsOf(await proveInstruction(program, intent, { verifier, circuit }));
    expect(made).toEqual(partsOf(expected));
    expect([made.accounts.length, made.data.length]).toEqual([replaces ? 11 : 9, 302]);
  });

  it('for ISSUE', async () => {
    const intent = { kind: 'ISSUE', wallet, mint, destination, amount: 5n } as const;
    const expected = getIssueTokensInstruction({
      issuer: signer,
      config: await at.config(),
      mintBinding: await at.mintBinding(mint),
      mint,
      destination,
      pass: await at.pass(rule, verifier),
      credential: await at.credential(verifier),
      tokenProgram: TOKEN_2022_PROGRAM,
      amount: 5n,
    });
    const issued = issueInstruction(program, intent, { rule, destinationOwner: verifier });
    expect(partsOf(await issued)).toEqual(partsOf(expected));
  });

  it('for TRANSFER, before the accounts of the hook', async () => {
    const intent = { kind: 'TRANSFER', wallet, mint, source, destination, amount: 5n } as const;
    const facts = {
      rule,
      requireSource: true,
      readsCredential: false,
      decimals: 2,
      sourceOwner: wallet,
      destinationOwner: verifier,
    };
    const { accounts, ...transferred } = partsOf(await transferInstruction(program, intent, facts));
    const expected = getTransferCheckedInstruction(
      { source, mint, destination, authority: signer, amount: 5n, decimals: 2 },
      { programAddress: TOKEN_2022_PROGRAM },
    );
    expect({ ...transferred, accounts: accounts.slice(0, 4) }).toEqual(partsOf(expected));
    expect(accounts).toHaveLength(9);
  });

  it('for TRANSFER, with the records that the binding requires', async () => {
    const intent = { kind: 'TRANSFER', wallet, mint, source, destination, amount: 5n } as const;
    const owners = { sourceOwner: wallet, destinationOwner: verifier };
    const records = async (requireSource: boolean, readsCredential: boolean) => {
      const facts = { rule, requireSource, readsCredential, decimals: 2, ...owners };
      const { accounts } = partsOf(await transferInstruction(program, intent, facts));
      expect(accounts.slice(4).every(({ role }) => role === 0)).toBe(true);
      const addresses = accounts.slice(4).map(({ address }) => address);
      expect(addresses[0]).toBe(await at.config());
      expect(addresses.slice(-2)).toEqual([program, await at.extraAccountMetaList(mint)]);
      return addresses.slice(1, -2);
    };
    const passes = [await at.pass(rule, verifier), await at.pass(rule, wallet)];
    const credentials = [await at.credential(verifier), await at.credential(wallet)];
    expect(await records(false, false)).toEqual([passes[0]]);
    expect(await records(true, false)).toEqual(passes);
    expect(await records(false, true)).toEqual([passes[0], credentials[0]]);
    expect(await records(true, true)).toEqual([passes[0], credentials[0], passes[1], credentials[1]]);
  });
});

describe('addressesByName', () => {
  const listed = [wallet, mint, rule, destination, source, verifier, circuit, SYSTEM_PROGRAM];

  it('reads what accountMetas writes, and ignores accounts after those of the program', () => {
    const named = addressesByName(PROVE_ACCOUNTS, [...listed, mint]);
    expect(named).toMatchObject({ wallet, config: mint, pass: circuit });
    expect(accountMetas(PROVE_ACCOUNTS, named).map(({ address }) => address)).toEqual(listed);
  });

  it('throws if an account is missing', () => {
    expect(() => addressesByName(PROVE_ACCOUNTS, listed.slice(1))).toThrow(RangeError);
  });
});

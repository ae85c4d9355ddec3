import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readArtifacts } from '@service/circuit';
import {
  bindMintInstruction,
  createRuleSetInstruction,
  credentialMessage,
  formatChallenge,
  issueCredentialInstructions,
  issueInstruction,
  operationMessage,
  parseChallenge,
  programAddresses,
  proveInstruction,
  transferInstruction,
} from '@service/protocol';
import {
  asOfDateCode,
  clauseHash,
  clauseHashes,
  commitmentOf,
  contextHash,
  decodeProof,
  EMPTY_CLAUSE_HASH,
  encodeProof,
  fieldToBytes,
  parseBirthDate,
  passHash,
  ruleHash,
  type SnarkjsVerifyingKey,
} from '@service/protocol/eligibility';
import type { Address, Instruction } from '@solana/kit';
import { curves, groth16 } from 'snarkjs';
import { afterAll, describe, expect, it } from 'vitest';
import {
  addressBytes,
  addresses,
  attributesOf,
  bytesOf,
  challenge,
  clauseOf,
  credential,
  eligibility,
  hexOf,
  messages,
  proof,
} from './vectors.ts';

const makeFolder = new URL('make/', import.meta.url);

describe('the vectors', () => {
  it('are what their maker writes', () => {
    const script = fileURLToPath(new URL('make.mjs', makeFolder));
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('are made by code that imports nothing but Node', () => {
    const scripts = readdirSync(makeFolder).filter((name) => name.endsWith('.mjs'));
    const imported = scripts.flatMap((name) => {
      const source = readFileSync(new URL(name, makeFolder), 'utf8');
      expect(source, name).not.toMatch(/\bimport\s*\(|\brequire\b/);
      return [...source.matchAll(/\bfrom '([^']+)'/g)].map(([, specifier]) => specifier!);
    });
    const foreign = imported.filter((from) => !from.startsWith('./') && !isBuiltin(from));
    expect(imported.length).toBeGreaterThan(10);
    expect(foreign).toEqual([]);
  });
});

describe('addresses', () => {
  const at = programAddresses(addresses.program as Address);
  const derive: Record<string, (...seeds: string[]) => Promise<Address>> = {
    config: () => at.config(),
    treasury: () => at.treasury(),
    verifier: (authority) => at.verifier(authority as Address),
    circuit: (id) => at.circuit(id!),
    credential: (wallet) => at.credential(wallet as Address),
    ruleSet: (creator, nonce) => at.ruleSet(creator as Address, BigInt(nonce!)),
    mintBinding: (mint) => at.mintBinding(mint as Address),
    pass: (rule, wallet) => at.pass(rule as Address, wallet as Address),
    extraAccountMetaList: (mint) => at.extraAccountMetaList(mint as Address),
  };

  it.each(addresses.derived)('$account', async ({ account, seeds, address }) => {
    expect(await derive[account]!(...seeds)).toBe(address);
  });
});

describe('eligibility', () => {
  const hash = (element: bigint) => hexOf(fieldToBytes(element));

  it('hashes clauses, and the empty one', () => {
    expect(hash(EMPTY_CLAUSE_HASH)).toBe(eligibility.emptyClause);
    for (const { clause, hash: expected } of eligibility.clauses) {
      expect(hash(clauseHash(clauseOf(clause)))).toBe(expected);
    }
  });

  it('hashes rules of one, three and eight clauses', async () => {
    expect(eligibility.rules.map(({ clauses }) => clauses.length)).toEqual([1, 3, 8]);
    for (const { clauses, hash: expected } of eligibility.rules) {
      expect(await ruleHash(clauses.map(clauseOf))).toBe(expected);
    }
  });

  it('commits to attributes', () => {
    const { attributes, hash: expected } = eligibility.commitment;
    expect(parseBirthDate(attributes.birthDate)).toBe(eligibility.birthDateCode);
    expect(hash(commitmentOf(attributesOf(attributes)))).toBe(expected);
  });

  it('hashes the pass and the context', async () => {
    const { attributes, clauses, rule, wallet, asOfDateCode: day, ...texts } = eligibility.context;
    const expiresAt = BigInt(texts.expiresAt);
    const asOf = asOfDateCode({ expiresAt, maxPassAgeSeconds: BigInt(texts.maxPassAgeSeconds) });
    expect(asOf).toBe(day);
    const pass = await passHash({ rule: addressBytes(rule), wallet: addressBytes(wallet), expiresAt });
    expect(hash(pass)).toBe(texts.passHash);
    const facts = {
      clauseHashes: clauseHashes(clauses.map(clauseOf)),
      commitment: commitmentOf(attributesOf(attributes)),
      asOf,
      passHash: pass,
    };
    expect(hash(contextHash(facts))).toBe(texts.hash);
  });
});

describe('a proof', () => {
  afterAll(async () => {
    await (await curves.getCurveFromName('bn128')).terminate();
  });

  it('goes on chain in these 256 bytes, and back', () => {
    expect(hexOf(encodeProof(proof.snarkjs))).toBe(proof.bytes);
    expect(decodeProof(bytesOf(proof.bytes))).toEqual(proof.snarkjs);
  });

  it('verifies by the committed key for the context hash of the vectors', async () => {
    const { vkey } = await readArtifacts();
    const key = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;
    const signals = [BigInt(`0x${eligibility.context.hash}`).toString()];
    // Not so after the circuit's keys have changed: README.md says how to make the fixture anew.
    expect(await groth16.verify(key, signals, decodeProof(bytesOf(proof.bytes)))).toBe(true);
  });
});

describe('a credential', () => {
  const { statement: plain } = credential;
  const statement = {
    program: plain.program as Address,
    genesisHash: plain.genesisHash,
    wallet: plain.wallet as Address,
    commitment: bytesOf(plain.commitment),
    issuedAt: BigInt(plain.issuedAt),
    expiresAt: BigInt(plain.expiresAt),
  };

  it('is signed over these bytes', () => {
    expect(hexOf(credentialMessage(statement))).toBe(credential.message);
  });

  it('is shown to the precompile in these bytes', async () => {
    const [precompile] = await issueCredentialInstructions({
      payer: plain.wallet as Address,
      statement,
      verifierAuthority: credential.verifierAuthority as Address,
      signature: bytesOf(credential.signature),
    });
    expect(hexOf(Uint8Array.from(precompile!.data!))).toBe(credential.ed25519InstructionData);
  });
});

describe('the sign-in challenge', () => {
  const fields = {
    ...challenge.fields,
    wallet: challenge.fields.wallet as Address,
    program: challenge.fields.program as Address,
    issuedAt: BigInt(challenge.fields.issuedAt),
    expiresAt: BigInt(challenge.fields.expiresAt),
  };

  it('is this text, and reads back', () => {
    expect(formatChallenge(fields)).toBe(challenge.message);
    expect(parseChallenge(challenge.message)).toEqual(fields);
  });
});

type Operation = (typeof messages)[number];

/** The instruction of an operation of the vectors, by our plans. */
async function instructionOf({ program: at, intent: plain, facts: given }: Operation): Promise<Instruction> {
  const program = at as Address;
  const intent = plain as unknown as Record<string, string> & {
    wallet: Address;
    mint: Address;
    rule: Address;
  };
  const facts = given as unknown as Record<string, string> & { rule: Address; destinationOwner: Address };
  const { wallet, mint, rule } = intent;
  const amount = BigInt(intent.amount ?? 0);
  const destination = intent.destination as Address;
  const addressOf = programAddresses(program);
  switch (plain.kind) {
    case 'CREATE_RULE_SET':
      return createRuleSetInstruction(program, {
        kind: plain.kind,
        wallet,
        name: intent.name!,
        nonce: BigInt(intent.nonce!),
        clauses: plain.clauses!.map(clauseOf),
        maxPassAgeSeconds: BigInt(intent.maxPassAgeSeconds!),
      });
    case 'BIND_MINT':
      return bindMintInstruction(program, {
        kind: plain.kind,
        wallet,
        mint,
        rule,
        requireSource: plain.requireSource!,
      });
    case 'PROVE':
      return proveInstruction(
        program,
        {
          kind: plain.kind,
          wallet,
          rule,
          expiresAt: BigInt(intent.expiresAt!),
          proof: bytesOf(intent.proof!),
        },
        {
          verifier: await addressOf.verifier(facts.verifierAuthority as Address),
          circuit: await addressOf.circuit(facts.circuitId!),
        },
      );
    case 'ISSUE':
      return issueInstruction(program, { kind: plain.kind, wallet, mint, destination, amount }, facts);
    case 'TRANSFER':
      return transferInstruction(
        program,
        { kind: plain.kind, wallet, mint, source: intent.source as Address, destination, amount },
        {
          ...facts,
          requireSource: given.requireSource!,
          decimals: given.decimals!,
          sourceOwner: facts.sourceOwner as Address,
        },
      );
    default:
      throw new Error(`There is no operation ${plain.kind}.`);
  }
}

describe('the message of an operation', () => {
  it('is there for each of the five kinds', () => {
    const kinds = messages.map(({ intent }) => intent.kind);
    expect([...new Set(kinds)].sort()).toEqual([
      'BIND_MINT',
      'CREATE_RULE_SET',
      'ISSUE',
      'PROVE',
      'TRANSFER',
    ]);
  });

  it.each(messages)('$intent.kind', async (operation) => {
    const message = operationMessage({
      wallet: operation.intent.wallet as Address,
      operationId: operation.operationId,
      blockhash: operation.blockhash,
      instruction: await instructionOf(operation),
    });
    expect(hexOf(message)).toBe(operation.message);
  });
});

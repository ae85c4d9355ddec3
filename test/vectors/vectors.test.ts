import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readArtifacts } from '@service/circuit';
import { OPERATION_KINDS } from '@service/contract';
import {
  bindMintInstruction,
  type ChallengeFields,
  type CredentialStatement,
  createRuleSetInstruction,
  credentialMessage,
  formatChallenge,
  grantInstruction,
  type Intent,
  issueCredentialInstructions,
  issueInstruction,
  operationMessage,
  parseChallenge,
  programAddresses,
  proveInstruction,
  recoverInstruction,
  redeemInstruction,
  suspendInstruction,
  type TransferFacts,
  transferInstruction,
} from '@service/protocol';
import {
  clauseHash,
  clauseHashes,
  commitmentOf,
  contextHash,
  decodeProof,
  EMPTY_CLAUSE_HASH,
  encodeProof,
  fieldToBytes,
  joinProof,
  parseBirthDate,
  passHash,
  ruleHash,
  type SnarkjsVerifyingKey,
  scopeOf,
  splitProof,
  tagOf,
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

/** Converts some fields of an object from decimal strings to bigint. */
function withBigints(plain: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  const present = names.filter((name) => name in plain);
  return { ...plain, ...Object.fromEntries(present.map((name) => [name, BigInt(plain[name] as string)])) };
}

const makeFolder = new URL('make/', import.meta.url);

describe('the vectors', () => {
  it('are what make.mjs writes', () => {
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
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter((from) => !from.startsWith('./') && !isBuiltin(from))).toEqual([]);
  });
});

describe('addresses', () => {
  type Derive = (...seeds: (string | bigint | Uint8Array)[]) => Promise<Address>;
  const at = programAddresses(addresses.program as Address) as unknown as Record<string, Derive>;

  it.each(addresses.derived)('$account', async ({ account, seeds, address }) => {
    // Only the nonce of a rule set is a number, and only the tag of a place is in hex.
    const typed = seeds.map((seed) =>
      /^\d+$/.test(seed) ? BigInt(seed) : /^[0-9a-f]{64}$/.test(seed) ? bytesOf(seed) : seed,
    );
    expect(await at[account]!(...typed)).toBe(address);
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
    const asOf = parseBirthDate(texts.asOf);
    expect(asOf).toBe(day);
    const pass = await passHash({ rule: addressBytes(rule), wallet: addressBytes(wallet), expiresAt });
    expect(hash(pass)).toBe(texts.passHash);
    const commitment = commitmentOf(attributesOf(attributes));
    const facts = { clauseHashes: clauseHashes(clauses.map(clauseOf)), commitment, asOf, passHash: pass };
    expect(hash(contextHash(facts))).toBe(texts.hash);

    expect(eligibility.places.map(({ place }) => place)).toEqual([0, 1, 254]);
    for (const { place, scope: expectedScope, tag: expectedTag, hash: expected } of eligibility.places) {
      const scope = await scopeOf({ rule: addressBytes(rule), place });
      const tag = tagOf({ person: BigInt(attributes.person), scope });
      expect([hash(scope), hash(tag)]).toEqual([expectedScope, expectedTag]);
      expect(hash(contextHash({ ...facts, place: { scope, tag } }))).toBe(expected);
    }
  });
});

describe('a proof', () => {
  afterAll(async () => {
    await (await curves.getCurveFromName('bn128')).terminate();
  });

  it('is encoded as these 256 bytes, and decoded from them', () => {
    expect(hexOf(encodeProof(proof.snarkjs))).toBe(proof.bytes);
    expect(decodeProof(bytesOf(proof.bytes))).toEqual(proof.snarkjs);
  });

  it('with a place is encoded as these 289 bytes, and split into both', () => {
    const { place, bytes } = proof.withPlace;
    const parts = { proof: bytesOf(proof.bytes), place: { ...place, tag: bytesOf(place.tag) } };
    expect(bytesOf(bytes)).toHaveLength(289);
    expect(hexOf(joinProof(parts))).toBe(bytes);
    expect(splitProof(bytesOf(bytes))).toEqual(parts);
    expect(splitProof(bytesOf(proof.bytes))).toEqual({ proof: parts.proof });
  });

  it('verifies with the committed key for the context hash of the vectors', async () => {
    const { vkey } = await readArtifacts();
    const key = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;
    const signals = [BigInt(`0x${eligibility.context.hash}`).toString()];
    // This fails after the circuit's keys have changed: README.md explains how to make the fixture again.
    expect(await groth16.verify(key, signals, decodeProof(bytesOf(proof.bytes)))).toBe(true);
  });
});

describe('a credential', () => {
  const statement = {
    ...withBigints(credential.statement, 'issuedAt', 'expiresAt'),
    commitment: bytesOf(credential.statement.commitment),
  } as CredentialStatement;

  it('is signed as these bytes', () => {
    expect(hexOf(credentialMessage(statement))).toBe(credential.message);
  });

  it('is passed to the precompile as these bytes', async () => {
    const [precompile] = await issueCredentialInstructions({
      payer: statement.wallet,
      statement,
      verifierAuthority: credential.verifierAuthority as Address,
      signature: bytesOf(credential.signature),
    });
    expect(hexOf(Uint8Array.from(precompile!.data!))).toBe(credential.ed25519InstructionData);
  });
});

describe('the sign-in challenge', () => {
  const fields = withBigints(challenge.fields, 'issuedAt', 'expiresAt') as unknown as ChallengeFields;

  it('is formatted as this text, and parsed from it', () => {
    expect(formatChallenge(fields)).toBe(challenge.message);
    expect(parseChallenge(challenge.message)).toEqual(fields);
  });
});

type Operation = (typeof messages)[number];

/** Builds the instruction of an operation by our plans. Converts the plain texts to the types of an intent first. */
async function instructionOf(operation: Operation): Promise<Instruction> {
  const program = operation.program as Address;
  const { clauses, proof: hex, place } = operation.intent;
  const intent = {
    ...withBigints(operation.intent, 'amount', 'expiresAt', 'maxPassAgeSeconds', 'nonce', 'until'),
    ...(clauses && { clauses: clauses.map(clauseOf) }),
    ...(hex && { proof: bytesOf(hex) }),
    ...(place && { place: { ...place, tag: bytesOf(place.tag) } }),
  } as Intent;
  const facts = operation.facts as unknown as TransferFacts & {
    verifierAuthority: Address;
    circuitId: string;
  };
  const at = programAddresses(program);
  switch (intent.kind) {
    case 'CREATE_RULE_SET':
      return createRuleSetInstruction(program, intent);
    case 'BIND_MINT':
      return bindMintInstruction(program, intent);
    case 'PROVE': {
      const verifier = await at.verifier(facts.verifierAuthority);
      return proveInstruction(program, intent, { verifier, circuit: await at.circuit(facts.circuitId) });
    }
    case 'ISSUE':
      return issueInstruction(program, intent, facts);
    case 'TRANSFER':
      return transferInstruction(program, intent, facts);
    case 'RECOVER':
      return recoverInstruction(program, intent, facts);
    case 'REDEEM':
      return redeemInstruction(program, intent);
    case 'SUSPEND':
      return suspendInstruction(program, intent);
    case 'GRANT':
      return grantInstruction(program, intent);
  }
}

describe('the message of an operation', () => {
  it('exists for each kind', () => {
    expect(new Set(messages.map(({ intent }) => intent.kind))).toEqual(new Set(OPERATION_KINDS));
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

// Writes the vectors anew (node test/vectors/make/make.mjs), or with --check says which files differ and exits with 1.
import { readFileSync, writeFileSync } from 'node:fs';
import { accountsOf } from './addresses.mjs';
import { bigEndian } from './bytes.mjs';
import { challengeText } from './challenge.mjs';
import { credentialMessage, ed25519Data, signWith } from './credential.mjs';
import {
  clauseHash,
  commitment,
  contextHash,
  dateCode,
  dateOf,
  passHash,
  proofBytes,
  ruleHash,
} from './eligibility.mjs';
import {
  ATTRIBUTES,
  addressOf,
  BLOCKHASH,
  bytesOf,
  CIRCUIT_ID,
  CLAUSES,
  CREDENTIAL_EXPIRES_AT,
  CREDENTIAL_ISSUED_AT,
  EIGHT_CLAUSES,
  GENESIS_HASH,
  MAX_PASS_AGE_SECONDS,
  OPERATION_ID,
  PASS_EXPIRES_AT,
  PROGRAM,
  walletOf,
} from './facts.mjs';
import { operationMessage } from './operations.mjs';

const folder = new URL('../', import.meta.url);
const hex = (element) => bigEndian(element, 32).toString('hex');

const at = accountsOf(PROGRAM);
const [issuer, holder, other] = ['issuer', 'holder', 'other holder'].map(walletOf);
const verifierAuthority = walletOf('verifier');
const mint = walletOf('mint');
const nonce = '18446744073709551615';
const rule = at.ruleSet(issuer, nonce).address;

const snarkjsProof = JSON.parse(readFileSync(new URL('snarkjs-proof.json', import.meta.url), 'utf8'));

function addressVectors() {
  const inputs = {
    config: [],
    treasury: [],
    verifier: [verifierAuthority],
    circuit: [CIRCUIT_ID],
    credential: [holder],
    ruleSet: [issuer, nonce],
    mintBinding: [mint],
    pass: [rule, holder],
    extraAccountMetaList: [mint],
  };
  const derived = Object.entries(inputs).map(([account, seeds]) => ({
    account,
    seeds,
    ...at[account](...seeds),
  }));
  return { program: PROGRAM, derived };
}

function eligibilityVectors() {
  const context = {
    attributes: ATTRIBUTES,
    clauses: CLAUSES,
    rule,
    wallet: holder,
    expiresAt: PASS_EXPIRES_AT,
    maxPassAgeSeconds: MAX_PASS_AGE_SECONDS,
  };
  const asOf = dateOf(BigInt(PASS_EXPIRES_AT) - BigInt(MAX_PASS_AGE_SECONDS));
  return {
    emptyClause: hex(clauseHash({ regions: [], statuses: [], minAge: 0 })),
    clauses: [...CLAUSES, ...EIGHT_CLAUSES].map((clause) => ({ clause, hash: hex(clauseHash(clause)) })),
    rules: [CLAUSES.slice(0, 1), CLAUSES, EIGHT_CLAUSES].map((clauses) => ({
      clauses,
      hash: ruleHash(clauses).toString('hex'),
    })),
    birthDateCode: Number(dateCode(ATTRIBUTES.birthDate)),
    commitment: { attributes: ATTRIBUTES, hash: hex(commitment(ATTRIBUTES)) },
    context: {
      ...context,
      asOf,
      asOfDateCode: Number(dateCode(asOf)),
      passHash: hex(passHash(context)),
      hash: hex(contextHash(context)),
    },
  };
}

function credentialVectors() {
  const statement = {
    program: PROGRAM,
    genesisHash: GENESIS_HASH,
    wallet: holder,
    commitment: hex(commitment(ATTRIBUTES)),
    issuedAt: CREDENTIAL_ISSUED_AT,
    expiresAt: CREDENTIAL_EXPIRES_AT,
  };
  const message = credentialMessage(statement);
  const signature = signWith(bytesOf('verifier'), message);
  const data = ed25519Data({ publicKey: verifierAuthority, signature, message });
  return {
    statement,
    message: message.toString('hex'),
    verifierAuthority,
    signature: signature.toString('hex'),
    ed25519InstructionData: data.toString('hex'),
  };
}

function challengeVectors() {
  const fields = {
    origin: 'https://app.example:8443',
    wallet: holder,
    program: PROGRAM,
    genesisHash: GENESIS_HASH,
    nonce: 'Nonce0123456789abcdefABCDEF',
    challengeId: '0b8f5d7e-1111-4222-8333-944455556666',
    issuedAt: '1760000000',
    expiresAt: '1760000300',
  };
  return { fields, message: challengeText(fields) };
}

function proofVectors() {
  return { snarkjs: snarkjsProof, bytes: proofBytes(snarkjsProof).toString('hex') };
}

function messageVectors() {
  const passFacts = { rule, destinationOwner: other };
  const transfer = {
    kind: 'TRANSFER',
    wallet: holder,
    mint,
    source: addressOf('source'),
    destination: addressOf('destination'),
    amount: '1250',
  };
  const transferFacts = { ...passFacts, sourceOwner: holder, decimals: 2 };
  const operations = [
    [
      {
        kind: 'CREATE_RULE_SET',
        wallet: issuer,
        name: 'Anlegerkreis Zürich',
        nonce,
        clauses: CLAUSES,
        maxPassAgeSeconds: MAX_PASS_AGE_SECONDS,
      },
      {},
    ],
    [{ kind: 'BIND_MINT', wallet: issuer, mint, rule, requireSource: true }, {}],
    [
      { kind: 'PROVE', wallet: holder, rule, expiresAt: PASS_EXPIRES_AT, proof: proofVectors().bytes },
      { verifierAuthority, circuitId: CIRCUIT_ID },
    ],
    [
      {
        kind: 'ISSUE',
        wallet: issuer,
        mint,
        destination: addressOf('destination'),
        amount: '18446744073709551615',
      },
      passFacts,
    ],
    [transfer, { ...transferFacts, requireSource: false }],
    [transfer, { ...transferFacts, requireSource: true }],
  ];
  return operations.map(([intent, facts]) => {
    const operation = { program: PROGRAM, operationId: OPERATION_ID, blockhash: BLOCKHASH, intent, facts };
    return { ...operation, message: operationMessage(operation).toString('hex') };
  });
}

const files = {
  'addresses.json': addressVectors(),
  'challenge.json': challengeVectors(),
  'credential.json': credentialVectors(),
  'eligibility.json': eligibilityVectors(),
  'messages.json': messageVectors(),
  'proof.json': proofVectors(),
};

const isCheck = process.argv.includes('--check');
for (const [name, content] of Object.entries(files)) {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const file = new URL(name, folder);
  if (!isCheck) {
    writeFileSync(file, text);
  } else if (text !== readFileSync(file, 'utf8')) {
    console.error(
      `${name} is not what make.mjs writes: run node test/vectors/make/make.mjs and look at the difference`,
    );
    process.exitCode = 1;
  }
}

// Writes the vectors (node test/vectors/make/make.mjs). With --check, lists the files that differ and exits with 1.
import { readFileSync, writeFileSync } from 'node:fs';
import { accountsOf } from './addresses.mjs';
import { bigEndian, encodeBase58, sha256 } from './bytes.mjs';
import { addressOfSeed, credentialMessage, ed25519Data, signWith } from './credential.mjs';
import {
  clauseHash,
  commitment,
  contextHash,
  dateCode,
  limitedContextHash,
  passHash,
  proofBytes,
  ruleHash,
  scope,
  tag,
} from './eligibility.mjs';
import { operationMessage } from './operations.mjs';

// The fixed input of all vectors. Keys come from texts that anyone can read, so they protect nothing.
const bytesOf = (name) => sha256(Buffer.from(`vector ${name}`));
/** Returns an address without a known key. */
const addressOf = (name) => encodeBase58(bytesOf(name));
/** Returns the address of a key. */
const walletOf = (name) => addressOfSeed(bytesOf(name));

const program = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi';
const genesisHash = addressOf('genesis hash');
const circuitId = 'eligibility-2';
const verifierAuthority = walletOf('verifier');
const [issuer, holder, other] = ['issuer', 'holder', 'other holder'].map(walletOf);
const mint = walletOf('mint');
const maxPassAgeSeconds = '2592000';
const passExpiresAt = '1762592000';
/** The day on which age is counted. */
const asOf = '2025-10-09';
const attributes = {
  region: 56,
  status: 1,
  birthDate: '1990-02-28',
  salt: '9876543210987654321098765432109876543210987654321098765432109876543210987',
  person: '12345678901234567890123456789012345678901234567890123456789012345678901234',
};

const upTo = (length) => Array.from({ length }, (_, index) => index);
/** Indexes of regions and statuses. The attributes meet the second clause. */
const clauses = [
  { regions: [0, 252], statuses: [31], minAge: 21 },
  { regions: [13, 56, 74, 180], statuses: [0, 1, 2, 3], minAge: 18 },
  { regions: upTo(253), statuses: upTo(32), minAge: 255 },
];
const eightClauses = upTo(8).map((n) => ({ regions: [n, n * 31], statuses: [n * 4], minAge: n * 9 }));

const hex = (element) => bigEndian(element, 32).toString('hex');
const at = accountsOf(program);
const nonce = '18446744073709551615';
const rule = at.ruleSet(issuer, nonce).address;
const snarkjs = JSON.parse(readFileSync(new URL('snarkjs-proof.json', import.meta.url), 'utf8'));
const place = { number: 1, tag: hex(tag(attributes, scope({ rule, place: 1 }))) };
const proofHex = proofBytes(snarkjs).toString('hex');
const proof = { snarkjs, bytes: proofHex, withPlace: { place, bytes: `${proofHex}01${place.tag}` } };

const seedsOf = {
  config: [],
  treasury: [],
  verifier: [verifierAuthority],
  circuit: [circuitId],
  credential: [holder],
  ruleSet: [issuer, nonce],
  mintBinding: [mint],
  pass: [rule, holder],
  place: [rule, place.tag],
  extraAccountMetaList: [mint],
};
const derived = Object.entries(seedsOf).map(([account, seeds]) => ({
  account,
  seeds,
  ...at[account](...seeds),
}));

const hashedRule = (clauses) => ({ clauses, hash: ruleHash(clauses).toString('hex') });

function eligibilityVectors() {
  const context = { attributes, clauses, rule, wallet: holder, expiresAt: passExpiresAt, asOf };
  const hashes = { passHash: hex(passHash(context)), hash: hex(contextHash(context)) };
  const places = [0, 1, 254].map((place) => {
    const ofPlace = scope({ rule, place });
    const hash = hex(limitedContextHash({ ...context, place }));
    return { place, scope: hex(ofPlace), tag: hex(tag(attributes, ofPlace)), hash };
  });
  return {
    emptyClause: hex(clauseHash({ regions: [], statuses: [], minAge: 0 })),
    clauses: [...clauses, ...eightClauses].map((clause) => ({ clause, hash: hex(clauseHash(clause)) })),
    rules: [clauses.slice(0, 1), clauses, eightClauses].map(hashedRule),
    birthDateCode: Number(dateCode(attributes.birthDate)),
    commitment: { attributes, hash: hex(commitment(attributes)) },
    context: { ...context, asOfDateCode: Number(dateCode(asOf)), ...hashes },
    places,
  };
}

function credentialVectors() {
  const statement = {
    program,
    genesisHash,
    wallet: holder,
    commitment: hex(commitment(attributes)),
    issuedAt: '1759900000',
    expiresAt: '1791436000',
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
    program,
    genesisHash,
    nonce: 'Nonce0123456789abcdefABCDEF',
    challengeId: '0b8f5d7e-1111-4222-8333-944455556666',
    issuedAt: '1760000000',
    expiresAt: '1760000300',
  };
  return { fields, message: challengeText(fields) };
}

/** Returns the sign-in message (SPEC.md section 5) in the text form of Sign In With Solana. */
function challengeText(fields) {
  const iso = (unixSeconds) => new Date(Number(unixSeconds) * 1000).toISOString().replace('.000', '');
  return `${fields.origin.replace(/^https?:\/\//, '')} wants you to sign in with your Solana account:
${fields.wallet}

Sign in to the Rule-Set and Pass Service. This signs a message, not a transaction, and costs nothing.

URI: ${fields.origin}
Version: 1
Nonce: ${fields.nonce}
Issued At: ${iso(fields.issuedAt)}
Expiration Time: ${iso(fields.expiresAt)}
Request ID: ${fields.challengeId}
Resources:
- urn:service:program:${fields.program}
- urn:service:genesis:${fields.genesisHash}`;
}

function messageVectors() {
  const [source, destination] = ['source', 'destination'].map(addressOf);
  const passFacts = { rule, destinationOwner: other };
  const transferFacts = { ...passFacts, sourceOwner: holder, decimals: 2 };
  const ruleSet = { name: 'Anlegerkreis Zürich', nonce, clauses, maxPassAgeSeconds };
  const transfer = { kind: 'TRANSFER', wallet: holder, mint, source, destination, amount: '1250' };
  const taken = { wallet: issuer, mint, source, amount: '1250' };
  const act = { wallet: issuer, rule, holder };
  const prove = {
    kind: 'PROVE',
    wallet: holder,
    rule,
    expiresAt: passExpiresAt,
    asOf: Number(dateCode(asOf)),
    proof: proof.bytes,
  };
  const proven = { verifierAuthority, circuitId };
  const operations = [
    [{ kind: 'CREATE_RULE_SET', wallet: issuer, ...ruleSet }, {}],
    [{ kind: 'BIND_MINT', wallet: issuer, mint, rule, requireSource: true }, {}],
    [{ kind: 'BIND_MINT', wallet: issuer, mint, rule, requireSource: true, readsCredential: true }, {}],
    [prove, proven],
    [{ ...prove, place }, proven],
    [{ ...prove, place, replaces: other }, proven],
    [{ kind: 'ISSUE', wallet: issuer, mint, destination, amount: '18446744073709551615' }, passFacts],
    [transfer, { ...transferFacts, requireSource: false, readsCredential: false }],
    [transfer, { ...transferFacts, requireSource: true, readsCredential: false }],
    [transfer, { ...transferFacts, requireSource: true, readsCredential: true }],
    [{ kind: 'RECOVER', ...taken, destination, reason: 'lost-key' }, passFacts],
    [{ kind: 'REDEEM', ...taken, reason: 'redemption' }, {}],
    [{ kind: 'SUSPEND', ...act, until: '18446744073709551615' }, {}],
    [{ kind: 'SUSPEND', ...act, until: '0' }, {}],
    [{ kind: 'GRANT', ...act, expiresAt: passExpiresAt }, {}],
    [{ kind: 'GRANT', ...act, expiresAt: '0' }, {}],
  ];
  const operationId = '3f2b8c1e-6d47-4a90-9b15-c0ffee123456';
  return operations.map(([intent, facts]) => {
    const operation = { program, operationId, blockhash: addressOf('blockhash'), intent, facts };
    return { ...operation, message: operationMessage(operation).toString('hex') };
  });
}

const files = {
  'addresses.json': { program, derived },
  'challenge.json': challengeVectors(),
  'credential.json': credentialVectors(),
  'eligibility.json': eligibilityVectors(),
  'messages.json': messageVectors(),
  'proof.json': proof,
};

const isCheck = process.argv.includes('--check');
for (const [name, content] of Object.entries(files)) {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const file = new URL(`../${name}`, import.meta.url);
  if (!isCheck) {
    writeFileSync(file, text);
  } else if (text !== readFileSync(file, 'utf8')) {
    console.error(`${name} is not current: run node test/vectors/make/make.mjs and look at the difference`);
    process.exitCode = 1;
  }
}

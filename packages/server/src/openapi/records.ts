/** The records that answers are made of (SPEC.md section 2). */
import {
  bindingRecord,
  circuitRecord,
  clauseRecord,
  credentialRecord,
  failureRecord,
  indexRecord,
  manifestRecord,
  operationRecord,
  passportResponse,
  passRecord,
  ruleSetRecord,
  verifierRecord,
} from '@service/contract';
import { type Component, record, value } from './component.ts';

const ruleSet = {
  address: 'Address of the rule set.',
  creator: 'The wallet that made it.',
  nonce: 'The number that tells it from the creator’s other rule sets.',
  name: 'Its name, up to 32 bytes.',
  clauses: 'A person is eligible when any one of these holds.',
  ruleHash: 'Hash of the clauses, made by the program.',
  maxPassAgeSeconds: 'Seconds that a pass may last at most.',
  passFunds: 'Lamports above rent: what pass fees are paid from.',
};

const operation = {
  operationId: 'Id of the operation.',
  kind: 'What the operation does.',
  wallet: 'The wallet that prepared it, signs it and pays its fee.',
  createdAt: 'When it was prepared, in Unix seconds.',
  expiresAt: 'When its draft ends, in Unix seconds.',
  rule: 'Of CREATE_RULE_SET only: the address of the rule set.',
  transaction: 'The unsigned transaction: the memo `service:v1:<operationId>`, then the action.',
  signature: 'The wallet’s signature, by which the transaction is found on chain.',
  slot: 'The slot in which the transaction was executed.',
  indexed: 'Whether the reads show what it did.',
  failure: 'Why it failed.',
};

const STATES = {
  DRAFT: 'Prepared, not signed.',
  EXPIRED: 'Never signed within 90 seconds, or while its blockhash lived.',
  QUEUED: 'Signed and saved.',
  SUBMITTED: 'Broadcast; waits for finality.',
  UNRESOLVED: 'The RPC cannot tell the outcome yet; the same signature is asked for again.',
  FINALIZED: 'Executed and final.',
  FAILED: 'Final, with nothing changed: an error on chain, or it never landed.',
};

const operations = Object.fromEntries(
  operationRecord.def.options.map((option) => {
    const state = option.shape.state.def.values[0]!;
    const name = `${state[0]}${state.slice(1).toLowerCase()}Operation`;
    const fields = { ...operation, state: `${state}: ${STATES[state].toLowerCase()}` };
    const present = Object.entries(fields).filter(([field]) => field in option.shape);
    return [name, record(option as never, STATES[state], Object.fromEntries(present) as never)];
  }),
) as Record<string, Component>;

/** The named records. */
export const RECORDS = {
  Clause: record(
    clauseRecord,
    'Holds for a person of one of the regions and one of the statuses who is old enough.',
    {
      regions: 'Regions, any of which will do; codes that have no name are left out.',
      statuses: 'Statuses, any of which will do.',
      minAge: 'Least age in whole years.',
    },
  ),
  RuleSet: record(ruleSetRecord, 'A rule set.', ruleSet),
  PassportRuleSet: record(passportResponse.shape.ruleSets.def.element, 'A rule set with its live passes.', {
    ...ruleSet,
    livePasses: 'Passes that have not ended.',
  }),
  Credential: record(credentialRecord, 'The credential of a wallet.', {
    address: 'Address of the credential.',
    wallet: 'The wallet that holds it.',
    verifier: 'Address of the verifier, not of its key.',
    commitment: 'Commitment to the person’s attributes.',
    issuedAt: 'When it was issued, in Unix seconds.',
    expiresAt: 'When it ends, in Unix seconds.',
    revoked: 'Whether the verifier took it back.',
  }),
  Pass: record(passRecord, 'A pass: live while expiresAt is later than the chain time.', {
    address: 'Address of the pass.',
    rule: 'The rule set that was proved.',
    wallet: 'The wallet that holds it.',
    verifier: 'The verifier of the credential it was proved with.',
    circuit: 'The circuit it was proved under.',
    issuedAt: 'When it was opened or renewed, in Unix seconds.',
    expiresAt: 'When it ends, in Unix seconds.',
  }),
  Binding: record(bindingRecord, 'A mint binding: which rule set a mint’s transfers ask.', {
    address: 'Address of the binding.',
    mint: 'The token mint.',
    rule: 'The rule set.',
    issuer: 'The wallet that bound the mint and issues its tokens.',
    requireSource: 'Whether senders need a pass too.',
  }),
  Verifier: record(verifierRecord, 'A verifier of persons.', {
    address: 'Address of the verifier.',
    authority: 'The key that signs its credentials.',
    name: 'Its name.',
    active: 'Whether its credentials can prove.',
  }),
  Circuit: record(circuitRecord, 'A circuit that proofs are made under.', {
    address: 'Address of the circuit.',
    id: 'Its name.',
    artifactsDigest: 'SHA-256 of the manifest of its proof artifacts.',
    retiredAt: 'When it stops being accepted, in Unix seconds; null while that is not set.',
  }),
  Index: record(indexRecord, 'How far the service has read the chain.', {
    slot: 'A finalized slot.',
    time: 'The time of that slot, in Unix seconds.',
  }),
  Manifest: record(
    manifestRecord,
    'The proof artifact manifest. Its SHA-256 in canonical JSON is its digest.',
    {
      circuit: 'Name of the circuit.',
      protocol: 'The proof system.',
      curve: 'The curve.',
      publicSignals: 'Names of the public signals, in order.',
      compiler: 'What compiled the circuit.',
      constraints: 'How many constraints the circuit has.',
      setup: 'Where the keys come from.',
      files: 'The files by what they are for.',
    },
  ),
  ManifestCompiler: record(manifestRecord.shape.compiler, 'The compiler of a circuit.', {
    name: 'Its name.',
    version: 'Its version.',
  }),
  ManifestSetup: record(manifestRecord.shape.setup, 'The setup of a circuit’s keys.', {
    kind: '`development`, or a ceremony.',
  }),
  ManifestFiles: record(manifestRecord.shape.files, 'The files of the proof artifacts.', {
    wasm: 'The witness calculator.',
    zkey: 'The proving key.',
    vkey: 'The verifying key as JSON.',
    key: 'The verifying key as the program stores it.',
  }),
  ManifestFile: record(manifestRecord.shape.files.shape.wasm, 'A file of the proof artifacts.', {
    name: 'Its name under `artifacts.baseUrl` and the digest.',
    size: 'Its bytes.',
    sha256: 'Its SHA-256.',
  }),
  Operation: value(operationRecord, 'An operation: what it has besides its state depends on that.', {
    discriminator: { propertyName: 'state' },
  }),
  ...operations,
  Failure: record(failureRecord, 'Why an operation failed.', {
    reason: 'ON_CHAIN_ERROR: it was executed and failed. NEVER_LANDED: it can be executed no more.',
    instruction: 'Which instruction failed, from 0: the memo, then the action.',
    programError: 'The program’s own error.',
    message: 'What happened, for people.',
  }),
  ProgramError: record(failureRecord.shape.programError.def.innerType, 'An error of a program on chain.', {
    code: 'Its number.',
    name: 'Its name in the program’s IDL.',
  }),
};

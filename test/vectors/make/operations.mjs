// The operations: memo, then the action; accounts and data as the IDL lists them.
import { accountsOf } from './addresses.mjs';
import { bigEndian, littleEndian } from './bytes.mjs';
import { mask } from './eligibility.mjs';
import { compileMessage } from './message.mjs';

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const SYSTEM = '11111111111111111111111111111111';

const u64 = (value) => littleEndian(value, 8);

/** The codes of the reasons for which an issuer takes tokens. */
const REASONS = { 'lost-key': 1, redemption: 6 };

function clauseBytes({ regions, statuses, minAge }) {
  return Buffer.concat([bigEndian(mask(regions), 32), littleEndian(mask(statuses), 4), Buffer.of(minAge)]);
}

/** What a transfer reads of an owner. */
const recordsOf = (at, { rule, readsCredential }, owner) => [
  [at.pass(rule, owner).address, ''],
  ...(readsCredential ? [[at.credential(owner).address, '']] : []),
];

const actions = {
  CREATE_RULE_SET: (at, { wallet, nonce, name, clauses, maxPassAgeSeconds }) => ({
    accounts: [
      [wallet, 'sw'],
      [at.ruleSet(wallet, nonce).address, 'w'],
      [at.config().address, ''],
      [SYSTEM, ''],
    ],
    data: Buffer.concat([
      Buffer.of(8),
      u64(nonce),
      Buffer.of(Buffer.byteLength(name)),
      Buffer.from(name),
      u64(maxPassAgeSeconds),
      Buffer.of(clauses.length),
      ...clauses.map(clauseBytes),
    ]),
  }),
  BIND_MINT: (at, { wallet, mint, rule, requireSource, readsCredential }) => ({
    accounts: [
      [wallet, 'sw'],
      [mint, 'w'],
      [rule, ''],
      [at.mintBinding(mint).address, 'w'],
      [at.extraAccountMetaList(mint).address, 'w'],
      [at.config().address, ''],
      [TOKEN_2022, ''],
      [SYSTEM, ''],
    ],
    // Whether it honours granted passes comes first. Both are left out if neither is chosen.
    data: Buffer.of(10, requireSource ? 1 : 0, ...(readsCredential ? [0, 1] : [])),
  }),
  PROVE: (
    at,
    { wallet, rule, expiresAt, asOf, proof, place, replaces },
    { verifierAuthority, circuitId },
  ) => ({
    accounts: [
      [wallet, 'sw'],
      [at.config().address, ''],
      [rule, 'w'],
      [at.credential(wallet).address, ''],
      [at.verifier(verifierAuthority).address, ''],
      [at.circuit(circuitId).address, ''],
      [at.pass(rule, wallet).address, 'w'],
      [SYSTEM, ''],
      ...(place ? [[at.place(rule, place.tag).address, 'w']] : []),
      ...(replaces
        ? [
            [replaces, 'w'],
            [at.pass(rule, replaces).address, 'w'],
          ]
        : []),
    ],
    data: Buffer.concat([
      Buffer.of(11),
      u64(expiresAt),
      littleEndian(asOf, 4),
      Buffer.from(proof, 'hex'),
      ...(place ? [Buffer.of(place.number), Buffer.from(place.tag, 'hex')] : []),
    ]),
  }),
  ISSUE: (at, { wallet, mint, destination, amount }, { rule, destinationOwner }) => ({
    accounts: [
      [wallet, 's'],
      [at.config().address, ''],
      [at.mintBinding(mint).address, ''],
      [mint, 'w'],
      [destination, 'w'],
      [at.pass(rule, destinationOwner).address, ''],
      [at.credential(destinationOwner).address, ''],
      [TOKEN_2022, ''],
    ],
    data: Buffer.concat([Buffer.of(13), u64(amount)]),
  }),
  // TransferChecked of Token-2022, then what the hook needs, the hook's program and its list.
  TRANSFER: (at, { wallet, mint, source, destination, amount }, facts, program) => ({
    program: TOKEN_2022,
    accounts: [
      [source, 'w'],
      [mint, ''],
      [destination, 'w'],
      [wallet, 's'],
      [at.config().address, ''],
      ...recordsOf(at, facts, facts.destinationOwner),
      ...(facts.requireSource ? recordsOf(at, facts, facts.sourceOwner) : []),
      [program, ''],
      [at.extraAccountMetaList(mint).address, ''],
    ],
    data: Buffer.concat([Buffer.of(12), u64(amount), Buffer.of(facts.decimals)]),
  }),
  RECOVER: (at, { wallet, mint, source, destination, amount, reason }, { rule, destinationOwner }) => ({
    accounts: [
      [wallet, 's'],
      [at.config().address, ''],
      [at.mintBinding(mint).address, ''],
      [mint, 'w'],
      [source, 'w'],
      [destination, 'w'],
      [at.pass(rule, destinationOwner).address, ''],
      [at.credential(destinationOwner).address, ''],
      [TOKEN_2022, ''],
    ],
    data: Buffer.concat([Buffer.of(23), u64(amount), Buffer.of(REASONS[reason])]),
  }),
  REDEEM: (at, { wallet, mint, source, amount, reason }) => ({
    accounts: [
      [wallet, 's'],
      [at.config().address, ''],
      [at.mintBinding(mint).address, ''],
      [mint, 'w'],
      [source, 'w'],
      [TOKEN_2022, ''],
    ],
    data: Buffer.concat([Buffer.of(24), u64(amount), Buffer.of(REASONS[reason])]),
  }),
  SUSPEND: (at, { wallet, rule, holder, until }) => ({
    accounts: [
      [wallet, 'sw'],
      [rule, ''],
      [holder, ''],
      [at.pass(rule, holder).address, 'w'],
      [SYSTEM, ''],
    ],
    data: Buffer.concat([Buffer.of(29), u64(until)]),
  }),
  // A grant, or its end if it has no expiry.
  GRANT: (at, { wallet, rule, holder, expiresAt }) =>
    expiresAt === '0'
      ? {
          accounts: [
            [wallet, 's'],
            [at.pass(rule, holder).address, 'w'],
            [rule, ''],
            [wallet, 'w'],
            [at.config().address, ''],
          ],
          data: Buffer.of(31),
        }
      : {
          accounts: [
            [wallet, 'sw'],
            [at.config().address, ''],
            [rule, 'w'],
            [holder, 'w'],
            [at.pass(rule, holder).address, 'w'],
            [SYSTEM, ''],
          ],
          data: Buffer.concat([Buffer.of(30), u64(expiresAt)]),
        },
};

/** The whole message of an operation, which the wallet pays and signs. */
export function operationMessage({ program, operationId, blockhash, intent, facts }) {
  const action = actions[intent.kind](accountsOf(program), intent, facts, program);
  const memo = { program: MEMO, accounts: [], data: Buffer.from(`service:v1:${operationId}`) };
  return compileMessage({ payer: intent.wallet, blockhash, instructions: [memo, { program, ...action }] });
}

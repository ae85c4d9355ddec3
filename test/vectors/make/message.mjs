// Version 0 messages: which accounts in which order, and the bytes.
import { decodeBase58 } from './bytes.mjs';

/** A length of at most two bytes, seven bits each. */
function shortLength(length) {
  return length < 128 ? Buffer.of(length) : Buffer.of((length & 127) | 128, length >> 7);
}

/**
 * Orders addresses as our messages do: without regard to case, digits before letters; of two that differ only in case
 * the one with the small letter at the first difference comes first.
 */
function compareAddresses(left, right) {
  const [one, other] = [left.toLowerCase(), right.toLowerCase()];
  if (one !== other) return one < other ? -1 : 1;
  return left > right ? -1 : left < right ? 1 : 0;
}

/** The accounts of a message: payer first, then writable signers, signers, writable accounts, the rest. */
function orderAccounts(payer, instructions) {
  const flags = new Map([[payer, { signer: true, writable: true }]]);
  const use = (address, signer, writable) => {
    const before = flags.get(address) ?? { signer: false, writable: false };
    flags.set(address, { signer: before.signer || signer, writable: before.writable || writable });
  };
  for (const { program, accounts } of instructions) {
    use(program, false, false);
    for (const [address, role] of accounts) use(address, role.includes('s'), role.includes('w'));
  }
  const rank = ([address, { signer, writable }]) =>
    (address === payer ? 0 : 4) + (signer ? 0 : 2) + (writable ? 0 : 1);
  return [...flags].sort((one, other) => rank(one) - rank(other) || compareAddresses(one[0], other[0]));
}

/**
 * The bytes of a version 0 message without lookup tables. An instruction is `{ program, accounts, data }`, an account
 * `[address, role]` with 's' in the role for a signer and 'w' for a writable one.
 */
export function compileMessage({ payer, blockhash, instructions }) {
  const accounts = orderAccounts(payer, instructions);
  const count = (test) => accounts.filter(([, flags]) => test(flags)).length;
  const place = (address) => accounts.findIndex(([at]) => at === address);
  return Buffer.concat([
    Buffer.of(
      0x80,
      count(({ signer }) => signer),
      count(({ signer, writable }) => signer && !writable),
      count(({ signer, writable }) => !signer && !writable),
    ),
    shortLength(accounts.length),
    ...accounts.map(([address]) => decodeBase58(address)),
    decodeBase58(blockhash),
    shortLength(instructions.length),
    ...instructions.flatMap(({ program, accounts: used, data }) => [
      Buffer.of(place(program)),
      shortLength(used.length),
      Buffer.from(used.map(([address]) => place(address))),
      shortLength(data.length),
      data,
    ]),
    shortLength(0),
  ]);
}

/** Compute units of every instruction at fixed addresses, and what the hook adds to a transfer over many addresses. */
import { addressBytes } from '@service/contract';
import { tokenAccountAddress } from '@service/protocol';
import type { Address } from '@solana/kit';
import { getTransferCheckedInstruction } from '@solana-program/token';
import { addressOf, Chain, noop, PROGRAM } from './chain.ts';
import { everyInstruction, everythingReady } from './every-instruction.ts';
import { at, credentialAt, deployedChain, setVerifier, verifierAt } from './governance.ts';
import { MEMO } from './instruction.ts';
import { transfer } from './market.ts';
import { addMint, addTokenAccount, DECIMALS, remove } from './mints.ts';
import type { Outcome } from './outcome.ts';
import { passAt, RULE } from './rule-sets.ts';
import { BOTH, mintTo, ONE, READS_BOTH, READS_ONE, token2022, tokens } from './token-instructions.ts';

/** The committed and measured units. */
export type ComputeUnits = Awaited<ReturnType<typeof measureComputeUnits>>;

/** The numbers of the pairs of wallets over which the table has the units that the hook adds. */
export const PAIRS: readonly number[] = Array.from({ length: 200 }, (_, index) => index);

/** What wallets send with a memo. */
const BY_WALLETS = /^(create-rule-set|bind-mint|prove|issue-tokens|recover|redeem|transfer)/;

/**
 * Measures the compute units. `transactions` has the units of each instruction with its memo; `hook` is the part of the
 * program in a transfer. `added` has the units that the hook adds to a transfer, over the given pairs of wallets.
 */
export async function measureComputeUnits({ pairs = PAIRS }: { readonly pairs?: readonly number[] } = {}) {
  const chain = await everythingReady();
  const saved = chain.save();
  return {
    transactions: await measureTransactions(chain, saved),
    added: await measureAdded(saved, pairs),
  };
}

async function measureTransactions(ready: Chain, saved: Uint8Array): Promise<Record<string, number>> {
  const units: Record<string, number> = {};
  for (const [name, instructions] of Object.entries(await everyInstruction(ready))) {
    const chain = name === 'initialize' ? await deployedChain() : Chain.from(saved);
    const memo = BY_WALLETS.test(name) ? [MEMO] : [];
    const outcome = await chain.confirm(...memo, ...instructions);
    units[name] = outcome.units;
    if (name.startsWith('transfer')) units[name.replace('transfer', 'hook')] = unitsOfProgram(outcome);
  }
  units['each bump that misses'] = await unitsOfMiss(saved);
  return units;
}

/** What the search for a canonical bump costs for each that misses: the slope over verifiers of several addresses. */
async function unitsOfMiss(saved: Uint8Array): Promise<number> {
  const chain = Chain.from(saved);
  const made: [misses: number, units: number][] = [];
  for (let index = 0; index < 12; index += 1) {
    const verifier = `verifier ${index}`;
    const { units } = await chain.confirm(setVerifier({ verifier }));
    const bump = chain.data(await verifierAt(verifier))[2]!;
    made.push([255 - bump, units]);
  }
  made.sort(([one], [other]) => one - other);
  const [[fewest, least], [most, highest]] = [made[0]!, made.at(-1)!];
  return Math.ceil((highest - least) / (most - fewest));
}

/** Returns the units that the program itself used in a transaction, by its logs. */
export function unitsOfProgram({ logs }: Outcome): number {
  const consumed = new RegExp(`^Program ${PROGRAM} consumed (\\d+) of`);
  return logs.reduce((sum, log) => sum + Number(consumed.exec(log)?.[1] ?? 0), 0);
}

/**
 * Moves a token between new wallets of a new mint, so that every address that Token-2022 derives is another one.
 * Their accounts are copies of those that transactions made, with the addresses in them replaced.
 */
async function measureAdded(saved: Uint8Array, pairs: readonly number[]) {
  const chain = Chain.from(saved);
  const bare = await unitsOfBareTransfer(chain);
  const spread = async (mint: string) => {
    const units: number[] = [];
    for (const index of pairs) units.push((await unitsBetween(chain, mint, index)) - bare);
    return spreadOf(units);
  };
  return {
    destination: await spread(ONE),
    both: await spread(BOTH),
    'destination, with the credential': await spread(READS_ONE),
    'both, with credentials': await spread(READS_BOTH),
  };
}

async function unitsOfBareTransfer(chain: Chain): Promise<number> {
  const mint = await addMint(chain, { mint: 'bare mint', extensions: [] });
  const source = await addTokenAccount(chain, 'holder', mint);
  const destination = await addTokenAccount(chain, 'other holder', mint);
  await chain.confirm(mintTo(source, mint, 1_000n));
  const authority = await noop('holder');
  const move = { source, mint, destination, authority, amount: 10n, decimals: DECIMALS };
  return (await chain.confirm(getTransferCheckedInstruction(move, token2022))).units;
}

async function unitsBetween(chain: Chain, like: string, index: number): Promise<number> {
  const names = { mint: `${like} ${index}`, from: `sender ${index}`, to: `receiver ${index}` };
  const mint = await addressOf(names.mint);
  const written: Address[] = [];
  const copy = async (from: Address, to: Address, ...fields: [offset: number, value: Address][]) => {
    const account = chain.account(from)!;
    const data = Uint8Array.from(account.data);
    for (const [offset, value] of fields) data.set(addressBytes(value), offset);
    chain.write(to, { ...account, data });
    written.push(to);
  };

  const likeMint = await addressOf(like);
  await copy(likeMint, mint);
  const list = await at.extraAccountMetaList(likeMint);
  // The list ends with the binding: mint, rule set, issuer, and 64 more bytes.
  await copy(list, await at.extraAccountMetaList(mint), [chain.data(list).length - 64 - 3 * 32, mint]);
  const [mine, theirs] = [await passAt('holder'), await tokens('holder', like)];
  const verified = await credentialAt('holder');
  for (const name of [names.from, names.to]) {
    const owner = await addressOf(name);
    await copy(theirs, await tokenAccountAddress({ mint, owner }), [0, mint], [32, owner]);
    await copy(mine, await at.pass(RULE, owner), [3 + 32, owner]);
    await copy(verified, await at.credential(owner), [3, owner]);
  }
  const requireSource = like === BOTH || like === READS_BOTH;
  const readsCredential = like === READS_ONE || like === READS_BOTH;
  const { units } = await chain.confirm(transfer({ ...names, requireSource, readsCredential }));
  for (const address of written) remove(chain, address);
  return units;
}

function spreadOf(units: readonly number[]) {
  const sorted = [...units].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { min: at(0), median: at(0.5), p95: at(0.95), max: at(1) };
}

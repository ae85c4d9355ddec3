/**
 * A service that keeps a gated mint, on a chain with the slots and the finality of mainnet. Nothing waits: this process moves
 * the time, and runs each step of the service when its interval has passed. So the figures are seconds of chain time, and the
 * time that a step computes is not in them.
 */
import {
  freezeWithoutPassInstruction,
  programAddresses,
  readAccount,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { getGrantPassInstruction, getSuspendPassInstruction } from '@service/protocol/generated';
import {
  createGatedMint,
  keeperSteps,
  openThawed,
  PASS_FEE,
  ruleSetBody,
  send,
  startWorld,
  transferSol,
} from '@service/server/test-service';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { answer } from './answer.mjs';

const SLOT_MS = 400;
const FINALITY_SLOTS = 32;
/** Milliseconds from one look at what is due to the next. It divides the slot and all intervals. */
const TICK_MS = 200;
/** The service's steps run this long after whole seconds, and passes end at whole seconds. */
const PHASE_MS = 600;
/** A new pass is finalized and indexed when it ends, and has not expired earlier. */
const LIFE_MS = 20_000;
/** A freeze that takes longer failed. */
const LIMIT_MS = 120_000;
const NEVER = 2n ** 64n - 1n;

const world = await startWorld({ finalitySlots: FINALITY_SLOTS });
const { net, program, created } = world;
const steps = keeperSteps(created.service);
const issuer = await (await world.visitor()).signIn();
const draft = await issuer.prepare('/api/rules', { ...ruleSetBody(), powers: ['suspend', 'grant'] });
await issuer.signAndSubmit(draft);
await created.tick();
const rule = draft.body.rule as Address;
await transferSol(world, issuer.signer, { destination: rule, lamports: 100n * PASS_FEE });
const mint = await createGatedMint(world, issuer.signer, { rule, honoursGranted: true });
await world.finalize();

/** Milliseconds that have passed on this chain. */
let ms = 0;
const startSlot = net.slot;
const startSeconds = BigInt(Math.max(net.time, Math.floor(world.clock.ms / 1_000)) + 1);
const endings: Record<string, (wallet: Address) => Promise<void>> = {
  /** The pass has expired by itself. */
  expiry: async () => undefined,
  async suspension(wallet) {
    const accounts = { ...(await passAccounts(wallet)), until: NEVER };
    await send(world, issuer.signer, [getSuspendPassInstruction(accounts, { programAddress: program })]);
  },
};
/** The rounds so far. */
let rounds = 0;

answer({
  /** Seconds from the end of a pass until the service's freeze is finalized. */
  async ours(end: string) {
    const { wallet, tokenAccount } = await holderAtEnd(end);
    const ended = ms;
    await endings[end]!(wallet);
    return { value: await secondsToFrozen(tokenAccount, ended, runDueSteps) };
  },
  /** Seconds from the end of a pass until a freeze is finalized that the issuer sends at once. */
  async peer(end: string) {
    const { wallet, tokenAccount } = await holderAtEnd(end);
    const ended = ms;
    await endings[end]!(wallet);
    const gated = { caller: issuer.address, mint, tokenAccount, owner: wallet, rule };
    await send(world, issuer.signer, [await freezeWithoutPassInstruction(program, gated)]);
    return { value: await secondsToFrozen(tokenAccount, ended, async () => undefined) };
  },
});

/** Creates a holder, whom the service knows, and moves the time to the end of its pass. */
async function holderAtEnd(end: string) {
  const { address: wallet } = await generateKeyPairSigner();
  // Each round ends in another second of the keeper's interval.
  const endMs = Math.ceil((ms + LIFE_MS) / 5_000) * 5_000 + (rounds++ % 5) * 1_000;
  const expiresAt = startSeconds + BigInt((end === 'expiry' ? endMs : endMs + 3_600_000) / 1_000);
  const accounts = { ...(await passAccounts(wallet)), expiresAt };
  await send(world, issuer.signer, [getGrantPassInstruction(accounts, { programAddress: program })]);
  const tokenAccount = await openThawed(world, issuer.signer, { mint, owner: wallet, rule });
  while (ms < endMs) {
    pass();
    if (ms < endMs) await runDueSteps();
  }
  if (await isFrozen(tokenAccount)) throw new Error('The account is frozen before the pass ends.');
  return { wallet, tokenAccount };
}

async function secondsToFrozen(tokenAccount: Address, from: number, work: () => Promise<void>) {
  while (!(await isFrozen(tokenAccount))) {
    if (ms - from > LIMIT_MS) throw new Error(`The account is not frozen after ${LIMIT_MS / 1_000} s.`);
    pass();
    await work();
  }
  return (ms - from) / 1_000;
}

/** Lets a tick pass on the chain and on the service's clock. */
function pass(): void {
  ms += TICK_MS;
  world.clock.ms = Number(startSeconds) * 1_000 + ms;
  // Sending a transaction closed a slot early.
  if (net.slot < startSlot + BigInt(Math.floor(ms / SLOT_MS))) net.advanceSlots(1);
  net.setTime(startSeconds + BigInt(Math.floor(ms / 1_000)));
}

async function runDueSteps(): Promise<void> {
  for (const { intervalMs, run } of steps) if ((ms - PHASE_MS) % intervalMs === 0) await run();
}

async function isFrozen(tokenAccount: Address): Promise<boolean> {
  const reader = { rpc: world.rpc, program, commitment: 'finalized' } as const;
  return (await readAccount(reader, 'tokenAccount', tokenAccount))?.data.frozen ?? false;
}

async function passAccounts(wallet: Address) {
  const at = programAddresses(program);
  const [config, pass] = [await at.config(), await at.pass(rule, wallet)];
  return { creator: issuer.signer, config, ruleSet: rule, wallet, pass, systemProgram: SYSTEM_PROGRAM };
}

/** Transactions that wallets and governance send without the service. */

import { callsTo, transferInstruction } from '@service/localnet/test-support';
import {
  bindableMintBytes,
  createBindableMintInstructions,
  createTokenAccountInstruction,
  type MintTemplate,
  programAddresses,
  readAccount,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
} from '@service/protocol';
import {
  getEndPassesInstruction,
  getPauseInstruction,
  getRetireCircuitInstruction,
  getSetCircuitInstruction,
  getSetPassFeeInstruction,
  getSetVerifierInstruction,
  getUnpauseInstruction,
} from '@service/protocol/generated';
import {
  AccountRole,
  type Address,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
  unwrapOption,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import type { Cluster } from './cluster.ts';

/** Sends one transaction and advances one slot. Throws unless the transaction succeeds. */
export async function send(
  { net }: Pick<Cluster, 'net'>,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  signers: readonly KeyPairSigner[] = [],
): Promise<void> {
  await callsTo(net).land([payer, ...signers], instructions);
  net.advanceSlots(1);
}

type Governed = Pick<Cluster, 'net' | 'program' | 'keys'>;

/** Sends an instruction as governance. `create` gets the accounts that every such instruction has. */
async function sendAsGovernance(
  world: Governed,
  create: (
    common: Awaited<ReturnType<typeof commonAccounts>>,
    at: { programAddress: Address },
  ) => Instruction,
): Promise<void> {
  const instruction = create(await commonAccounts(world), { programAddress: world.program });
  await send(world, world.keys.governance, [instruction]);
}

async function commonAccounts({ program, keys: { governance } }: Governed) {
  const config = await programAddresses(program).config();
  return { authority: governance, payer: governance, config, systemProgram: SYSTEM_PROGRAM };
}

/** Pauses the protocol, as governance. */
export async function pause(world: Governed): Promise<void> {
  await sendAsGovernance(world, getPauseInstruction);
}

/** Ends the pause, as governance. */
export async function unpause(world: Governed): Promise<void> {
  await sendAsGovernance(world, getUnpauseInstruction);
}

/** Sets or (null) unsets the pass fee, as governance. */
export async function setPassFee(world: Governed, passFee: bigint | null): Promise<void> {
  await sendAsGovernance(world, (common, at) => getSetPassFeeInstruction({ ...common, passFee }, at));
}

/** Ends every pass that was issued until now, as governance. */
export async function endPasses(world: Governed): Promise<void> {
  await sendAsGovernance(world, getEndPassesInstruction);
}

/** Bytes of the close authority extension: its type, its length and an address. */
const CLOSE_AUTHORITY_BYTES = 4 + 32;

/** Creates a Token-2022 mint of the binding profile, unless an option changes it. */
export async function createMint(
  world: Cluster,
  payer: KeyPairSigner,
  {
    issuer = payer.address,
    program = world.program,
    closeAuthority = false,
    template = 'plain',
    key,
  }: {
    issuer?: Address;
    program?: Address;
    closeAuthority?: boolean;
    template?: MintTemplate;
    key?: KeyPairSigner;
  } = {},
): Promise<Address> {
  const newAccount = key ?? (await generateKeyPairSigner());
  const mint = newAccount.address;
  const binding = await programAddresses(program).mintBinding(mint);
  const profile = { mint, issuer, program, binding, decimals: 2, template } as const;
  const space = bindableMintBytes(profile) + (closeAuthority ? CLOSE_AUTHORITY_BYTES : 0);
  const lamports = 10_000_000n;
  const payment = { payer: payer.address, rentLamports: lamports };
  const [, ...initialize] = createBindableMintInstructions(profile, payment);
  // The binding profile does not allow this extension: the authority can close the mint.
  const initializeCloseAuthority: Instruction = {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [{ address: mint, role: AccountRole.WRITABLE }],
    data: new Uint8Array([25, 1, ...getAddressEncoder().encode(issuer)]),
  };
  const instructions = [
    getCreateAccountInstruction({ payer, newAccount, lamports, space, programAddress: TOKEN_2022_PROGRAM }),
    ...(closeAuthority ? [initializeCloseAuthority] : []),
    ...initialize,
  ];
  await send(world, payer, instructions, [newAccount]);
  return mint;
}

/** Creates the owner's associated token account of a mint. */
export async function createTokenAccount(
  world: Cluster,
  payer: KeyPairSigner,
  options: { mint: Address; owner: Address },
): Promise<Address> {
  await send(world, payer, [await createTokenAccountInstruction({ payer: payer.address, ...options })]);
  return tokenAccountAddress(options);
}

/** Activates or deactivates the verifier, as governance. */
export async function setVerifier(world: Cluster, active: boolean): Promise<void> {
  const verifierAuthority = world.keys.verifier.address;
  const verifier = await programAddresses(world.program).verifier(verifierAuthority);
  const change = { verifierAuthority, verifier, active, name: 'Verifier' };
  await sendAsGovernance(world, (common, at) => getSetVerifierInstruction({ ...common, ...change }, at));
  await world.finalize();
}

/** Sends lamports. Anyone may send them to a rule set, for its pass fees. */
export async function transferSol(
  world: Cluster,
  from: KeyPairSigner,
  to: { destination: Address; lamports: bigint },
): Promise<void> {
  await send(world, from, [transferInstruction(from.address, to.destination, to.lamports)]);
}

/** Replaces the active circuit by one with another key, packed as 576 bytes, as governance. The digest is in hex. */
export async function setCircuit(
  world: Cluster,
  {
    id,
    artifactsDigest = '0'.repeat(64),
    ...settings
  }: { id: string; artifactsDigest?: string; graceSeconds: bigint; verifyingKey: Uint8Array },
): Promise<void> {
  const at = programAddresses(world.program);
  const circuit = await at.circuit(id);
  const reader = { rpc: world.rpc, program: world.program, commitment: 'confirmed' } as const;
  const config = await readAccount(reader, 'config', await at.config());
  const previousCircuit = config && unwrapOption(config.data.activeCircuit);
  const previous = previousCircuit ? { previousCircuit } : {};
  const change = {
    id,
    circuit,
    ...settings,
    ...previous,
    artifactsDigest: Buffer.from(artifactsDigest, 'hex'),
  };
  await sendAsGovernance(world, (common, at) => getSetCircuitInstruction({ ...common, ...change }, at));
  await world.finalize();
}

/** Retires a circuit as governance: after a grace period, or at once if it is unsound. */
export async function retireCircuit(
  world: Cluster,
  { id, graceSeconds = 0n, unsound = false }: { id: string; graceSeconds?: bigint; unsound?: boolean },
): Promise<void> {
  const change = { circuit: await programAddresses(world.program).circuit(id), graceSeconds, unsound };
  await sendAsGovernance(world, (common, at) => getRetireCircuitInstruction({ ...common, ...change }, at));
  await world.finalize();
}

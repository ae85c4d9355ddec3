/** Transactions that wallets and governance send without the service. */
import {
  BINDABLE_MINT_BYTES,
  createBindableMintInstructions,
  createTokenAccountInstruction,
  programAddresses,
  readAccount,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
  UPGRADEABLE_LOADER,
} from '@service/protocol';
import {
  getRetireCircuitInstruction,
  getSetCircuitInstruction,
  getSetGovernanceInstruction,
  getSetVerifierInstruction,
} from '@service/protocol/generated';
import {
  AccountRole,
  type Address,
  createNoopSigner,
  generateKeyPairSigner,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
  unwrapOption,
} from '@solana/kit';
import { land, transferInstruction } from '../localnet.ts';
import type { Cluster } from './cluster.ts';

/** Sends one transaction and lets a slot pass. Throws unless it succeeds. */
export async function send(
  { net }: Pick<Cluster, 'net'>,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  signers: readonly KeyPairSigner[] = [],
): Promise<void> {
  await land(net, [payer, ...signers], instructions);
  net.advanceSlots(1);
}

/** Pauses the protocol or ends the pause, and sets the pass fee, as governance. */
export async function setGovernance(
  world: Cluster,
  { paused = false, passFee }: { paused?: boolean; passFee: bigint | null },
): Promise<void> {
  const authority = createNoopSigner(world.keys.governance.address);
  const [programData] = await getProgramDerivedAddress({
    programAddress: UPGRADEABLE_LOADER,
    seeds: [getAddressEncoder().encode(world.program)],
  });
  const instruction = getSetGovernanceInstruction(
    {
      authority,
      nextAuthority: authority,
      config: await programAddresses(world.program).config(),
      programData,
      paused,
      passFee,
    },
    { programAddress: world.program },
  );
  await send(world, world.keys.governance, [instruction]);
}

/** Creates a Token-2022 mint of the binding profile, unless an option changes it. */
export async function createMint(
  world: Cluster,
  payer: KeyPairSigner,
  {
    issuer = payer.address,
    program = world.program,
    closeAuthority = false,
    key,
  }: { issuer?: Address; program?: Address; closeAuthority?: boolean; key?: KeyPairSigner } = {},
): Promise<Address> {
  const mint = key ?? (await generateKeyPairSigner());
  const space = BINDABLE_MINT_BYTES + (closeAuthority ? CLOSE_AUTHORITY_BYTES : 0);
  const [create, ...initialize] = createBindableMintInstructions({
    payer: payer.address,
    mint: mint.address,
    issuer,
    program,
    decimals: 2,
    rentLamports: 10_000_000n,
  });
  // The system program's createAccount holds the space after its number and the lamports.
  const created = new Uint8Array(create?.data ?? []);
  new DataView(created.buffer).setBigUint64(12, BigInt(space), true);
  const instructions = [
    { ...create, data: created } as Instruction,
    ...(closeAuthority ? [initializeCloseAuthority(mint.address, issuer)] : []),
    ...initialize,
  ];
  await send(world, payer, instructions, [mint]);
  return mint.address;
}

/** Adds an extension that the binding profile does not allow: its authority can close the mint. */
function initializeCloseAuthority(mint: Address, authority: Address): Instruction {
  const data = new Uint8Array([25, 1, ...getAddressEncoder().encode(authority)]);
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [{ address: mint, role: AccountRole.WRITABLE }],
    data,
  };
}

/** Type, length and 32 bytes of the extension. */
const CLOSE_AUTHORITY_BYTES = 4 + 32;

/** Creates the owner's associated token account of a mint. */
export async function createTokenAccount(
  world: Cluster,
  payer: KeyPairSigner,
  options: { mint: Address; owner: Address },
): Promise<Address> {
  await send(world, payer, [await createTokenAccountInstruction({ payer: payer.address, ...options })]);
  return tokenAccountAddress(options);
}

/** Switches the verifier on or off, as governance. */
export async function setVerifier(world: Cluster, active: boolean): Promise<void> {
  const authority = createNoopSigner(world.keys.governance.address);
  const at = programAddresses(world.program);
  const verifierAuthority = world.keys.verifier.address;
  const instruction = getSetVerifierInstruction(
    {
      authority,
      payer: authority,
      config: await at.config(),
      verifierAuthority,
      verifier: await at.verifier(verifierAuthority),
      systemProgram: SYSTEM_PROGRAM,
      active,
      name: 'Verifier',
    },
    { programAddress: world.program },
  );
  await send(world, world.keys.governance, [instruction]);
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

/** Replaces the active circuit by one with another key, packed as 576 bytes, as governance. */
export async function setCircuit(
  world: Cluster,
  { id, graceSeconds, verifyingKey }: { id: string; graceSeconds: bigint; verifyingKey: Uint8Array },
): Promise<void> {
  const authority = createNoopSigner(world.keys.governance.address);
  const at = programAddresses(world.program);
  const config = await readAccount(
    { rpc: world.rpc, program: world.program, commitment: 'confirmed' },
    'config',
    await at.config(),
  );
  const previousCircuit = config && unwrapOption(config.data.activeCircuit);
  const instruction = getSetCircuitInstruction(
    {
      authority,
      payer: authority,
      config: await at.config(),
      circuit: await at.circuit(id),
      ...(previousCircuit ? { previousCircuit } : {}),
      systemProgram: SYSTEM_PROGRAM,
      id,
      artifactsDigest: new Uint8Array(32),
      verifyingKey,
      graceSeconds,
    },
    { programAddress: world.program },
  );
  await send(world, world.keys.governance, [instruction]);
  await world.finalize();
}

/** Retires a circuit as governance: after a grace period, or at once if it is unsound. */
export async function retireCircuit(
  world: Cluster,
  { id, graceSeconds = 0n, unsound = false }: { id: string; graceSeconds?: bigint; unsound?: boolean },
): Promise<void> {
  const at = programAddresses(world.program);
  const instruction = getRetireCircuitInstruction(
    {
      authority: createNoopSigner(world.keys.governance.address),
      config: await at.config(),
      circuit: await at.circuit(id),
      graceSeconds,
      unsound,
    },
    { programAddress: world.program },
  );
  await send(world, world.keys.governance, [instruction]);
  await world.finalize();
}

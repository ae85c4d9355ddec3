/** Runs command lines of `@service/cli` in this process, on the cluster of a market. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { developmentSeed } from '@service/localnet';
import { type AccountKind, type AccountOf, programAddresses, readAccount } from '@service/protocol';
import { send } from '@service/server/test-service';
import {
  AccountRole,
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  decompileTransactionMessage,
  downgradeRoleToNonSigner,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { useMarket } from '../../sdk/support/market.ts';

/** The command, which the package does not export, in this process: each start of its own would take a second. */
const COMMAND = new URL('../../../packages/cli/src/command.ts', import.meta.url);
const { run: runCommand }: { run(argv: readonly string[]): Promise<number> } = await import(COMMAND.href);

const SOL = 1_000_000_000n;

/** Starts a market with a folder for files. Its keys exist when the tests run. */
export function useCommand() {
  const market = useMarket();
  const command = {
    market,
    run,
    keyFile,
    writeFile: write,
    readFile: readText,
    read,
    at,
    balanceOf,
    sendSigned,
  };
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'command-'));
    const { url } = await market.world.net.listen({ port: 0 });
    await write('deployment.json', JSON.stringify({ ...market.deployment, rpcUrl: url }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  afterEach(() => vi.restoreAllMocks());

  async function write(name: string, content: string | Uint8Array): Promise<string> {
    await writeFile(path.join(folder, name), content);
    return path.join(folder, name);
  }
  function readText(name: string): Promise<string> {
    return readFile(path.join(folder, name), 'utf8');
  }

  /** Writes a key in the form of solana-keygen. */
  async function keyFile(role: string): Promise<KeyPairSigner> {
    const seed = developmentSeed(role);
    const signer = await createKeyPairSignerFromPrivateKeyBytes(seed);
    await write(`${role}.json`, JSON.stringify([...seed, ...getAddressEncoder().encode(signer.address)]));
    return signer;
  }

  /** Runs a command line while slots pass. A word that ends in .json is a file of the test. */
  async function run(line: string, ...more: string[]) {
    const out: string[] = [];
    const err: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((text) => void out.push(String(text)));
    vi.spyOn(console, 'error').mockImplementation((text) => void err.push(String(text)));
    const given = [...line.split(' '), ...more];
    const words = given.includes('--deployment') ? given : [...given, '--deployment', 'deployment.json'];
    const argv = words.map((word) => (word.endsWith('.json') ? path.join(folder, word) : word));
    const code = await market.whileChainMoves(() => runCommand(argv));
    vi.restoreAllMocks();
    await market.world.finalize();
    return { code, out: out.join('\n'), err: err.join('\n') };
  }

  async function read<K extends AccountKind>(kind: K, address: Address): Promise<AccountOf<K>> {
    const { rpc, program } = market.world;
    const found = await readAccount({ rpc, program, commitment: 'finalized' }, kind, address);
    return found!.data;
  }
  function at() {
    return programAddresses(market.world.program);
  }
  async function balanceOf(address: Address): Promise<bigint> {
    return (await market.world.rpc.getBalance(address, { commitment: 'finalized' }).send()).value;
  }

  /** Signs a printed transaction, as somebody with the keys does, and sends it. */
  async function sendSigned(printed: string, keys: readonly KeyPairSigner[]): Promise<void> {
    const { world } = market;
    const signed = await partiallySignTransaction(
      keys.map(({ keyPair }) => keyPair),
      decoded(printed),
    );
    await world.rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
    await world.finalize();
  }

  return command;
}

/** Decodes a printed transaction. */
export const decoded = (printed: string) =>
  getTransactionDecoder().decode(getBase64Encoder().encode(printed));

/** Deploys the stand-in for a multisig, with a vault of a member that has SOL. */
export async function createVault(
  { market: { world }, run }: ReturnType<typeof useCommand>,
  member: KeyPairSigner,
) {
  const { address: multisig } = await generateKeyPairSigner();
  const file = new URL(
    '../../../packages/localnet/stand-in-multisig-program/artifact/stand-in-multisig-program.so',
    import.meta.url,
  );
  world.net.addProgram(multisig, new Uint8Array(await readFile(file)));
  const [vault, bump] = await getProgramDerivedAddress({
    programAddress: multisig,
    seeds: ['vault', getAddressEncoder().encode(member.address)],
  });
  world.net.airdrop(vault, SOL);
  await world.finalize();

  /** Returns the call by which the multisig executes an instruction. The vault cannot sign the outer transaction. */
  function callOf({ programAddress, accounts = [], data }: Instruction): Instruction {
    const roles = accounts.map((each) =>
      each.address === vault ? { ...each, role: downgradeRoleToNonSigner(each.role) } : each,
    );
    return {
      programAddress: multisig,
      accounts: [
        { address: member.address, role: AccountRole.READONLY_SIGNER },
        { address: vault, role: AccountRole.READONLY },
        { address: programAddress, role: AccountRole.READONLY },
        ...roles,
      ],
      data: Uint8Array.of(bump, ...data!),
    };
  }

  /** Takes the instructions of a printed transaction, as multisigs do, and executes them as the member. */
  async function execute(line: string): Promise<{ err: string; count: number }> {
    const printed = await run(`${line} --unsigned ${vault}`);
    expect(printed).toMatchObject({ code: 0, err: expect.stringContaining('must sign') });
    const { messageBytes } = decoded(printed.out);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    const instructions: readonly Instruction[] = decompileTransactionMessage(message).instructions;
    await send(world, member, instructions.map(callOf));
    await world.finalize();
    return { err: printed.err, count: instructions.length };
  }

  return { vault, execute };
}

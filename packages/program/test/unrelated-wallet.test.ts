/**
 * A wallet that knows nothing of this program transfers bound tokens: the accounts of the hook are resolved by the
 * common client from what is on chain, over HTTP, with no code of ours in it.
 */
import { deployProtocol } from '@service/deploy';
import { developmentKeys, Localnet } from '@service/localnet';
import { readProgram } from '@service/program';
import {
  bindableMintBytes,
  createBindableMintInstructions,
  createTokenAccountInstruction,
} from '@service/protocol';
import { callsTo } from '@service/test-support';
import { getBase58Decoder, type Instruction } from '@solana/kit';
import {
  createTransferCheckedWithTransferHookInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, Keypair, PublicKey, SendTransactionError, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addressOf, DAY, GENESIS_HASH, keyOf, NOW, PROGRAM, SOL, seedOf } from './support/chain.ts';
import { issueCredential, revokeCredential } from './support/credentials.ts';
import { ARTIFACTS_DIGEST, at, CIRCUIT_ID, PASS_FEE, VERIFYING_KEY } from './support/governance.ts';
import { freeze } from './support/issuers.ts';
import { bindMint, issueTokens } from './support/market.ts';
import { createMintInstructions, DECIMALS } from './support/mints.ts';
import { codeOf, type ErrorName } from './support/outcome.ts';
import { LATEST_EXPIRY, prove } from './support/passes.ts';
import { createRuleSet, RULE } from './support/rule-sets.ts';
import { BOTH, ONE, READS_BOTH, READS_ONE } from './support/token-instructions.ts';

const HOLDER_EXPIRY = LATEST_EXPIRY - DAY;
/** The templates of mints. Each has a mint of its name. */
const TEMPLATES = ['plain', 'security', 'fund'] as const;
const WALLETS = ['holder', 'other holder', 'outsider'];

const genesisHash = getBase58Decoder().decode(GENESIS_HASH);
const net = Localnet.start({ slotMs: 2, finalitySlots: 2, genesisHash });
let connection: Connection;

beforeAll(async () => {
  const payer = await keyOf('payer');
  const { program } = await developmentKeys();
  const [upgradeAuthority, governance] = [await keyOf('upgrade authority'), await keyOf('governance')];
  for (const name of ['payer', 'issuer', ...WALLETS]) net.airdrop(await addressOf(name), 100n * SOL);
  await deployProtocol({
    rpc: net.rpc,
    genesisHash: net.genesisHash,
    so: await readProgram(),
    keys: { payer, program, upgradeAuthority, governance },
    circuit: { id: CIRCUIT_ID, artifactsDigest: ARTIFACTS_DIGEST, verifyingKey: VERIFYING_KEY },
    verifier: { authority: await addressOf('verifier'), name: 'Example Verifier' },
    passFee: PASS_FEE,
  });
  net.setTime(NOW);
  await send([await createRuleSet()], 'issuer');
  net.airdrop(RULE, 10n * PASS_FEE);
  for (const wallet of ['holder', 'other holder']) {
    const expiresAt = wallet === 'holder' ? HOLDER_EXPIRY : LATEST_EXPIRY;
    await send(await issueCredential({ wallet }));
    await send([await prove({ wallet, expiresAt })], wallet);
  }
  for (const mint of [ONE, BOTH, READS_ONE, READS_BOTH, ...TEMPLATES]) {
    await send(await mintInstructions(mint), mint);
    const requireSource = mint === BOTH || mint === READS_BOTH;
    const readsCredential = mint === READS_ONE || mint === READS_BOTH;
    await send([await bindMint({ mint, requireSource, readsCredential })], 'issuer');
    for (const owner of WALLETS) {
      const account = { payer: payer.address, mint: await addressOf(mint), owner: await addressOf(owner) };
      await send([await createTokenAccountInstruction(account)]);
      if (mint === 'fund') await send([await freeze(owner, { mint, thaw: true })], 'issuer');
    }
    await send([await issueTokens({ mint })], 'issuer');
  }
  connection = new Connection((await net.listen({ port: 0 })).url, 'processed');
});
beforeEach(() => net.setTime(NOW));
afterAll(() => net.stop());

const rentOf = (bytes: number) => net.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send();

/** Returns the instructions that create a mint: with the hook only, or of the template of its name. */
async function mintInstructions(name: string): Promise<Instruction[]> {
  const template = TEMPLATES.find((each) => each === name);
  if (!template) return createMintInstructions({ mint: name }, rentOf);
  const [mint, issuer] = [await addressOf(name), await addressOf('issuer')];
  const binding = await at.mintBinding(mint);
  const options = { mint, issuer, program: PROGRAM, binding, decimals: DECIMALS, template };
  const rentLamports = await rentOf(bindableMintBytes(options));
  return createBindableMintInstructions(options, { payer: await addressOf('payer'), rentLamports });
}

/** Sends what prepares the market; the payer pays, and the keys of the names sign too. */
async function send(instructions: readonly Instruction[], ...names: string[]): Promise<void> {
  await callsTo(net).land(
    [await keyOf('payer'), ...(await Promise.all(names.map(keyOf)))],
    [...instructions],
  );
}

const keypairOf = (name: string) => Keypair.fromSeed(seedOf(name));

function tokenAccount(mint: PublicKey, name: string): PublicKey {
  return getAssociatedTokenAddressSync(mint, keypairOf(name).publicKey, false, TOKEN_2022_PROGRAM_ID);
}

/** Transfers like any wallet, with the common client. Returns the error and its logs when the transfer is refused. */
async function transferByCommonClient(mintName: string, to: string, amount = 10n): Promise<string | null> {
  const mint = new PublicKey(await addressOf(mintName));
  const owner = keypairOf('holder');
  const transaction = new Transaction().add(
    await createTransferCheckedWithTransferHookInstruction(
      connection,
      tokenAccount(mint, 'holder'),
      mint,
      tokenAccount(mint, to),
      owner.publicKey,
      amount,
      DECIMALS,
      [],
      'processed',
      TOKEN_2022_PROGRAM_ID,
    ),
  );
  transaction.feePayer = owner.publicKey;
  transaction.recentBlockhash = (await connection.getLatestBlockhash('processed')).blockhash;
  transaction.sign(owner);
  try {
    await connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'processed' });
    return null;
  } catch (error) {
    if (!(error instanceof SendTransactionError)) throw error;
    return `${error.message} ${(error.logs ?? []).join(' ')}`;
  }
}

async function balance(mintName: string, name: string): Promise<bigint> {
  const mint = new PublicKey(await addressOf(mintName));
  return (await getAccount(connection, tokenAccount(mint, name), 'processed', TOKEN_2022_PROGRAM_ID)).amount;
}

const custom = (error: ErrorName) => `custom program error: 0x${codeOf(error).toString(16)}`;

describe('a wallet without code of this project', () => {
  it.each(TEMPLATES)('transfers tokens of a mint of the template %s', async (mint) => {
    expect(await transferByCommonClient(mint, 'other holder')).toBeNull();
    expect([await balance(mint, 'holder'), await balance(mint, 'other holder')]).toEqual([990n, 10n]);
    expect(await transferByCommonClient(mint, 'outsider')).toContain(custom('DESTINATION_PASS_MISSING'));
  });

  it.each([ONE, BOTH, READS_ONE, READS_BOTH])('transfers between pass holders: %s', async (mint) => {
    const [mine, theirs] = [await balance(mint, 'holder'), await balance(mint, 'other holder')];
    expect(await transferByCommonClient(mint, 'other holder')).toBeNull();
    const after = [await balance(mint, 'holder'), await balance(mint, 'other holder')];
    expect(after).toEqual([mine - 10n, theirs + 10n]);
  });

  it.each([ONE, BOTH])('is refused by the hook when the receiver has no pass: %s', async (mint) => {
    expect(await transferByCommonClient(mint, 'outsider')).toContain(custom('DESTINATION_PASS_MISSING'));
    expect(await balance(mint, 'outsider')).toBe(0n);
  });

  it('is refused by the hook when its own pass has expired and the binding asks for it', async () => {
    net.setTime(HOLDER_EXPIRY);
    expect(await transferByCommonClient(BOTH, 'other holder')).toContain(custom('SOURCE_PASS_EXPIRED'));
    expect(await transferByCommonClient(ONE, 'other holder')).toBeNull();
  });

  it('is refused by the hook when a credential was revoked and the binding reads credentials', async () => {
    await send(await revokeCredential({ wallet: 'other holder' }));
    expect(await transferByCommonClient(READS_ONE, 'other holder')).toContain(
      custom('DESTINATION_PASS_UNSUPPORTED'),
    );
    expect(await transferByCommonClient(ONE, 'other holder')).toBeNull();
  });
});

/**
 * One walk over every instruction with real parts (Groth16 proof, ed25519 precompile, Token-2022, memo), for its
 * compute units. A wallet's transaction has the default budget; prove has to stay under 100,000 with its memo, and the
 * hook alone under 3,000. Finding a canonical bump costs 1,500 units a miss: the keys are fixed, so units are too.
 */
import { readArtifacts } from '@service/circuit';
import {
  BINDABLE_MINT_BYTES,
  bindMintInstruction,
  createBindableMintInstructions,
  createRuleSetInstruction,
  createTokenAccountInstruction,
  credentialMessage,
  issueCredentialInstructions,
  issueInstruction,
  MEMO_PROGRAM,
  memoText,
  proveInstruction,
  tokenAccountAddress,
  transferInstruction,
} from '@service/protocol';
import {
  asOfDateCode,
  circuitInput,
  commitmentOf,
  encodeProof,
  fieldToBytes,
} from '@service/protocol/eligibility';
import { type Address, getBase58Decoder, type Instruction, type KeyPairSigner, signBytes } from '@solana/kit';
import { curves, groth16, wtns } from 'snarkjs';
import { afterAll, describe, expect, it } from 'vitest';
import {
  at,
  CIRCUIT_ID,
  deployedChain,
  initialize,
  setCircuit,
  setGovernance,
  setVerifier,
} from './_governance.ts';
import { expectDone } from './_outcome.ts';
import { addressBytes, type Chain, DAY, GENESIS_HASH, keyOf, NOW, PROGRAM } from './_setup.ts';

const DEFAULT_BUDGET = 200_000;
const MISS = 1_500;
const MEMO: Instruction = {
  programAddress: MEMO_PROGRAM,
  accounts: [],
  data: new TextEncoder().encode(memoText('01234567-89ab-4cde-8f01-23456789abcd')),
};
const clauses = Array.from({ length: 8 }, (_, index) => ({
  regionMask: 1n << BigInt(index * 30),
  statusMask: 3,
  minAge: 18 + index,
}));
const attributes = { region: 60, status: 1, birthDate: 80 * 512 + 5 * 32 + 6, salt: 12_345n };
const maxPassAgeSeconds = 30n * DAY;
const expiresAt = NOW + 10n * DAY;

/** Units of each transaction by name; `hook` is what the program itself used within the transfer. */
async function walk(): Promise<Record<string, number>> {
  const chain = await deployedChain();
  const [issuer, holder, other] = await Promise.all(['issuer', 'holder', 'other holder'].map(keyOf));
  const mint = await keyOf('mint');
  const verifier = await at.verifier((await keyOf('verifier')).address);
  const circuit = await at.circuit(CIRCUIT_ID);
  const rule = await at.ruleSet(issuer!.address, 1n);
  const units: Record<string, number> = {};
  const run = async (name: string, ...instructions: Instruction[]) => {
    const outcome = expectDone(await chain.send(...instructions));
    units[name] = outcome.units;
    return outcome;
  };

  await run('initialize', await initialize());
  await run('set-governance', await setGovernance());
  await run('set-verifier', await setVerifier());
  await run('set-circuit', await setCircuit());
  const ruleSet = { wallet: issuer!.address, nonce: 1n, name: 'Eight clauses', clauses, maxPassAgeSeconds };
  await run(
    'create-rule-set',
    MEMO,
    await createRuleSetInstruction(PROGRAM, { kind: 'CREATE_RULE_SET', ...ruleSet }),
  );
  chain.fund(rule, 100_000_000n);

  for (const wallet of [holder!, other!]) {
    await run('issue-credential', ...(await credential(wallet.address)));
    const proof = await prove(rule, wallet);
    const intent = { kind: 'PROVE', wallet: wallet.address, rule, expiresAt, proof } as const;
    await run('prove', MEMO, await proveInstruction(PROGRAM, intent, { verifier, circuit }));
    units['prove, bump aside'] =
      units.prove! - MISS * (await missesOf(chain, await at.pass(rule, wallet.address)));
  }

  await bindable(chain, issuer!, mint);
  const bind = { wallet: issuer!.address, mint: mint.address, rule, requireSource: true };
  await run('bind-mint', MEMO, await bindMintInstruction(PROGRAM, { kind: 'BIND_MINT', ...bind }));
  const source = await tokenAccount(chain, mint, holder!);
  const destination = await tokenAccount(chain, mint, other!);
  const issue = { wallet: issuer!.address, mint: mint.address, destination: source, amount: 500n };
  const issueFacts = { rule, destinationOwner: holder!.address };
  await run('issue-tokens', MEMO, await issueInstruction(PROGRAM, { kind: 'ISSUE', ...issue }, issueFacts));
  const transfer = {
    wallet: holder!.address,
    mint: mint.address,
    source,
    destination,
    amount: 1n,
  };
  const transferFacts = {
    rule,
    requireSource: true,
    decimals: 2,
    sourceOwner: holder!.address,
    destinationOwner: other!.address,
  };
  const moved = await run(
    'transfer',
    MEMO,
    await transferInstruction(PROGRAM, { kind: 'TRANSFER', ...transfer }, transferFacts),
  );
  units.hook = unitsOfProgram(moved.logs);
  return units;
}

async function credential(wallet: Address): Promise<Instruction[]> {
  const [payer, authority] = [await keyOf('payer'), await keyOf('verifier')];
  const statement = {
    program: PROGRAM,
    genesisHash: getBase58Decoder().decode(GENESIS_HASH),
    wallet,
    commitment: fieldToBytes(commitmentOf(attributes)),
    issuedAt: NOW,
    expiresAt: NOW + 300n * DAY,
  };
  const signature = await signBytes(authority.keyPair.privateKey, credentialMessage(statement));
  return issueCredentialInstructions({
    payer: payer.address,
    statement,
    verifierAuthority: authority.address,
    signature: new Uint8Array(signature),
  });
}

async function prove(rule: Address, wallet: KeyPairSigner): Promise<Uint8Array> {
  const { wasm, zkey } = await readArtifacts();
  const asOf = asOfDateCode({ expiresAt, maxPassAgeSeconds });
  const input = await circuitInput({
    attributes,
    clauses,
    rule: addressBytes(rule),
    wallet: addressBytes(wallet.address),
    expiresAt,
    asOf,
  });
  const witness = { type: 'mem' as const, data: new Uint8Array() };
  await wtns.calculate({ ...input }, wasm, witness, { memorySize: 1 });
  return encodeProof((await groth16.prove(zkey, witness.data)).proof);
}

async function bindable(chain: Chain, issuer: KeyPairSigner, mint: KeyPairSigner): Promise<void> {
  const rentLamports = chain.rentOf(BINDABLE_MINT_BYTES);
  const [payer, decimals] = [issuer.address, 2];
  const options = { payer, issuer: payer, mint: mint.address, program: PROGRAM, decimals, rentLamports };
  expectDone(await chain.send(...createBindableMintInstructions(options)));
}

async function tokenAccount(chain: Chain, mint: KeyPairSigner, owner: KeyPairSigner): Promise<Address> {
  const options = { payer: owner.address, mint: mint.address, owner: owner.address };
  expectDone(await chain.send(await createTokenAccountInstruction(options)));
  return tokenAccountAddress(options);
}

/** How often the search for the canonical bump, which an account stores as its third byte, missed. */
async function missesOf(chain: Chain, account: Address): Promise<number> {
  return 255 - chain.data(account)[2]!;
}

function unitsOfProgram(logs: readonly string[]): number {
  const consumed = new RegExp(`^Program ${PROGRAM} consumed (\\d+) of`);
  const line = logs.map((log) => consumed.exec(log)?.[1]).find((found) => found !== undefined);
  if (line === undefined) throw new Error('The program did not run.');
  return Number(line);
}

afterAll(async () => {
  await (await curves.getCurveFromName('bn128')).terminate();
});

describe('compute units', () => {
  it('fit the default budget, and the tighter ones of prove and hook', async () => {
    const units = await walk();
    console.table(units);
    for (const [name, used] of Object.entries(units)) expect(used, name).toBeLessThan(DEFAULT_BUDGET);
    expect(units.prove).toBeLessThan(100_000);
    expect(units['prove, bump aside']).toBeLessThan(100_000 - 4 * MISS);
    expect(units.hook).toBeLessThan(3_000);
  });
});

/**
 * One walk over every instruction with real parts (Groth16 proof, ed25519 precompile, Token-2022), for its compute
 * units: each transaction has to fit the default budget, prove has to stay under 100,000 and the hook under 3,000.
 */

import { fileURLToPath } from 'node:url';
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
  DEVELOPMENT_PROGRAM as PROGRAM,
  programAddresses,
  proveInstruction,
  SYSTEM_PROGRAM,
  tokenAccountAddress,
  transferInstruction,
  UPGRADEABLE_LOADER,
} from '@service/protocol';
import {
  asOfDateCode,
  circuitInput,
  commitmentOf,
  encodeProof,
  fieldToBytes,
} from '@service/protocol/eligibility';
import {
  getInitializeInstruction,
  getSetCircuitInstruction,
  getSetGovernanceInstruction,
  getSetVerifierInstruction,
} from '@service/protocol/generated';
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase58Decoder,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  signBytes,
  signTransaction,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm';
import { curves, groth16 } from 'snarkjs';
import { afterAll, beforeAll, expect, it } from 'vitest';

const SO = fileURLToPath(new URL('../artifact/program.so', import.meta.url));
const NOW = 1_760_000_000n;
const DAY = 86_400n;
const GENESIS = new Uint8Array(32).fill(9);
const MAX_AGE = 30n * DAY;

const at = programAddresses(PROGRAM);
const units = new Map<string, bigint>();
let svm: LiteSVM;

async function run(
  name: string,
  signers: KeyPairSigner[],
  instructions: Instruction[],
): Promise<TransactionMetadata> {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer((signers[0] as KeyPairSigner).address, m),
    (m) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  const transaction = await signTransaction(
    signers.map((signer) => signer.keyPair),
    compileTransaction(message),
  );
  const result = svm.sendTransaction(transaction);
  svm.expireBlockhash();
  if (result instanceof FailedTransactionMetadata) {
    throw new Error(`${name} failed: ${result.err()}\n${result.meta().logs().join('\n')}`);
  }
  units.set(name, result.computeUnitsConsumed());
  return result;
}

async function programData(authority: Address) {
  const seeds = [getAddressEncoder().encode(PROGRAM)];
  const [found] = await getProgramDerivedAddress({ programAddress: UPGRADEABLE_LOADER, seeds });
  const account = svm.getAccount(found);
  if (!account.exists) throw new Error('the program is not deployed');
  const data = Uint8Array.from(account.data);
  data[12] = 1;
  data.set(getAddressEncoder().encode(authority), 13);
  svm.setAccount({ ...account, data });
  return found;
}

const clauses = Array.from({ length: 8 }, (_, index) => ({
  regionMask: 1n << BigInt(index * 30),
  statusMask: 3,
  minAge: 18 + index,
}));
const attributes = { region: 60, status: 1, birthDate: 80 * 512 + 5 * 32 + 6, salt: 12345n };

async function issueCredential(verifier: KeyPairSigner, payer: KeyPairSigner, wallet: Address, salt: bigint) {
  const statement = {
    program: PROGRAM,
    genesisHash: getBase58Decoder().decode(GENESIS),
    wallet,
    commitment: fieldToBytes(commitmentOf({ ...attributes, salt })),
    issuedAt: NOW - 100n,
    expiresAt: NOW + 300n * DAY,
  };
  const signature = await signBytes(verifier.keyPair.privateKey, credentialMessage(statement));
  await run(
    'issueCredential',
    [payer],
    await issueCredentialInstructions({
      payer: payer.address,
      statement,
      verifierAuthority: verifier.address,
      signature: new Uint8Array(signature),
    }),
  );
}

beforeAll(() => {
  svm = new LiteSVM();
  const clock = svm.getClock();
  clock.unixTimestamp = NOW;
  svm.setClock(clock);
  svm.addProgramFromFile(PROGRAM, SO);
});
afterAll(async () => {
  await (await curves.getCurveFromName('bn128')).terminate();
});

it('fits its budgets', async () => {
  const artifacts = await readArtifacts();
  const [issuer, holder, other, verifier, mint] = (await Promise.all(
    Array.from({ length: 5 }, () => generateKeyPairSigner()),
  )) as [KeyPairSigner, KeyPairSigner, KeyPairSigner, KeyPairSigner, KeyPairSigner];
  for (const wallet of [issuer, holder, other]) svm.airdrop(wallet.address, lamports(100_000_000_000n));

  const config = await at.config();
  const data = await programData(issuer.address);
  await run(
    'initialize',
    [issuer],
    [
      getInitializeInstruction({
        payer: issuer,
        upgradeAuthority: issuer,
        authority: issuer,
        config,
        treasury: await at.treasury(),
        programData: data,
        systemProgram: SYSTEM_PROGRAM,
        genesisHash: GENESIS,
      }),
    ],
  );
  await run(
    'setGovernance',
    [issuer],
    [
      getSetGovernanceInstruction({
        authority: issuer,
        nextAuthority: issuer,
        config,
        programData: data,
        paused: false,
        passFee: 1_000_000n,
      }),
    ],
  );
  await run(
    'setVerifier',
    [issuer],
    [
      getSetVerifierInstruction({
        authority: issuer,
        payer: issuer,
        config,
        verifierAuthority: verifier.address,
        verifier: await at.verifier(verifier.address),
        systemProgram: SYSTEM_PROGRAM,
        active: true,
        name: 'Demo verifier',
      }),
    ],
  );
  const circuit = await at.circuit('eligibility-1');
  await run(
    'setCircuit',
    [issuer],
    [
      getSetCircuitInstruction({
        authority: issuer,
        payer: issuer,
        config,
        circuit,
        systemProgram: SYSTEM_PROGRAM,
        id: 'eligibility-1',
        artifactsDigest: Buffer.from(artifacts.digest, 'hex'),
        graceSeconds: 0n,
        verifyingKey: artifacts.key,
      }),
    ],
  );
  await run(
    'createRuleSet',
    [issuer],
    [
      await createRuleSetInstruction(PROGRAM, {
        kind: 'CREATE_RULE_SET',
        wallet: issuer.address,
        nonce: 1n,
        name: 'Eight clauses',
        clauses,
        maxPassAgeSeconds: MAX_AGE,
      }),
    ],
  );
  const rule = await at.ruleSet(issuer.address, 1n);
  await run(
    'fund',
    [issuer],
    [getTransferSolInstruction({ source: issuer, destination: rule, amount: 10_000_000n })],
  );

  const expiresAt = NOW + 10n * DAY;
  for (const wallet of [holder, other]) {
    await issueCredential(verifier, wallet, wallet.address, 12345n);
    const input = circuitInput({
      attributes,
      clauses,
      wallet: new Uint8Array(getAddressEncoder().encode(wallet.address)),
      expiresAt,
      asOf: asOfDateCode({ expiresAt, maxPassAgeSeconds: MAX_AGE }),
    });
    const { proof } = await groth16.fullProve(
      { ...input, clauseHashes: [...input.clauseHashes] },
      artifacts.wasm,
      artifacts.zkey,
      undefined,
      { memorySize: 1 },
    );
    await run(
      'prove',
      [wallet],
      [
        await proveInstruction(
          PROGRAM,
          { kind: 'PROVE', wallet: wallet.address, rule, expiresAt, proof: encodeProof(proof) },
          { verifier: await at.verifier(verifier.address), circuit },
        ),
      ],
    );
  }

  await run(
    'createMint',
    [issuer, mint],
    createBindableMintInstructions({
      payer: issuer.address,
      mint: mint.address,
      issuer: issuer.address,
      program: PROGRAM,
      decimals: 2,
      rentLamports: svm.minimumBalanceForRentExemption(BigInt(BINDABLE_MINT_BYTES)),
    }),
  );
  await run(
    'bindMint',
    [issuer],
    [
      await bindMintInstruction(PROGRAM, {
        kind: 'BIND_MINT',
        wallet: issuer.address,
        mint: mint.address,
        rule,
        requireSource: true,
      }),
    ],
  );
  for (const wallet of [holder, other])
    await run(
      'createTokenAccount',
      [wallet],
      [
        await createTokenAccountInstruction({
          payer: wallet.address,
          mint: mint.address,
          owner: wallet.address,
        }),
      ],
    );
  const source = await tokenAccountAddress({ mint: mint.address, owner: holder.address });
  const destination = await tokenAccountAddress({ mint: mint.address, owner: other.address });
  await run(
    'issueTokens',
    [issuer],
    [
      await issueInstruction(
        PROGRAM,
        { kind: 'ISSUE', wallet: issuer.address, mint: mint.address, destination: source, amount: 500n },
        { rule, destinationOwner: holder.address },
      ),
    ],
  );
  const transfer = await run(
    'transfer',
    [holder],
    [
      await transferInstruction(
        PROGRAM,
        { kind: 'TRANSFER', wallet: holder.address, mint: mint.address, source, destination, amount: 120n },
        {
          rule,
          requireSource: true,
          decimals: 2,
          sourceOwner: holder.address,
          destinationOwner: other.address,
        },
      ),
    ],
  );
  const hook = transfer
    .logs()
    .map((line) => line.match(new RegExp(`^Program ${PROGRAM} consumed (\\d+) of`))?.[1])
    .find(Boolean);
  units.set('hook alone', BigInt(hook ?? '999999'));

  console.table(Object.fromEntries(units));
  for (const [name, used] of units) expect(used, name).toBeLessThan(200_000n);
  expect(units.get('prove')).toBeLessThan(100_000n);
  expect(units.get('hook alone')).toBeLessThan(3_000n);
});

/**
 * Renders the Rust client, compiles it, and compares its bytes with those of the TypeScript client. It needs cargo, and
 * downloads crates. `npm run campaign -- rust-client`
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressBytes } from '@service/contract';
import { DEVELOPMENT_PROGRAM, programAddresses } from '@service/protocol';
import {
  getBindMintInstructionDataEncoder,
  getCircuitEncoder,
  getConfigEncoder,
  getCreateRuleSetInstructionDataEncoder,
  getCredentialEncoder,
  getMintBindingEncoder,
  getPassEncoder,
  getRuleSetEncoder,
  getSetPassFeeInstructionDataEncoder,
  getTreasuryEncoder,
  getVerifierEncoder,
} from '@service/protocol/generated';
import { type Address, getAddressDecoder, type ReadonlyUint8Array } from '@solana/kit';
import { renderRustClient } from './render-rust-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'rust-client-'));
try {
  await renderRustClient(folder);
  const golden = join(folder, 'tests/golden');
  mkdirSync(golden);
  for (const [name, bytes] of Object.entries(await goldenBytes()))
    writeFileSync(join(golden, name), Uint8Array.from(bytes));
  const { status, error } = spawnSync('cargo', ['test', '--locked', '--quiet'], {
    cwd: folder,
    env: { ...process.env, CARGO_TARGET_DIR: join(import.meta.dirname, '../rust-client/target') },
    stdio: 'inherit',
  });
  if (error) throw error;
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns what the TypeScript client writes, by the names that rust-client/tests/bytes.rs reads. */
async function goldenBytes(): Promise<Record<string, ReadonlyUint8Array>> {
  const nonce = 258n;
  const creator = addressOf(1);
  const at = programAddresses(DEVELOPMENT_PROGRAM);
  const rule = await at.ruleSet(creator, nonce);
  const bump = 254;
  const clauses = [1, 2].map((n) => ({ regionMask: filled(n), statusMask: n, minAge: 18 }));
  const identity = { nonce, name: 'Adults', maxPassAgeSeconds: 86_400n, clauses };
  const terms = { powers: 3, verifier: null };
  const circuit = { bump, id: 'eligibility-v1', artifactsDigest: filled(2), verifyingKey: filled(3, 576) };
  const config = { bump, genesisHash: filled(4), authority: creator, passesValidFrom: 1_760_000_000n };
  const [wallet, verifier, commitment] = [addressOf(5), addressOf(6), filled(7)];
  const times = { issuedAt: 1_760_000_001n, expiresAt: 1_760_000_002n };
  return {
    creator: addressBytes(creator),
    'circuit-id': Buffer.concat([Buffer.from(circuit.id)], 32),
    'circuit-address': addressBytes(await at.circuit(circuit.id)),
    'rule-set-address': addressBytes(rule),
    'pass-address': addressBytes(await at.pass(rule, creator)),
    'circuit-live': getCircuitEncoder().encode({ ...circuit, retiredAt: null, unsound: false }),
    'circuit-retired': getCircuitEncoder().encode({ ...circuit, retiredAt: 5n, unsound: true }),
    'config-empty': getConfigEncoder().encode({
      ...config,
      paused: false,
      passFee: null,
      nextPassFee: null,
      nextPassFeeFrom: 0n,
      unsetPassFee: null,
      activeCircuit: null,
      nominee: null,
      guardian: null,
    }),
    'config-full': getConfigEncoder().encode({
      ...config,
      paused: true,
      passFee: 1n,
      nextPassFee: 2n,
      nextPassFeeFrom: 3n,
      unsetPassFee: 4n,
      activeCircuit: addressOf(8),
      nominee: addressOf(9),
      guardian: addressOf(10),
    }),
    credential: getCredentialEncoder().encode({
      bump,
      wallet,
      verifier,
      commitment,
      ...times,
      revoked: true,
      voidUntil: 3,
      otherVerifier: filled(11, 8),
      otherVoidUntil: 4,
    }),
    'mint-binding': getMintBindingEncoder().encode({
      bump,
      mint: addressOf(12),
      rule,
      issuer: creator,
      requireSource: true,
      honoursGranted: true,
      nextRule: addressOf(14),
      readsCredential: true,
    }),
    'bind-mint-data': getBindMintInstructionDataEncoder().encode({
      requireSource: false,
      terms: { honoursGranted: false, readsCredential: true },
    }),
    pass: getPassEncoder().encode({
      bump,
      rule,
      wallet,
      circuit: addressOf(8),
      verifier,
      commitment,
      ...times,
    }),
    'rule-set': getRuleSetEncoder().encode({
      ...identity,
      ...terms,
      bump,
      creator,
      ruleHash: filled(13),
      clauseHashes: Array.from({ length: 8 }, (_, slot) => filled(20 + slot)),
      fees: 5n,
      maxPassFee: 6n,
    }),
    treasury: getTreasuryEncoder().encode({ bump, feesCollected: 7n }),
    verifier: getVerifierEncoder().encode({ bump, authority: wallet, active: true, name: 'Verifier' }),
    'create-rule-set-data': getCreateRuleSetInstructionDataEncoder().encode({ ...identity, terms }),
    'unset-pass-fee-data': getSetPassFeeInstructionDataEncoder().encode({ passFee: null }),
  };
}

function filled(byte: number, size = 32): Uint8Array {
  return new Uint8Array(size).fill(byte);
}

function addressOf(byte: number): Address {
  return getAddressDecoder().decode(filled(byte));
}

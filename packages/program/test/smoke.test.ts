/**
 * The toolchain path: the committed program.so loads into an SVM, and its first instructions do what the IDL says.
 * Bytes are written by hand here, so that this test stands without the generated client.
 */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  type AccountMeta,
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { poseidon2 } from 'poseidon-lite';
import { beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = address('7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi');
const LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');
const SYSTEM = address('11111111111111111111111111111111');
const SO = fileURLToPath(new URL('../artifact/program.so', import.meta.url));
const NOW = 1_760_000_000n;

const bytesOf = (value: Address) => new Uint8Array(getAddressEncoder().encode(value));
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const pda = async (...seeds: (string | Uint8Array)[]) =>
  (await getProgramDerivedAddress({ programAddress: PROGRAM, seeds }))[0];
const fieldBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

let svm: LiteSVM;
let payer: KeyPairSigner;

async function send(
  accounts: (AccountMeta | { signer: KeyPairSigner; role: AccountRole })[],
  data: Uint8Array,
) {
  const metas = accounts.map((account) =>
    'signer' in account
      ? { address: account.signer.address, role: account.role, signer: account.signer }
      : account,
  );
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(payer, m),
    (m) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    (m) =>
      appendTransactionMessageInstructions(
        [{ programAddress: PROGRAM, accounts: metas as AccountMeta[], data }],
        m,
      ),
  );
  const result = svm.sendTransaction(await signTransactionMessageWithSigners(message));
  svm.expireBlockhash();
  return result;
}

const read = (at: Address) => {
  const account = svm.getAccount(at);
  if (!account.exists) throw new Error(`nothing at ${at}`);
  return account;
};

/** addProgram leaves the upgrade authority unset: write it as a deployment does. */
async function setUpgradeAuthority(authority: Address) {
  const [programData] = await getProgramDerivedAddress({ programAddress: LOADER, seeds: [bytesOf(PROGRAM)] });
  const account = read(programData);
  const data = Uint8Array.from(account.data);
  data[12] = 1;
  data.set(bytesOf(authority), 13);
  svm.setAccount({ ...account, data });
  return programData;
}

async function initialize() {
  const programData = await setUpgradeAuthority(payer.address);
  const [config, treasury] = [await pda('config'), await pda('treasury')];
  const result = await send(
    [
      { signer: payer, role: AccountRole.WRITABLE_SIGNER },
      { signer: payer, role: AccountRole.READONLY_SIGNER },
      { signer: payer, role: AccountRole.READONLY_SIGNER },
      { address: config, role: AccountRole.WRITABLE },
      { address: treasury, role: AccountRole.WRITABLE },
      { address: programData, role: AccountRole.READONLY },
      { address: SYSTEM, role: AccountRole.READONLY },
    ],
    Buffer.concat([Buffer.from([0]), Buffer.alloc(32, 7)]),
  );
  return { result, config, treasury };
}

beforeEach(async () => {
  svm = new LiteSVM();
  const clock = svm.getClock();
  clock.unixTimestamp = NOW;
  svm.setClock(clock);
  payer = await generateKeyPairSigner();
  svm.airdrop(payer.address, lamports(100_000_000_000n));
  svm.addProgramFromFile(PROGRAM, SO);
});

describe('the built program', () => {
  it('initializes Config and Treasury', async () => {
    const { result, config, treasury } = await initialize();

    expect(result, String(result)).not.toBeInstanceOf(FailedTransactionMetadata);
    const data = read(config).data;
    expect(data.length).toBe(3 + 32 + 32 + 33 + 1 + 9 + 33 + 8);
    expect([data[0], data[1]]).toEqual([1, 1]);
    expect(data.slice(3, 35)).toEqual(new Uint8Array(32).fill(7));
    expect(getAddressDecoder().decode(data, 35)).toBe(payer.address);
    expect(read(treasury).data.slice(0, 2)).toEqual(Uint8Array.from([2, 1]));
  });

  it('creates a rule set of eight clauses at a pre-funded address, with the clause hashes of the circuit', async () => {
    const { config } = await initialize();
    const nonce = 5n;
    const ruleSet = await pda('rule', bytesOf(payer.address), u64(nonce));
    svm.airdrop(ruleSet, lamports(1_000_000n));
    const clauses = Array.from({ length: 8 }, (_, index) => ({
      region: 1n << BigInt(index * 30),
      status: 3,
      age: 18 + index,
    }));
    const data = Buffer.concat([
      Buffer.from([8]),
      u64(nonce),
      Buffer.from([5]),
      Buffer.from('Acme!'),
      u64(86_400n),
      Buffer.from([clauses.length]),
      ...clauses.map(({ region, status, age }) =>
        Buffer.concat([fieldBytes(region), Buffer.from([status, 0, 0, 0, age])]),
      ),
    ]);

    const result = await send(
      [
        { signer: payer, role: AccountRole.WRITABLE_SIGNER },
        { address: ruleSet, role: AccountRole.WRITABLE },
        { address: config, role: AccountRole.READONLY },
        { address: SYSTEM, role: AccountRole.READONLY },
      ],
      data,
    );

    expect(result, String(result)).not.toBeInstanceOf(FailedTransactionMetadata);
    const account = read(ruleSet);
    expect(account.programAddress).toBe(PROGRAM);
    expect(account.data.length).toBe(372 + 8 * 37);
    const hashes = clauses.map(({ region, status, age }) =>
      fieldBytes(poseidon2([region, BigInt(status) + BigInt(age) * 2n ** 32n])),
    );
    const ruleHash = createHash('sha256').update(Buffer.concat(hashes)).digest();
    expect(Buffer.from(account.data.slice(75, 75 + 9 * 32)).toString('hex')).toBe(
      Buffer.concat([ruleHash, ...hashes]).toString('hex'),
    );
    if ('computeUnitsConsumed' in result) expect(result.computeUnitsConsumed()).toBeLessThan(200_000n);
  });

  it('refuses data that begins with the number of no instruction', async () => {
    for (const data of [[], [14], [255], [0x69, 0x25]]) {
      const result = await send([], Uint8Array.from(data));
      expect(result).toBeInstanceOf(FailedTransactionMetadata);
      expect(String(result), `data ${data}`).toContain('Custom(6000)');
    }
  });
});

import { hkdfSync } from 'node:crypto';
import { FIELD_ORDER } from '@service/protocol/eligibility';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { key, module } from './support/artifacts.ts';
import { countingSource, DEAD_SOURCES } from './support/random-sources.ts';
import { inputs, littleEndian, witnessOf } from './support/witness.ts';

const witness = await witnessOf(inputs[0]![1]);
const other = await witnessOf(inputs[1]![1]);
const refused = (message: string) =>
  expect.objectContaining({
    name: 'ProverError',
    code: 'UNSUPPORTED_PLATFORM',
    message: expect.stringContaining(message),
  });

/** Replaces the source. Returns what it wrote to: the parts of the drawn bytes. */
function useSource(source: ReturnType<typeof countingSource>): Uint8Array[] {
  const written: Uint8Array[] = [];
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
    written.push(bytes as Uint8Array);
    return source(bytes as Uint8Array) as typeof bytes;
  });
  return written;
}

/** The module of another process, which remembers no draws. */
async function restarted() {
  vi.resetModules();
  return { ...(await import('../src/index.ts')), ...(await import('../src/blinding-factors.ts')) };
}

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`);
const numbersOf = (factors: Uint8Array) => [factors.subarray(0, 32), factors.subarray(32)].map(numberOf);

let prover: Awaited<ReturnType<typeof restarted>>;
beforeEach(async () => {
  prover = await restarted();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.doUnmock('@noble/hashes/hkdf.js');
});

describe('r and s', () => {
  it('are HKDF-SHA-512 of two draws and all wires, each reduced from 512 bits', async () => {
    useSource(countingSource());
    const factors = prover.blindingFactors(witness.wires);
    const fresh = Buffer.alloc(64);
    fresh.writeUInt32BE(1, 0);
    fresh.writeUInt32BE(2, 32);
    const wide = Buffer.from(
      hkdfSync('sha512', witness.wires, fresh, 'service:v1:blinding-factors', 128),
    ).toString('hex');
    const expected = [wide.slice(0, 128), wide.slice(128)].map((half) => BigInt(`0x${half}`) % FIELD_ORDER);
    expect(numbersOf(factors)).toEqual(expected);
  });

  it('are those of the proof', async () => {
    useSource(countingSource());
    const factors = prover.blindingFactors(witness.wires);
    prover = await restarted();
    useSource(countingSource());
    const own = await prover.createProver(module, key);
    const randomness = { r: factors.slice(0, 32), s: factors.slice(32) };
    expect(await own.prove(witness)).toEqual(await own.prove(witness, { randomness }));
  });

  it('are never shared by two contexts, even if the source starts again with the same bytes', async () => {
    const seen = new Set<bigint>();
    for (const wires of [witness.wires, other.wires, witness.wires.with(-1, witness.wires.at(-1)! ^ 1)]) {
      prover = await restarted();
      useSource(countingSource());
      for (const number of numbersOf(prover.blindingFactors(wires))) seen.add(number);
    }
    expect(seen.size).toBe(6);
  });

  it('differ for the same wires if the fresh bytes differ', () => {
    const seen = [1, 2, 3].flatMap(() => numbersOf(prover.blindingFactors(witness.wires)));
    expect(new Set(seen).size).toBe(6);
  });

  it.each([1n, FIELD_ORDER - 1n, FIELD_ORDER + 1n, 2n ** 254n, 2n ** 511n, 2n ** 512n - 1n])(
    'of %d are reduced modulo the order',
    async (wide) => {
      const bytes = Buffer.from(wide.toString(16).padStart(128, '0').repeat(2), 'hex');
      vi.doMock('@noble/hashes/hkdf.js', () => ({ hkdf: () => Uint8Array.from(bytes) }));
      prover = await restarted();
      expect(numbersOf(prover.blindingFactors(witness.wires))).toEqual(Array(2).fill(wide % FIELD_ORDER));
    },
  );

  it.each([0n, FIELD_ORDER, 1000n * FIELD_ORDER])('of zero, from %d, are refused', async (wide) => {
    const zero = wide.toString(16).padStart(128, '0');
    for (const halves of [zero + '5'.repeat(128), '5'.repeat(128) + zero]) {
      vi.doMock('@noble/hashes/hkdf.js', () => ({
        hkdf: () => Uint8Array.from(Buffer.from(halves, 'hex')),
      }));
      prover = await restarted();
      expect(() => prover.blindingFactors(witness.wires)).toThrow('A blinding factor is zero');
    }
  });

  it('of zero are refused from a caller, too', async () => {
    const own = await prover.createProver(module, key);
    for (const [r, s] of [[0n, 0n] as const, [0n, 7n] as const, [7n, 0n] as const]) {
      const randomness = { r: littleEndian(r), s: littleEndian(s) };
      await expect(own.prove(witness, { randomness })).rejects.toMatchObject({ code: 'PROVER_FAILED' });
    }
  });

  it('leave no fresh bytes behind, also after a refusal', () => {
    const written = useSource(countingSource(3));
    prover.blindingFactors(witness.wires);
    expect(() => prover.blindingFactors(witness.wires)).toThrow('twice');
    expect(written).toHaveLength(4);
    for (const bytes of written) expect(new Uint8Array(bytes.buffer).some((byte) => byte !== 0)).toBe(false);
  });
});

describe('a source of random numbers', () => {
  it.each(DEAD_SOURCES)('that %s makes no proof', async (_, source) => {
    const own = await prover.createProver(module, key);
    if (source) useSource(source);
    else vi.stubGlobal('crypto', { subtle: crypto.subtle });
    await expect(own.prove(witness)).rejects.toEqual(refused('crypto.getRandomValues '));
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    expect(await own.prove(witness)).toHaveProperty('pi_a');
  });

  it('makes no proof without any WebCrypto', async () => {
    const own = await prover.createProver(module, key);
    vi.stubGlobal('crypto', undefined);
    await expect(own.prove(witness)).rejects.toEqual(refused('is missing'));
  });

  it.each([2, 3, 7])('that repeats after %d draws makes no second proof with them', async (period) => {
    useSource(countingSource(period));
    const provers = await Promise.all([1, 2].map(() => prover.createProver(module, key)));
    const whole = Math.floor(period / 2);
    for (let proof = 0; proof < whole; proof += 1)
      expect(await provers[proof % 2]!.prove(proof % 2 ? other : witness)).toHaveProperty('pi_a');
    await expect(provers[whole % 2]!.prove(witness)).rejects.toEqual(refused('the same bytes twice'));
  });

  it('is compared with the last 10,000 draws, so the memory has a limit', async () => {
    const { freshBytes } = await import('../src/fresh-bytes.ts');
    const period = 10_001;
    useSource(countingSource(period));
    for (let draws = 2; draws < period; draws += 2) freshBytes();
    // The last draw of the period, then the first one again.
    expect(freshBytes()).toHaveLength(64);
    vi.restoreAllMocks();
    useSource(countingSource());
    expect(freshBytes).toThrow('twice');
  });
});

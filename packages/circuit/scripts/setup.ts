import type { SetupProvenance, SnarkjsVerifyingKey } from '@service/protocol/eligibility';
import { curves, powersOfTau, r1cs as r1csFile, zKey } from 'snarkjs';
import { sha256 } from '../src/artifacts.ts';
import { packageVersion } from './compile.ts';

/** 2^11 rows. They hold 2,046 constraints: snarkjs needs one row for each public signal and one more. */
const POWER = 11;

/** The smallest exponent that snarkjs accepts. A development beacon needs no delay. */
const ITERATIONS_EXPONENT = 10;

export interface Setup<Provenance extends SetupProvenance = SetupProvenance> {
  zkey: Uint8Array;
  vkey: SnarkjsVerifyingKey;
  constraints: number;
  provenance: Provenance;
}

/**
 * Makes a development setup for a constraint system: powers of tau, then the circuit's own phase. Both come from published
 * beacons and nothing random, so every run gives the same bytes. Therefore the trapdoor is public, and anyone can forge
 * proofs. The manifest says that the setup is for development.
 */
export async function setUp(r1cs: Uint8Array, log: (step: string) => void): Promise<Setup> {
  const phase1Beacon = beacon('phase 1');
  const phase2Beacon = beacon('phase 2');
  const [start, contributed, prepared, unsealed, sealed] = Array.from({ length: 5 }, () => ({
    type: 'mem' as const,
    data: undefined as unknown as Uint8Array,
  })) as [MemoryFile, MemoryFile, MemoryFile, MemoryFile, MemoryFile];

  // End it below: its worker threads would keep the process alive.
  const curve = await curves.getCurveFromName('bn128');
  try {
    const { nConstraints, nPubInputs } = await r1csFile.info(r1cs);
    if (nPubInputs !== 1) throw new Error(`The circuit has ${nPubInputs} public signals. It must have one.`);

    log(`powers of tau, 2^${POWER}`);
    await powersOfTau.newAccumulator(curve, POWER, start);
    succeeded(
      await powersOfTau.beacon(start, contributed, 'development', phase1Beacon.hash, ITERATIONS_EXPONENT),
      'the powers of tau beacon',
    );
    await powersOfTau.preparePhase2(contributed, prepared);

    log('proving key');
    succeeded(await zKey.newZKey(r1cs, prepared, unsealed), `a proving key within 2^${POWER} rows`);
    succeeded(
      await zKey.beacon(unsealed, sealed, 'development', phase2Beacon.hash, ITERATIONS_EXPONENT),
      'the proving key beacon',
    );

    log('checking the proving key against constraints and powers of tau');
    succeeded(await zKey.verifyFromR1cs(r1cs, prepared, sealed), 'the check of the proving key');

    return {
      zkey: sealed.data,
      vkey: await zKey.exportVerificationKey(sealed),
      constraints: nConstraints,
      provenance: {
        kind: 'development',
        tool: `snarkjs@${packageVersion('snarkjs')}`,
        power: POWER,
        phase1Beacon,
        phase2Beacon,
      },
    };
  } finally {
    await curve.terminate();
  }
}

interface MemoryFile {
  type: 'mem';
  data: Uint8Array;
}

/** Throws if snarkjs reports a failure by returning `false` or -1. */
function succeeded(result: Uint8Array | boolean | number, what: string): void {
  if (result === false || result === -1) throw new Error(`snarkjs could not make ${what}.`);
}

function beacon(phase: string) {
  const hash = sha256(`rule-set-pass-service development setup, ${phase}`);
  return { hash, iterationsExponent: ITERATIONS_EXPONENT };
}

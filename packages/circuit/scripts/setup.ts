import type { SetupProvenance, SnarkjsVerifyingKey } from '@service/protocol/eligibility';
import { curves, powersOfTau, r1cs as r1csFile, zKey } from 'snarkjs';
import { sha256 } from '../src/artifacts.ts';
import { packageVersion } from './compile.ts';

/** 2^11 rows: room for 2,046 constraints, for snarkjs takes one for each public signal and one besides. */
const POWER = 11;

/** The least that snarkjs takes. A development beacon needs no delay. */
const ITERATIONS_EXPONENT = 10;

export interface Setup {
  zkey: Uint8Array;
  vkey: SnarkjsVerifyingKey;
  constraints: number;
  provenance: SetupProvenance;
}

/**
 * Makes a development setup for a constraint system: powers of tau, then the circuit's own phase, each derived from
 * a published beacon and from nothing random, so that every run yields the same bytes. The trapdoor is therefore
 * public: whoever runs this can forge proofs. It is for development, and is labelled so.
 */
export async function setUp(r1cs: Uint8Array, log: (step: string) => void): Promise<Setup> {
  const phase1Beacon = beacon('phase 1');
  const phase2Beacon = beacon('phase 2');
  const [start, contributed, prepared, unsealed, sealed] = Array.from({ length: 5 }, () => ({
    type: 'mem' as const,
    data: undefined as unknown as Uint8Array,
  })) as [MemoryFile, MemoryFile, MemoryFile, MemoryFile, MemoryFile];

  // Owned here and ended here: its worker threads would keep the process alive.
  const curve = await curves.getCurveFromName('bn128');
  try {
    const { nConstraints, nPubInputs } = await r1csFile.info(r1cs);
    if (nPubInputs !== 1)
      throw new Error(`The circuit has ${nPubInputs} public signals; the program takes one.`);

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

/** snarkjs reports some failures by returning `false` or -1. */
function succeeded(result: Uint8Array | boolean | number, what: string): void {
  if (result === false || result === -1) throw new Error(`snarkjs could not make ${what}.`);
}

function beacon(phase: string) {
  const hash = sha256(`rule-set-pass-service development setup, ${phase}`);
  return { hash, iterationsExponent: ITERATIONS_EXPONENT };
}

/** Types for the part of snarkjs 0.7's bn128 curve that verification needs. snarkjs has no types. */

/** A point in the encoding of snarkjs. */
export type CurvePoint = Uint8Array;

/** One of the two groups. */
interface Group<Coordinates> {
  fromObject(coordinates: Coordinates): CurvePoint;
  isValid(point: CurvePoint): boolean;
  add(a: CurvePoint, b: CurvePoint): CurvePoint;
  neg(point: CurvePoint): CurvePoint;
  timesScalar(point: CurvePoint, scalar: bigint): CurvePoint;
}

/** The curve. */
export interface Curve {
  readonly r: bigint;
  readonly G1: Group<readonly bigint[]>;
  readonly G2: Group<readonly (readonly bigint[])[]>;
  /** Returns whether the product of the pairings of the points, two by two, is one. */
  pairingEq(...points: CurvePoint[]): Promise<boolean>;
}

/** Builds a curve that only the caller uses. snarkjs does not share a curve without worker threads. */
export async function buildCurve(): Promise<Curve> {
  // biome-ignore lint/suspicious/noTsIgnore: another package of the same build may declare the module.
  // @ts-ignore
  const { curves } = await import('snarkjs');
  return (await curves.getCurveFromName('bn128', { singleThread: true })) as unknown as Curve;
}

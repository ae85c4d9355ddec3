/** The part of snarkjs 0.7's bn128 curve that verification takes. snarkjs ships no types. */

/** A point in snarkjs's own form. */
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
  /** Whether the product of the pairings of the points, taken two by two, is one. */
  pairingEq(...points: CurvePoint[]): Promise<boolean>;
}

/** Builds a curve that belongs to the caller alone: without worker threads snarkjs shares it with nobody. */
export async function buildCurve(): Promise<Curve> {
  // biome-ignore lint/suspicious/noTsIgnore: another package of the same build may declare the module.
  // @ts-ignore
  const { curves } = await import('snarkjs');
  return (await curves.getCurveFromName('bn128', { singleThread: true })) as unknown as Curve;
}

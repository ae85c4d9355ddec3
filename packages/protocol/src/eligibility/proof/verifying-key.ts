import { EligibilityError } from '../errors.ts';
import { g1ToBytes, g2ToBytes, type PointG1, type PointG2, readCoordinates } from './points.ts';
import {
  parseSnarkjsG1,
  parseSnarkjsG2,
  type SnarkjsG1,
  type SnarkjsG2,
  toSnarkjsG1,
  toSnarkjsG2,
} from './snarkjs-points.ts';

/** Bytes of a packed verifying key: alpha 64, beta, gamma and delta 128 each, IC0 and IC1 64 each. */
export const VERIFYING_KEY_BYTES = 576;

/** The verifying key that snarkjs exports, as far as it is read here. */
export interface SnarkjsVerifyingKey {
  readonly protocol: string;
  readonly curve: string;
  readonly nPublic: number;
  readonly vk_alpha_1: SnarkjsG1;
  readonly vk_beta_2: SnarkjsG2;
  readonly vk_gamma_2: SnarkjsG2;
  readonly vk_delta_2: SnarkjsG2;
  readonly IC: readonly SnarkjsG1[];
}

/**
 * Packs a verifying key as the Circuit account stores it and the alt_bn128 syscalls read it:
 * `alpha | beta | gamma | delta | IC0 | IC1`, 576 bytes, big-endian, G2 as x.c1, x.c0, y.c1, y.c0.
 *
 * @throws EligibilityError VERIFYING_KEY_MALFORMED when it is not Groth16 on bn128 with exactly one public signal,
 *   or a point is not on its curve.
 */
export function packVerifyingKey(key: SnarkjsVerifyingKey): Uint8Array {
  if (key.protocol !== 'groth16' || key.curve !== 'bn128') {
    throw malformed('it is not a Groth16 key on bn128');
  }
  if (key.nPublic !== 1 || !Array.isArray(key.IC) || key.IC.length !== 2) {
    throw malformed('it does not have exactly one public signal');
  }
  const parts = [
    packG1(key.vk_alpha_1, 'vk_alpha_1'),
    packG2(key.vk_beta_2, 'vk_beta_2'),
    packG2(key.vk_gamma_2, 'vk_gamma_2'),
    packG2(key.vk_delta_2, 'vk_delta_2'),
    packG1(key.IC[0], 'IC[0]'),
    packG1(key.IC[1], 'IC[1]'),
  ];
  const packed = new Uint8Array(VERIFYING_KEY_BYTES);
  let offset = 0;
  for (const part of parts) {
    packed.set(part, offset);
    offset += part.length;
  }
  return packed;
}

/**
 * Returns the verifying key in the 576 bytes of a Circuit account, in the form that snarkjs reads.
 *
 * @throws EligibilityError VERIFYING_KEY_MALFORMED when the length is wrong, or a point is out of range or not on its curve.
 */
export function unpackVerifyingKey(packed: Uint8Array): SnarkjsVerifyingKey {
  const coordinates = packed.length === VERIFYING_KEY_BYTES ? readCoordinates(packed) : null;
  if (!coordinates) throw malformed(`it is not ${VERIFYING_KEY_BYTES} bytes of coordinates`);
  const next = () => coordinates.shift() ?? 0n;
  const g1 = (): SnarkjsG1 => {
    const point: PointG1 = { x: next(), y: next() };
    return toSnarkjsG1(point);
  };
  const g2 = (): SnarkjsG2 => {
    const [x1, x0, y1, y0] = [next(), next(), next(), next()];
    const point: PointG2 = { x: { c0: x0, c1: x1 }, y: { c0: y0, c1: y1 } };
    return toSnarkjsG2(point);
  };
  const key = {
    protocol: 'groth16',
    curve: 'bn128',
    nPublic: 1,
    vk_alpha_1: g1(),
    vk_beta_2: g2(),
    vk_gamma_2: g2(),
    vk_delta_2: g2(),
    IC: [g1(), g1()],
  };
  // Packing checks every point.
  packVerifyingKey(key);
  return key;
}

function packG1(value: unknown, name: string): Uint8Array {
  const point = parseSnarkjsG1(value);
  if (!point) throw malformed(`${name} is not a point of the first group`);
  return g1ToBytes(point);
}

function packG2(value: unknown, name: string): Uint8Array {
  const point = parseSnarkjsG2(value);
  if (!point) throw malformed(`${name} is not a point of the second group`);
  return g2ToBytes(point);
}

function malformed(reason: string): EligibilityError {
  return new EligibilityError('VERIFYING_KEY_MALFORMED', `The verifying key cannot be used: ${reason}.`);
}

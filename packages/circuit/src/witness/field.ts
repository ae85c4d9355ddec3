import { FIELD_ORDER } from '@service/protocol/eligibility/field';

/** Returns an integer modulo the order of the field. */
export function mod(value: bigint): bigint {
  const rest = value % FIELD_ORDER;
  return rest < 0n ? rest + FIELD_ORDER : rest;
}

/** Returns 1 / value by the extended Euclidean algorithm. The value is not 0. */
export function inverse(value: bigint): bigint {
  let [low, high] = [value, FIELD_ORDER];
  let [lowFactor, highFactor] = [1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [low, high] = [high % low, low];
    [lowFactor, highFactor] = [highFactor - lowFactor * quotient, lowFactor];
  }
  return mod(lowFactor);
}

/** Returns 1 / value for each value, with one division. No value may be 0. */
export function inverses(values: readonly bigint[]): bigint[] {
  const products: bigint[] = [];
  let product = 1n;
  for (const value of values) {
    products.push(product);
    product = (product * value) % FIELD_ORDER;
  }
  let rest = inverse(product);
  const results: bigint[] = [];
  for (let index = values.length - 1; index >= 0; index -= 1) {
    results[index] = (rest * products[index]!) % FIELD_ORDER;
    rest = (rest * values[index]!) % FIELD_ORDER;
  }
  return results;
}

/** Returns `count` zeros, with `value` at `place` if `place` is below `count`. */
export function only(place: number, count: number, value = 1n): bigint[] {
  return Array.from({ length: count }, (_, index) => (index === place ? value : 0n));
}

/**
 * The SHA-256 of the `eligibility.wasm` that computes the same witnesses as this folder: 64 lowercase hex digits. Artifacts
 * with another one are of another circuit. They need their own calculator.
 */
export const REPLACED_WASM_SHA256 = '2c4667f58d48eedc239ed3271cd3c2ce0e6482ea1809f328b1aef4a4065644ab';

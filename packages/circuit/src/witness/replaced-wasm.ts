/**
 * The SHA-256 of the `eligibility.wasm` that computes the same witnesses as this folder: 64 lowercase hex digits. Artifacts
 * with another one are of another circuit. They need their own calculator.
 */
export const REPLACED_WASM_SHA256 = '5db930a4be90b167433fb0760290dded0cabecdf136d1ebb4037aa5352b0d9fd';

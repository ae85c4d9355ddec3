import { FIELD_ORDER } from '@service/protocol/eligibility/field';

/** The bytes of a number. */
const NUMBER_BYTES = 32;

/** The bytes before the wires: the file's header, that of each section, and the first section. */
const START_BYTES = 12 + 12 + 40 + 12;

/** Returns a .wtns file of version 2, which every Groth16 prover for circom reads, of the values of all wires. */
export function wtnsFile(wires: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(START_BYTES + wires.length);
  const view = new DataView(bytes.buffer);
  let end = 0;
  const write = (...numbers: readonly number[]) => {
    for (const number of numbers) {
      view.setUint32(end, number, true);
      end += 4;
    }
  };
  bytes.set([...'wtns'].map((letter) => letter.charCodeAt(0)));
  end = 4;
  // The version and the number of sections. Then the first section: its id, its size in 64 bits, and the size of a number.
  write(2, 2, 1, 40, 0, NUMBER_BYTES);
  for (let bits = 0n; bits < 256n; bits += 32n) write(Number((FIELD_ORDER >> bits) & 0xffff_ffffn));
  write(wires.length / NUMBER_BYTES, 2, wires.length, 0);
  bytes.set(wires, end);
  return bytes;
}

import { readArtifacts } from '@service/circuit';
import { readSources } from '../../scripts/compile.ts';
import { mod } from './constraint-system.ts';
import type { Signals } from './statement.ts';

/** What circom's calculator returns: the wires, or the statements that reject the signals, the innermost last. */
export type Outcome = { readonly wires: Uint8Array } | { readonly rejectedBy: readonly string[] };

/** The configuration of TypeScript has no types of it. */
declare const WebAssembly: {
  instantiate(wasm: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }>;
};

/** The used exports of a calculator that circom compiled. */
interface Exports {
  init(checked: number): void;
  writeSharedRWMemory(word: number, value: number): void;
  readSharedRWMemory(word: number): number;
  setInputSignal(hashHigh: number, hashLow: number, place: number): void;
  getWitnessSize(): number;
  getWitness(wire: number): void;
  getMessageChar(): number;
}

const FILES: Readonly<Record<string, string>> = {
  Eligibility: 'eligibility.circom',
  MaskMember: 'mask-member.circom',
};

/**
 * Returns a function that runs the committed `eligibility.wasm`. Its module is compiled once, so that a test can run
 * thousands of witnesses. snarkjs compiles it again for each one.
 */
export async function circomCalculator(): Promise<(signals: Signals) => Outcome> {
  const [{ wasm }, sources] = await Promise.all([readArtifacts(), readSources()]);
  let lines: string[] = [];
  const runtime = {
    exceptionHandler: (code: number) => {
      throw new Error(`circom's calculator stopped with code ${code}.`);
    },
    printErrorMessage: () => lines.push(readMessage()),
    writeBufferMessage: readMessage,
    showSharedRWMemory: () => {},
  };
  const { instance } = await WebAssembly.instantiate(wasm, { runtime });
  const calculator = instance.exports as Exports;

  function readMessage(): string {
    let message = '';
    for (let char = calculator.getMessageChar(); char !== 0; char = calculator.getMessageChar()) {
      message += String.fromCharCode(char);
    }
    return message;
  }

  function set(name: string, place: number, value: bigint): void {
    for (let word = 0, rest = mod(value); word < 8; word += 1, rest >>= 32n) {
      calculator.writeSharedRWMemory(word, Number(rest & 0xffffffffn));
    }
    const hash = fnv(name);
    calculator.setInputSignal(Number(hash >> 32n), Number(hash & 0xffffffffn), place);
  }

  return (signals) => {
    lines = [];
    calculator.init(0);
    try {
      for (const [name, value] of Object.entries(signals)) {
        for (const [place, element] of [value].flat().entries()) set(name, place, element);
      }
    } catch (error) {
      const rejectedBy = lines.flatMap((line) => statementAt(line, sources)).reverse();
      if (rejectedBy.length === 0) throw error;
      return { rejectedBy };
    }
    const words = new Uint32Array(calculator.getWitnessSize() * 8);
    for (let wire = 0; wire < words.length / 8; wire += 1) {
      calculator.getWitness(wire);
      for (let word = 0; word < 8; word += 1) words[wire * 8 + word] = calculator.readSharedRWMemory(word);
    }
    return { wires: new Uint8Array(words.buffer) };
  };
}

/** Returns the statement that a line of circom's error names, or nothing for a template of circomlib. */
function statementAt(line: string, sources: Readonly<Record<string, string>>): string[] {
  const [, template = '', number] = /in template (\w+)_\d+ line: (\d+)/.exec(line) ?? [];
  const source = sources[FILES[template] ?? '']?.split('\n')[Number(number) - 1];
  return source === undefined ? [] : [source.trim()];
}

/** Returns the 64-bit FNV-1a hash by which circom finds an input. */
function fnv(name: string): bigint {
  return [...name].reduce(
    (hash, char) => BigInt.asUintN(64, (hash ^ BigInt(char.charCodeAt(0))) * 0x100000001b3n),
    0xcbf29ce484222325n,
  );
}

/** A finding of circomspect: a rule, and the statement that it is about. */
export interface Finding {
  readonly rule: string;
  readonly file: string;
  readonly statement: string;
}

const ONLY_LIMITS = 'Nothing reads these bits. Num2Bits constrains them, which limits the number.';

/** Every finding about the circuit, with the reason why it is no mistake. */
export const EXPLAINED_FINDINGS: readonly (Finding & { readonly why: string })[] = [
  {
    rule: 'CS0008',
    file: 'mask-member.circom',
    statement: 'var member = 0;',
    why: 'The last statement constrains the sum: member === 1.',
  },
  {
    rule: 'CS0008',
    file: 'mask-member.circom',
    statement: 'member += found[b];',
    why: 'The last statement constrains the sum: member === 1.',
  },
  {
    rule: 'CS0010',
    file: 'mask-member.circom',
    statement: 'signal bit[maskBits] <== Num2Bits(maskBits)(mask);',
    why: 'An assert limits maskBits to 253, and 2^253 is below the order of the field. So there is one decomposition.',
  },
  {
    rule: 'CS0010',
    file: 'mask-member.circom',
    statement: 'signal chunkBit[chunkSize] <== Num2Bits(chunkSize)(chunk);',
    why: 'chunkSize is at most 16.',
  },
  {
    rule: 'CS0017',
    file: 'eligibility.circom',
    statement: 'signal minAgeBits[8] <== Num2Bits(8)(minAge);',
    why: ONLY_LIMITS,
  },
  {
    rule: 'CS0017',
    file: 'eligibility.circom',
    statement: 'signal birthDateBits[17] <== Num2Bits(17)(birthDate);',
    why: ONLY_LIMITS,
  },
  {
    rule: 'CS0017',
    file: 'eligibility.circom',
    statement: 'signal ageBits[18] <== Num2Bits(18)(asOf - birthDate - minAge * 512);',
    why: ONLY_LIMITS,
  },
];

/** The parts of a SARIF file that are read. */
export interface Sarif {
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string;
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number };
        };
      }[];
    }[];
  }[];
}

/** Returns the findings of a SARIF file. A statement is the line at which a finding begins. */
export function findingsOf({ runs }: Sarif, sources: Readonly<Record<string, string>>): Finding[] {
  return runs
    .flatMap(({ results }) => results)
    .map(({ ruleId: rule, locations }) => {
      const [location] = locations;
      if (!location) return { rule, file: '', statement: '' };
      const { artifactLocation, region } = location.physicalLocation;
      const file = artifactLocation.uri.split('/').at(-1)!;
      return { rule, file, statement: sources[file]?.split('\n')[region.startLine - 1]?.trim() ?? '' };
    });
}

/** Returns a line for each finding that has no explanation, and for each explanation without a finding. */
export function unexplained(found: readonly Finding[], explained: readonly Finding[]): string[] {
  const textOf = ({ rule, file, statement }: Finding) => `${rule} ${file}: ${statement}`;
  const gone = explained.map(textOf);
  const added = found.map(textOf).filter((text) => {
    const place = gone.indexOf(text);
    if (place >= 0) gone.splice(place, 1);
    return place < 0;
  });
  return [...added.map((text) => `new: ${text}`), ...gone.map((text) => `gone: ${text}`)];
}

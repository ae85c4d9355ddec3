/** The switch that the checked files ask: which check is out, and which were come by. */

/** What the campaign sets and reads. */
export interface CheckSwitch {
  /** The check that is out. */
  off: string | null;
  /** Checks that were come by. */
  readonly passed: Set<string>;
  /** Checks that refused something. */
  readonly refused: Set<string>;
  at(id: string, out: boolean, value: () => unknown): unknown;
  seen(id: string, out: boolean, value: unknown): unknown;
  stays(id: string): boolean;
}

const checks: CheckSwitch = {
  off: null,
  passed: new Set(),
  refused: new Set(),
  at: (id, out, value) => {
    checks.passed.add(id);
    return checks.off === id ? out : checks.seen(id, out, value());
  },
  seen: (id, out, value) => {
    checks.passed.add(id);
    if (checks.off === id) return out;
    if (Boolean(value) !== out) checks.refused.add(id);
    return value;
  },
  stays: (id) => {
    checks.passed.add(id);
    return checks.off !== id;
  },
};

(globalThis as unknown as { __check: CheckSwitch }).__check = checks;

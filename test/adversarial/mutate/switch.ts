/** The switch that the checked files read: which check is off, and which checks ran. */

const checks = {
  /** The check that is off. */
  off: null as string | null,
  /** Checks that ran. */
  passed: new Set<string>(),
  /** Checks that rejected something. */
  rejected: new Set<string>(),
  at: (id: string, out: boolean, value: () => unknown): unknown => {
    checks.passed.add(id);
    return checks.off === id ? out : checks.seen(id, out, value());
  },
  seen: (id: string, out: boolean, value: unknown): unknown => {
    checks.passed.add(id);
    if (checks.off === id) return out;
    if (Boolean(value) !== out) checks.rejected.add(id);
    return value;
  },
  stays: (id: string): boolean => {
    checks.passed.add(id);
    return checks.off !== id;
  },
};

export type CheckSwitch = typeof checks;

(globalThis as unknown as { __check: CheckSwitch }).__check = checks;

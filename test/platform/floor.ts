/** The oldest browsers that the SDK supports, and what came after them. packages/sdk/README.md states them. */
import { createRequire } from 'node:module';

export const FLOOR = { chrome: 109, firefox: 115, safari: 16.4 } as const;

type Support = { readonly version_added?: string | boolean | null; readonly flags?: unknown };
interface Feature {
  readonly __compat?: { readonly support: Readonly<Record<string, Support | readonly Support[]>> };
  readonly [member: string]: Feature | unknown;
}

interface CompatibilityData {
  readonly javascript: { readonly builtins: Feature };
  readonly api: Feature;
}

/** Returns MDN's browser compatibility data. TypeScript would take long to infer the type of 18 MB. */
function compatibilityData(): CompatibilityData {
  return createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatibilityData;
}

/** Returns whether a browser of the floor lacks a feature. */
function isNewer({ __compat }: Feature): boolean {
  if (!__compat) return false;
  return Object.entries(FLOOR).some(([browser, version]) => {
    const support = __compat.support[browser];
    const statements: readonly Support[] = Array.isArray(support) ? support : [support as Support];
    return !statements.some(({ version_added: added, flags } = {}) => {
      if (flags || typeof added !== 'string') return false;
      return Number.parseFloat(added.replace('≤', '')) <= version;
    });
  });
}

/**
 * Returns the globals and their members that a browser of the floor lacks, such as `URL.canParse`. A member is named as a
 * static one and as one of the prototype. Deeper names are first, because a removed global has no members.
 */
export function newerThanFloor(): readonly string[] {
  const { javascript, api } = compatibilityData();
  const names = [javascript.builtins, api].flatMap((root) =>
    Object.entries(root).flatMap(([name, feature]) => {
      const members = Object.entries(feature as Feature)
        .filter(([member, each]) => /^[a-zA-Z]\w*$/.test(member) && isNewer(each as Feature))
        .map(([member]) => member.replace(/_static$/, ''));
      return [
        ...members.flatMap((member) => [`${name}.${member}`, `${name}.prototype.${member}`]),
        ...(isNewer(feature as Feature) ? [name] : []),
      ];
    }),
  );
  return [...new Set(names)].sort((a, b) => b.split('.').length - a.split('.').length);
}

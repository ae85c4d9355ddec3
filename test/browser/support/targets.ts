/** What a person looks for on a page. `page-script.ts` finds it, the same in each engine. */

/** A whole text, or a pattern. */
export type Name = string | RegExp;

/** An element of a page. */
export type Target = (
  | {
      /** Its role, as assistive technology gets it. */
      readonly role: string;
      /** Its accessible name. */
      readonly name?: Name | undefined;
      readonly checked?: boolean | undefined;
    }
  | {
      /** The text of its label. */
      readonly label: string;
    }
  | {
      /** A part of its text, without regard to case, or a pattern. */
      readonly text: Name;
      /** Whether the text is all of its text. */
      readonly exact?: boolean | undefined;
    }
) & {
  /** The element that contains it. */
  readonly within?: Target | undefined;
};

export const byRole = (role: string, name?: Name, within?: Target): Target => ({ role, name, within });
export const button = (name: Name, within?: Target): Target => byRole('button', name, within);
export const text = (wanted: Name, within?: Target): Target => ({ text: wanted, within });
export const label = (wanted: string, within?: Target): Target => ({ label: wanted, within });

/** Returns a target as an expression. JSON has no patterns. */
export function expressionOf(target: Target): string {
  const entries = Object.entries(target).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (value instanceof RegExp) return [`${key}: ${value}`];
    return [`${key}: ${key === 'within' ? expressionOf(value as Target) : JSON.stringify(value)}`];
  });
  return `{ ${entries.join(', ')} }`;
}

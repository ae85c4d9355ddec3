/**
 * Checks that can be taken out without anything being believed that is not true, each with the argument. By file and
 * text, so that a line moved keeps its argument and a check changed loses it.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {};

import type { Figure } from '../row.ts';

export function answer(functions: Readonly<Record<string, (parameter: never) => unknown>>): void;
export function timed(run: () => Promise<unknown>): Promise<Required<Figure>>;
export function peakMegabytes(): number;

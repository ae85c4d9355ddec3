/** Mutants that no witness can tell from the circuit, each with the reason why. */
export const EQUIVALENT_MUTANTS: readonly { readonly mutants: RegExp; readonly why: string }[] = [];

/** The seed of the random tests. Each run has a new one and prints it. `PROGRAM_FUZZ_SEED` sets it. */
export const SEED = Number(process.env.PROGRAM_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

process.stdout.write(`PROGRAM_FUZZ_SEED=${SEED} repeats the random sequences and bytes of the program.\n`);

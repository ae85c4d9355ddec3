/** `npm run ceremony -w @service/circuit`: the same as `npx @service/cli ceremony`, in a checkout. */
import { ceremony } from './command.ts';

// npm runs the command in the folder of the package, but paths are relative to where npm was called.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
process.exitCode = await ceremony(process.argv.slice(2));

/** `npm run ceremony -w @service/circuit`: the same as `npx @service/cli ceremony`, in a checkout. */
import { ceremony } from './command.ts';

process.exitCode = await ceremony(process.argv.slice(2));

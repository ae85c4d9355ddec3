/** The command line of `npm create @service`. */
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CreateOptions, createApp } from './create-app.ts';
import { CreateError } from './create-error.ts';
import { DEPLOYMENT, ORIGIN } from './defaults.ts';

const USAGE = `npm create @service FOLDER [-- options]

Creates an app in React in a new folder: people sign in, get verified, prove your rules, and transfer your token.
It needs a running service. In a checkout of the service, run: npm start -- --origin ${ORIGIN}

  --deployment FILE       The operator's deployment: a file, or a URL. Default: ${DEPLOYMENT}.
  --packages DIR          Folder with the tarballs of npm pack, for packages that are not published. Default: the npm registry.
  --help                  Shows this text.`;

/** Runs the command. Returns its exit code: 0, 1 if no app was created, 2 if the command line cannot be used. */
export async function run(
  argv: readonly string[],
  print: Pick<Console, 'log' | 'error'> = console,
): Promise<number> {
  try {
    const options = readOptions(argv);
    if (!options) {
      print.log(USAGE);
      return 0;
    }
    await createApp(options);
    print.log(nextSteps(options.folder));
    return 0;
  } catch (error) {
    if (!(error instanceof CreateError)) throw error;
    print.error(error.message);
    return error.code === 'INVALID_OPTION' ? 2 : 1;
  }
}

/** Returns null for `--help`. */
function readOptions(argv: readonly string[]): CreateOptions | null {
  const { values, positionals } = parse(argv);
  if (values.help) return null;
  const [folder, ...others] = positionals;
  if (!folder || others.length > 0) {
    throw new CreateError('INVALID_OPTION', 'Pass one folder, such as my-app. --help lists the options.');
  }
  return {
    template: resolve(import.meta.dirname, 'template'),
    folder: resolve(folder),
    deployment: values.deployment ?? DEPLOYMENT,
    packages: values.packages === undefined ? undefined : resolve(values.packages),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        deployment: { type: 'string' },
        packages: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    const [what] = (error as Error).message.split(/\.\s/, 1);
    throw new CreateError('INVALID_OPTION', `${what}. --help lists the options.`, { cause: error });
  }
}

function nextSteps(folder: string): string {
  return `Created ${folder}. Next:

  cd ${relative('', folder)}
  npm install
  npm run dev       # keep it running
  npm run issuer    # in another terminal, in the same folder: creates a rule set and a token

Write the lines VITE_RULE=… and VITE_MINT=… that it prints into .env.local. Then open ${ORIGIN}.
Get verified with values that meet the rule set: the Netherlands, professional, born in 1990. Then prove.
Issue tokens to the address that the page shows, and reload the page:

  npm run issuer -- ADDRESS

Then send tokens to an address with a pass, such as the first of the two invented people of npm run issuer.`;
}

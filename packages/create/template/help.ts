/** Prints the comment at the top of an example, if the example is run with --help. Import it first. */
import { readFileSync } from 'node:fs';

if (process.argv.includes('--help')) {
  const lines = readFileSync(process.argv[1]!, 'utf8').split('\n');
  const comment = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  );
  console.log(comment.map((line) => line.replace(/^\/\/ ?/, '')).join('\n'));
  process.exit();
}

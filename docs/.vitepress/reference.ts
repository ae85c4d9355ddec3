/** Writes the reference of the packages with TypeDoc, as Markdown pages. */
import { join } from 'node:path';
import { Application } from 'typedoc';
import { root } from './sources.ts';

/** Writes the reference that typedoc.json describes. Throws on an error or a warning. */
export async function writeReference(): Promise<void> {
  const app = await Application.bootstrapWithPlugins({ options: join(root, 'typedoc.json') });
  const project = await app.convert();
  if (project) {
    app.validate(project);
    if (!app.logger.hasErrors() && !app.logger.hasWarnings()) await app.generateOutputs(project);
  }
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('TypeDoc reports the problems above');
}

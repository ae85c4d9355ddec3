/** deployment.json: what `npm run deploy` and `npm start` write, a server starts with and clients pin. */
import { readFileSync, writeFileSync } from 'node:fs';
import { deploymentRecord, describeIssue } from '@service/contract';
import * as z from 'zod/mini';

/** What a deployment is pinned by. */
export type Deployment = z.infer<typeof deploymentRecord>;

/** Reads a deployment file: the deployment, or a line for each thing that is wrong with it. */
export function readDeployment(file: string): {
  readonly deployment?: Deployment;
  readonly faults: readonly string[];
} {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'it is not JSON';
    return { faults: [`${file} cannot be read (${why}). Expected a file that npm run deploy wrote.`] };
  }
  const parsed = z.safeParse(deploymentRecord, json);
  if (parsed.success) return { deployment: parsed.data, faults: [] };
  const faults = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'the content'} in ${file} ${describeIssue(issue)}.`,
  );
  return { faults };
}

/** Writes a deployment file. */
export function writeDeployment(file: string, deployment: Deployment): void {
  writeFileSync(file, `${JSON.stringify(deployment, null, 2)}\n`);
}

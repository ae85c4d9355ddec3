/** deployment.json: `npx @service/cli deploy` and `npm start` write it, servers read it, clients pin it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { deploymentRecord, describeIssue } from '@service/contract';
import * as z from 'zod/mini';

/** The content of deployment.json. */
export type Deployment = z.infer<typeof deploymentRecord>;

/** Reads a deployment file. Returns the deployment, or a line for each fault in it. */
export function readDeployment(file: string): {
  readonly deployment?: Deployment;
  readonly faults: readonly string[];
} {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'it is not JSON';
    return {
      faults: [`${file} cannot be read (${why}). Expected the file that npx @service/cli deploy writes.`],
    };
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

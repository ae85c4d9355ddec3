import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testDeployment } from '../memory/fixtures.ts';
import { readDeployment } from './read-deployment.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-deployment-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (text: string) => {
  const path = join(folder, 'deployment.json');
  writeFileSync(path, text);
  return path;
};

it('reads a deployment and checks it', async () => {
  const deployment = await testDeployment();
  expect(await readDeployment(file(JSON.stringify(deployment)))).toEqual(deployment);
  const refusal = { code: 'INVALID_ARGUMENT', context: { field: 'deployment.program' } };
  await expect(readDeployment(file('{}'))).rejects.toMatchObject(refusal);
});

it('names the command that writes the file if it is missing or not JSON', async () => {
  for (const path of [join(folder, 'none.json'), file('{')]) {
    await expect(readDeployment(path)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/json cannot be read as JSON: .+\. Run npm start in another terminal/),
      context: { field: 'file' },
    });
  }
});

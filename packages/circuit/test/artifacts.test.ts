import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { packVerifyingKey, parseManifest } from '@service/protocol/eligibility';
import { afterEach, describe, expect, it } from 'vitest';
import { compileConstraints } from '../scripts/compile.ts';

const copies: string[] = [];

async function copyOfArtifacts(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'artifacts-'));
  copies.push(directory);
  await cp(artifactsDirectory, directory, { recursive: true });
  return directory;
}

afterEach(async () => {
  for (const directory of copies.splice(0)) await rm(directory, { recursive: true });
});

describe('the committed artifacts', () => {
  it('are exactly the files in the manifest', async () => {
    const { manifest } = await readArtifacts();
    parseManifest(manifest);
    const listed = Object.values(manifest.files).map(({ name }) => name);
    expect((await readdir(artifactsDirectory)).sort()).toEqual([...listed, 'manifest.json'].sort());
  });

  it('have a development setup, one public signal and fewer than 2^11 rows', async () => {
    const { manifest, digest } = await readArtifacts();
    expect(manifest.setup.kind).toBe('development');
    expect(manifest.publicSignals).toEqual(['contextHash']);
    expect(manifest.constraints).toBeLessThan(2 ** 11 - 1);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('contain one key in two formats', async () => {
    const { key, vkey } = await readArtifacts();
    expect(key).toEqual(packVerifyingKey(JSON.parse(new TextDecoder().decode(vkey))));
    expect(key).toHaveLength(576);
  });

  it.each(['eligibility.wasm', 'eligibility.zkey', 'eligibility.vkey.json', 'eligibility.key.bin'])(
    'are rejected if a bit of %s is changed or a byte is added',
    async (name) => {
      const directory = await copyOfArtifacts();
      const file = path.join(directory, name);
      const bytes = await readFile(file);
      await writeFile(file, Buffer.concat([bytes, Buffer.from([0])]));
      await expect(readArtifacts(directory)).rejects.toThrow(name);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      await writeFile(file, bytes);
      await expect(readArtifacts(directory)).rejects.toThrow(name);
    },
  );

  it('are named in the error if the folder does not contain them', async () => {
    const folder = path.join(await copyOfArtifacts(), 'empty');
    await expect(readArtifacts(folder)).rejects.toThrow(
      `manifest.json in the folder of the proof artifacts, ${folder}, cannot be read (ENOENT)`,
    );
  });
});

describe('the circuit', () => {
  it('constrains every signal that it assigns', async () => {
    const circuits = path.resolve(artifactsDirectory, '../circuits');
    for (const name of await readdir(circuits)) {
      const code = (await readFile(path.join(circuits, name), 'utf8')).replace(/\/\/.*$/gm, '');
      expect(code, name).toMatch(/template|component/);
      expect(code, name).not.toMatch(/<--|-->/);
    }
  });

  it('does not compile with a mask of 254 bits, which has two decompositions', async () => {
    await expect(compileMask(254)).rejects.toThrow('assert(maskBits <= 253);');
    await compileMask(253);
  });
});

/** Compiles a circuit of one mask. */
function compileMask(bits: number) {
  const main = `include "mask-member.circom"; component main = MaskMember(${bits}, 8, 4);`;
  return compileConstraints('--O0', { 'eligibility.circom': `pragma circom 2.1.6; ${main}` });
}

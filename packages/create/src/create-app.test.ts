import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeTemplate } from '../scripts/write-template.ts';
import { run } from './command.ts';
import { type CreateOptions, createApp } from './create-app.ts';
import { ORIGIN } from './defaults.ts';

const DEPLOYMENT = { baseUrl: ORIGIN, program: 'p' };
let parent: string;
let template: string;
let folder: string;
let deployment: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'create-'));
  template = join(parent, 'template');
  folder = join(parent, 'my-app');
  deployment = join(parent, 'deployment.json');
  await writeTemplate(template);
  await writeFile(deployment, JSON.stringify(DEPLOYMENT));
});
afterEach(() => rm(parent, { recursive: true }));

const create = (options: Partial<CreateOptions> = {}) =>
  createApp({ template, folder, deployment, ...options });
const jsonOf = async (...path: string[]) => JSON.parse(await readFile(join(...path), 'utf8'));
const root = join(import.meta.dirname, '../../..');

describe('an app', () => {
  it('has the files of the example, its versions, an issuer, and the deployment', async () => {
    await create();
    expect(await jsonOf(folder, 'deployment.json')).toEqual(DEPLOYMENT);
    const example = await jsonOf(root, 'examples/react-minimal/package.json');
    const manifest = await jsonOf(folder, 'package.json');
    expect(manifest).toMatchObject({ name: 'my-app', private: true, dependencies: example.dependencies });
    expect(manifest.devDependencies).toEqual({
      ...example.devDependencies,
      tsx: expect.stringMatching(/^\d/),
    });
    const sources = await readdir(join(root, 'examples/react-minimal/src'));
    expect(await readdir(join(folder, 'src'))).toEqual(sources);
    const others = ['deployment.json', 'help.ts', 'index.html', 'issuer.ts', 'package.json'];
    expect((await readdir(folder)).sort()).toEqual(
      ['.gitignore', 'README.md', ...others, 'src', 'tsconfig.json', 'vite.config.ts'].sort(),
    );
    expect(await readFile(join(folder, 'issuer.ts'), 'utf8')).toContain('npm run issuer -- ADDRESS');
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toContain('issuer-backend.json\n');
  });

  it('has a README with its name, which names its files and commands', async () => {
    await create();
    const text = await readFile(join(folder, 'README.md'), 'utf8');
    expect(text).toMatch(/^# my-app\n/);
    expect(text.split('\n').length).toBeLessThan(45);
    const { scripts } = await jsonOf(folder, 'package.json');
    const commands = [...text.matchAll(/npm run ([\w]+)/g)].map(([, name]) => name);
    expect(new Set(commands)).toEqual(new Set(['dev', 'issuer', 'build']));
    for (const name of commands) expect(Object.keys(scripts)).toContain(name);
    const files = [...text.matchAll(/`((?:src\/)?[\w-]+\.(?:tsx?|css))`/g)].map(([, name]) => name!);
    expect(files.length).toBeGreaterThan(5);
    for (const name of files) expect((await stat(join(folder, name))).isFile()).toBe(true);
    expect(text).toContain(ORIGIN);
    const issuer = await readFile(join(folder, 'issuer.ts'), 'utf8');
    for (const word of ['clauses', 'requestAirdrop', 'issuer-backend.json']) expect(issuer).toContain(word);
  });

  it('has the tarballs of --packages', async () => {
    const packages = join(parent, 'packed');
    await mkdir(packages);
    for (const name of ['sdk', 'testing']) await writeFile(join(packages, `service-${name}-0.1.0.tgz`), '');
    await create({ packages });
    expect((await jsonOf(folder, 'package.json')).dependencies).toMatchObject({
      '@service/sdk': `file:${packages}/service-sdk-0.1.0.tgz`,
      '@service/testing': `file:${packages}/service-testing-0.1.0.tgz`,
      react: expect.stringMatching(/^\d/),
    });
  });

  it('runs on the origin that the command names', async () => {
    const { port } = new URL(ORIGIN);
    expect(await readFile(join(template, 'vite.config.ts'), 'utf8')).toContain(
      `port: ${port}, strictPort: true`,
    );
  });

  it('may be created in an empty folder, and for an operator of another site', async () => {
    await mkdir(folder);
    await writeFile(deployment, JSON.stringify({ baseUrl: 'https://app.example' }));
    await create();
    expect(await readdir(folder)).toContain('package.json');
  });
});

describe('no app is created', () => {
  const rejected = async (options: Partial<CreateOptions>, code: string, message: RegExp) => {
    const before = await readdir(parent);
    await expect(create(options)).rejects.toThrow(
      expect.objectContaining({ name: 'CreateError', code, message: expect.stringMatching(message) }),
    );
    expect(await readdir(parent)).toEqual(before);
  };

  it('in a folder with a file, which it keeps', async () => {
    await mkdir(folder);
    await writeFile(join(folder, '.env'), 'mine');
    await rejected({}, 'FOLDER_NOT_EMPTY', /my-app is not empty\. Pass a new folder\.$/);
    expect(await readdir(folder)).toEqual(['.env']);
  });

  it('in place of a file', async () => {
    await writeFile(folder, 'mine');
    await rejected({}, 'FOLDER_NOT_EMPTY', /is not empty/);
    expect(await readFile(folder, 'utf8')).toBe('mine');
  });

  it.each(['My-App', '_app', 'an app', '-app', '.app'])('with the name %j', async (name) => {
    await rejected({ folder: join(parent, name) }, 'INVALID_NAME', /lowercase letters, digits/);
  });

  it('without a tarball that it needs', async () => {
    const packages = join(parent, 'packed');
    await rejected({ packages }, 'PACKAGE_MISSING', /packed of --packages cannot be read/);
    await mkdir(packages);
    await writeFile(join(packages, 'service-sdk-0.0.9.tgz'), '');
    await rejected(
      { packages },
      'PACKAGE_MISSING',
      /no service-sdk-0\.1\.0\.tgz\. .+ npm pack -w @service\/sdk /,
    );
  });

  it('for a service that accepts another origin of this machine', async () => {
    for (const baseUrl of ['http://localhost:3000', 'http://127.0.0.1:5173']) {
      await writeFile(deployment, JSON.stringify({ baseUrl }));
      await rejected({}, 'OTHER_ORIGIN', /npm start -- --origin http:\/\/localhost:5173\.$/);
    }
  });

  it('without a deployment', async () => {
    await rejected(
      { deployment: join(parent, 'none.json') },
      'DEPLOYMENT_UNAVAILABLE',
      /npm start -- --origin/,
    );
    for (const text of ['{}', 'null', '[]', '{', '{"baseUrl":1}']) {
      await writeFile(deployment, text);
      await rejected({}, 'DEPLOYMENT_UNAVAILABLE', /deployment\.json (cannot be read|is not a deployment)/);
    }
    await rejected({ deployment: 'http://example.test/d.json' }, 'DEPLOYMENT_UNAVAILABLE', /not encrypted/);
  });
});

describe('a deployment at a URL', () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    server = createServer(({ url }, response) => {
      if (url === '/moved.json') response.writeHead(302, { location: '/deployment.json' });
      if (url === '/gone.json') response.writeHead(404);
      response.end(JSON.stringify(DEPLOYMENT));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => server.close());

  it('is read', async () => {
    await create({ deployment: `${url}/deployment.json` });
    expect(await jsonOf(folder, 'deployment.json')).toEqual(DEPLOYMENT);
  });

  it.each(['moved', 'gone'])('is rejected if it is %s', async (name) => {
    await expect(create({ deployment: `${url}/${name}.json` })).rejects.toThrow(/cannot be read as JSON/);
  });
});

describe('the command', () => {
  const command = async (...argv: string[]) => {
    const lines = { log: [] as string[], error: [] as string[] };
    const code = await run(argv, {
      log: (text: string) => lines.log.push(text),
      error: (text: string) => lines.error.push(text),
    });
    return { code, log: lines.log.join('\n'), error: lines.error.join('\n') };
  };

  it('prints its options with --help', async () => {
    const { code, log } = await command('--help');
    expect(code).toBe(0);
    for (const text of ['--deployment FILE', '--packages DIR', `npm start -- --origin ${ORIGIN}`]) {
      expect(log).toContain(text);
    }
  });

  it.each([
    [[], 'Pass one folder, such as my-app. --help lists the options.'],
    [['a', 'b'], 'Pass one folder, such as my-app. --help lists the options.'],
    [['a', '--force'], "Unknown option '--force'. --help lists the options."],
    [['a', '--deployment'], "Option '--deployment <value>' argument missing. --help lists the options."],
  ])('rejects %j with 2', async (argv, error) => {
    expect(await command(...argv)).toEqual({ code: 2, log: '', error });
  });

  it('ends with 1 and one line if no app was created', async () => {
    const { code, error } = await command(join(parent, 'My-App'), '--deployment', deployment);
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^A package cannot have the name "My-App"\. .+\.$/),
    ]);
  });
});

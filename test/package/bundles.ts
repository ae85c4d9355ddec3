/** Bundles the consumer's page with each of three bundlers. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import webpack from 'webpack';

/** Files of a bundle by their path in its folder. The page starts with page.js. */
export type Bundle = ReadonlyMap<string, Buffer>;

/** Bundles `built/page.js` of a folder into another folder. `path` is the URL path of the bundle, with a slash at its end. */
export type Bundler = (folder: string, outdir: string, path: string) => Promise<void>;

/** The bundlers by name. */
export const BUNDLERS: Readonly<Record<string, Bundler>> = {
  async esbuild(folder, outdir) {
    await esbuild({
      entryPoints: [join(folder, 'built/page.js')],
      absWorkingDir: folder,
      outdir,
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      logLevel: 'error',
    });
  },
  async vite(folder, outDir, path) {
    await vite({
      root: folder,
      base: path,
      configFile: false,
      logLevel: 'error',
      build: {
        outDir,
        emptyOutDir: true,
        chunkSizeWarningLimit: 2_000,
        rollupOptions: { input: join(folder, 'built/page.js'), output: { entryFileNames: 'page.js' } },
      },
    });
  },
  async webpack(folder, outdir, path) {
    const compiler = webpack({
      mode: 'production',
      context: folder,
      entry: { page: './built/page.js' },
      output: { path: outdir, publicPath: path, filename: '[name].js' },
      performance: false,
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    await promisify(compiler.close.bind(compiler))();
    const { errors = [], warnings = [] } = stats!.toJson({ all: false, errors: true, warnings: true });
    const messages = [...errors, ...warnings].map(({ message }) => message);
    if (messages.length > 0) throw new Error(`webpack: ${messages.join('\n')}`);
  },
};

/** Reads a bundle from its folder. */
export async function readBundle(folder: string): Promise<Bundle> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = async (file: string) => [file.slice(folder.length + 1), await readFile(file)] as const;
  return new Map(await Promise.all(files.map(read)));
}

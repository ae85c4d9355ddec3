/** Builds the page that comes with the server: `examples/react` without the demo. Needs the built SDK. */
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLE = `${REPOSITORY}examples/react`;
/** Code for development: none of it may be in a page for people with real tokens. */
const DEVELOPMENT = /\/examples\/react\/src\/(?:development-wallet|lies|play)\/|\/packages\/testing\//;

/**
 * Leaves out snarkjs, with which the SDK makes proofs only if the artifacts have no compact key, or its own prover fails. Its
 * licence, GPL-3.0, would be that of this package.
 */
const withoutSnarkjs: Plugin = {
  name: 'without-snarkjs',
  enforce: 'pre',
  resolveId: (id) => (id === 'snarkjs' ? '\0no-snarkjs' : null),
  load: (id) => (id === '\0no-snarkjs' ? `throw new Error('This page has no snarkjs.');` : null),
};

await build({
  root: EXAMPLE,
  configFile: `${EXAMPLE}/vite.config.ts`,
  mode: 'live',
  logLevel: 'warn',
  plugins: [
    withoutSnarkjs,
    { name: 'no-development-code', generateBundle: (_, bundle) => assertLive(bundle) },
  ],
  worker: { plugins: () => [withoutSnarkjs] },
  build: { outDir: fileURLToPath(new URL('../pages', import.meta.url)), emptyOutDir: true },
});

/** Throws if the page has development code, or if the check cannot see the code of the page. */
function assertLive(bundle: Rolldown.OutputBundle): void {
  const modules = Object.values(bundle).flatMap((part) =>
    part.type === 'chunk'
      ? Object.entries(part.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
      : [],
  );
  if (!modules.some((id) => id.includes('/examples/react/src/live/'))) {
    throw new Error('The page was not built in the mode "live", or its modules have other paths.');
  }
  const found = modules.filter((id) => DEVELOPMENT.test(id));
  if (found.length > 0) {
    throw new Error(
      `The page has development code: ${found.join(', ')}. Import it by "#demo/…", and add a replacement to examples/react/src/live.`,
    );
  }
}

import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts'],
  format: 'esm',
  target: 'es2022',
  platform: 'node',
  clean: true,
  sourcemap: false,
  removeNodeProtocol: false,
});

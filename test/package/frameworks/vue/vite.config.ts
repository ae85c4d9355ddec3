import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/vue/',
  logLevel: 'error',
  plugins: [vue()],
  build: {
    outDir: 'page',
    chunkSizeWarningLimit: 2_000,
    rollupOptions: { input: 'src/main.ts', output: { entryFileNames: 'page.js' } },
  },
});

import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

// For `npm run dev`: `npm start -- --origin http://localhost:5173` serves the API and the proof artifacts.
const service = { target: 'http://localhost:3000', changeOrigin: true };

export default defineConfig(({ mode }) => ({
  plugins: [react()],
  // `vite build --mode live` leaves out the development wallet, the lies and the story: see `imports` of package.json.
  resolve: { conditions: [...(mode === 'live' ? ['live'] : []), ...defaultClientConditions] },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': service, '/artifacts': service, '/deployment.json': service, '/sandbox-visit': service },
  },
  build: {
    // The content security policy allows no data: URLs, so every asset is a file.
    assetsInlineLimit: 0,
    // The prover is a large chunk. It is loaded before the first proof and not before.
    chunkSizeWarningLimit: 1_500,
  },
  worker: { format: 'es' },
}));

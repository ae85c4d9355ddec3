import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const service = { target: 'http://localhost:3000', changeOrigin: true };

export default defineConfig({
  plugins: [react()],
  server: { port: 5173, strictPort: true, proxy: { '/api': service, '/artifacts': service } },
});

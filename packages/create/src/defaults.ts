/** The origin of the app under its development server. `vite.config.ts` of the template has the same port. */
export const ORIGIN = 'http://localhost:5173';
/** The deployment that `npm start` serves. */
export const DEPLOYMENT = 'http://localhost:3000/deployment.json';

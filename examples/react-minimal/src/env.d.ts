/// <reference types="vite/client" />
interface ImportMetaEnv {
  readonly VITE_RULE?: string;
  readonly VITE_MINT?: string;
}
declare module '*/deployment.json' {
  const json: unknown;
  export default json;
}

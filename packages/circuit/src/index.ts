export { artifactsDirectory, type EligibilityArtifacts, readArtifacts } from './artifacts.ts';

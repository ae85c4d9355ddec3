export { artifactsDirectory, type EligibilityArtifacts, readArtifacts } from './artifacts.ts';
export { assertContributions } from './key/contributions.ts';

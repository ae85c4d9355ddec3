export { checkPlatform } from '../platform/check-platform.ts';

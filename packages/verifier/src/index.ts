/** The verifier: one bridge between the service and an identity provider. */
export { fileAttestationKey, filePersonKey } from './keys/file-keys.ts';
export { type AttestationKey, KeyError, type PersonKey } from './keys/keys.ts';
export { type KeyService, serviceAttestationKey, servicePersonKey } from './keys/service-keys.ts';
export { type Policy, policyRecord } from './policy/policy.ts';
export { type Decision, type Provider, ProviderError, WebhookError } from './provider.ts';
export { readSession, type SessionVerdict, type Site, siteRecord } from './sites/agreed-sites.ts';

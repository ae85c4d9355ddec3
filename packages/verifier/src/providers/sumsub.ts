/**
 * Sumsub, written from its public documents of November 2026 and never run against it.
 *
 * - docs.sumsub.com/reference: authentication, generate-websdk-external-link, get-applicant-data-via-externaluserid,
 *   get-status-of-verification-steps, deactivate-applicant-profile
 * - docs.sumsub.com/docs: webhook-manager, user-verification-webhooks, applicant-statuses
 * - github.com/SUMSUB/agent-skills (2026-08-14): `sbx:` tokens, digests of webhooks
 *
 * Not documented: that attempts are counted from 0, and that a reset begins another one. Webhooks have no signed time.
 */
import * as z from 'zod/mini';
import { type Decision, type DocumentType, ProviderError, WebhookError } from '../provider.ts';
import { callProvider } from './call-provider.ts';
import { countryCode } from './country-code.ts';
import { defined, documentFields } from './identity-document.ts';
import { providerKind } from './provider-kind.ts';
import { dayAt, itemsAt, onlyOne, requiredText, textAt, textsAt, valueAt } from './response-fields.ts';
import { apiKey, apiUrl, flowName, pageOrigins, sandboxFlag, webhookSecrets } from './variables.ts';
import { hmacHex, requireSignature, textIn } from './webhook-signature.ts';

/** Seconds until the link expires. The person can come back in another session of the verifier. */
const LINK_SECONDS = 86_400;
const DOCUMENT_TYPES: ReadonlyMap<string, DocumentType> = new Map([
  ['PASSPORT', 'passport'],
  ['ID_CARD', 'identity-card'],
  ['DRIVERS', 'driving-licence'],
  ['RESIDENCE_PERMIT', 'residence-permit'],
]);
/** SHA-1 is left out, because it is broken. */
const DIGESTS = new Map<string, 'sha256' | 'sha512'>([
  ['HMAC_SHA256_HEX', 'sha256'],
  ['HMAC_SHA512_HEX', 'sha512'],
]);

/** Identity checks by Sumsub. */
export const sumsub = providerKind({
  variables: z.object({
    SUMSUB_API_URL: apiUrl('Sumsub', 'https://api.sumsub.com'),
    SUMSUB_APP_TOKEN: apiKey('The app token, which may create and view applicants.', 'prd:…'),
    SUMSUB_SECRET_KEY: apiKey('The secret key that belongs to the app token.', 'Hej2…'),
    SUMSUB_WEBHOOK_SECRETS: webhookSecrets('The secret keys of the webhook.'),
    SUMSUB_LEVEL: flowName('The name of the verification level.', 'basic-kyc-level'),
    SUMSUB_SANDBOX: sandboxFlag('the app token'),
  }),
  create(values, { fetch, now = Date.now }) {
    const { SUMSUB_API_URL: api, SUMSUB_APP_TOKEN: token, SUMSUB_LEVEL: flow } = values;
    const sandbox = values.SUMSUB_SANDBOX || token.startsWith('sbx:');

    function call(method: 'GET' | 'POST', path: string, given?: object) {
      const { href: url, pathname } = new URL(api + path);
      const body = given && JSON.stringify(given);
      const time = String(Math.floor(now() / 1000));
      const headers = {
        'content-type': 'application/json',
        'x-app-token': token,
        'x-app-access-ts': time,
        'x-app-access-sig': hmacHex(values.SUMSUB_SECRET_KEY, [time, method, pathname, body ?? '']),
      };
      const request = { url, method, headers, ...defined({ body, fetch }) };
      return callProvider(request, { mayBeMissing: method === 'GET' });
    }

    return {
      name: 'sumsub',
      origins: pageOrigins(api, ['https://*.sumsub.com']),
      flow,
      async start({ reference: userId, returnUrl }) {
        const redirect = { successUrl: returnUrl, rejectUrl: returnUrl };
        const wanted = { levelName: flow, userId, ttlInSecs: LINK_SECONDS, redirect };
        const link = await call('POST', '/resources/sdkIntegrations/levels/-/websdkLink', wanted);
        return { id: userId, url: requiredText(link, 'url') };
      },
      async readWebhook(body, headers) {
        const digest = DIGESTS.get(headers.get('x-payload-digest-alg') ?? '');
        if (!digest) throw new WebhookError('The webhook is not signed with SHA-256 or SHA-512.');
        const given = headers.get('x-payload-digest') ?? '';
        requireSignature(given, values.SUMSUB_WEBHOOK_SECRETS, [body], digest);
        return textIn(body, 'externalUserId');
      },
      async decision(id) {
        const common = { sandbox, flow, updatedAt: now(), tags: [] };
        const found = await call(
          'GET',
          `/resources/applicants/-;externalUserId=${encodeURIComponent(id)}/one`,
        );
        // Sumsub creates the applicant when the person opens the link.
        if (found === undefined) return { ...common, state: 'pending' };
        if (textAt(found, 'externalUserId') !== id) throw new ProviderError('Sumsub sent another applicant.');
        const [state, level] = [stateOf(found), requiredText(found, 'review.levelName')];
        const decision = { ...common, state, flow: level, tags: textsAt(found, 'tags') };
        if (state !== 'approved') return decision;
        const path = `/resources/applicants/${encodeURIComponent(requiredText(found, 'id'))}/requiredIdDocsStatus`;
        return { ...decision, ...factsOf(found, await call('GET', path)) };
      },
    };
  },
});

function stateOf(applicant: unknown): Decision['state'] {
  const status = requiredText(applicant, 'review.reviewStatus');
  const answer = textAt(applicant, 'review.reviewResult.reviewAnswer');
  if (valueAt(applicant, 'deleted') !== false && valueAt(applicant, 'deleted') !== undefined)
    return 'declined';
  // An applicant who has not sent anything yet has the status of one whose check was reset.
  if (status === 'init')
    return valueAt(applicant, 'review.attemptCnt') === 0 && !answer ? 'pending' : 'retry';
  if (status !== 'completed') return 'pending';
  if (answer === 'GREEN') return 'approved';
  if (answer !== 'RED') throw new ProviderError('Sumsub completed a review without GREEN or RED.');
  return textAt(applicant, 'review.reviewResult.reviewRejectType') === 'RETRY' ? 'retry' : 'declined';
}

/** Returns what the approved steps say. `info` is from documents, but also from rejected ones. */
function factsOf(applicant: unknown, steps: unknown): Partial<Decision> {
  const isGreen = (step: string) => textAt(steps, `${step}.reviewResult.reviewAnswer`) === 'GREEN';
  if (!isGreen('IDENTITY')) return {};
  const [kind, country] = [textAt(steps, 'IDENTITY.idDocType'), textAt(steps, 'IDENTITY.country')];
  const isChecked = (each: unknown) =>
    textAt(each, 'idDocType') === kind && textAt(each, 'country') === country;
  const document = onlyOne(itemsAt(applicant, 'info.idDocs').filter(isChecked));
  const address = onlyOne(itemsAt(applicant, 'info.addresses'));
  return {
    ...defined({
      birthDate: dayAt(applicant, 'info.dob'),
      nationality: countryCode(textAt(applicant, 'info.nationality')),
      residence: isGreen('PROOF_OF_RESIDENCE') ? countryCode(textAt(address, 'country')) : undefined,
    }),
    ...documentFields({
      country,
      type: DOCUMENT_TYPES.get(kind ?? ''),
      number: textAt(document, 'number'),
      expires: dayAt(document, 'validUntil'),
    }),
  };
}

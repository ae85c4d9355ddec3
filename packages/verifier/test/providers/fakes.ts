/** The fake providers by the name of their adapter, with the variables that let the adapter call them. */
import type { Environment } from '@service/configuration';
import { DIDIT, fakeDidit } from './fake-didit.ts';
import { fakePersona, PERSONA } from './fake-persona.ts';
import { type FakeProtocol, type FakeProvider, type FakeTimes, startFakeProvider } from './fake-provider.ts';
import { fakeSumsub, SUMSUB } from './fake-sumsub.ts';
import { fakeVeriff, VERIFF } from './fake-veriff.ts';

/** A fake provider, and the variables of its adapter. */
export interface Fake {
  readonly protocol: FakeProtocol;
  /** The variable that gets the URL of the fake. */
  readonly urlVariable: string;
  /** The other variables. Webhooks are signed with the first of two secrets. */
  readonly variables: Environment;
}

export const FAKES = {
  sumsub: {
    protocol: fakeSumsub,
    urlVariable: 'SUMSUB_API_URL',
    variables: {
      SUMSUB_APP_TOKEN: SUMSUB.token,
      SUMSUB_SECRET_KEY: SUMSUB.key,
      SUMSUB_WEBHOOK_SECRETS: `${SUMSUB.webhookSecret},previous-webhook-secret`,
      SUMSUB_LEVEL: SUMSUB.level,
      SUMSUB_SANDBOX: 'false',
    },
  },
  didit: {
    protocol: fakeDidit,
    urlVariable: 'DIDIT_API_URL',
    variables: {
      DIDIT_API_KEY: DIDIT.key,
      DIDIT_WEBHOOK_SECRETS: `${DIDIT.webhookSecret},previous-webhook-secret`,
      DIDIT_WORKFLOW: DIDIT.workflow,
    },
  },
  veriff: {
    protocol: fakeVeriff,
    urlVariable: 'VERIFF_API_URL',
    variables: {
      VERIFF_API_KEY: VERIFF.key,
      VERIFF_SHARED_SECRETS: `${VERIFF.secret},previous-shared-secret`,
      VERIFF_SANDBOX: 'false',
    },
  },
  persona: {
    protocol: fakePersona,
    urlVariable: 'PERSONA_API_URL',
    variables: {
      PERSONA_API_KEY: PERSONA.key,
      PERSONA_WEBHOOK_SECRETS: `${PERSONA.webhookSecret},previous-webhook-secret`,
      PERSONA_TEMPLATE: PERSONA.template,
      PERSONA_SANDBOX: 'false',
    },
  },
} satisfies Record<string, Fake>;

/**
 * Starts a fake provider, and returns it with the variables for a verifier that uses it.
 *
 * Set `fake.webhookUrl` to where the verifier receives webhooks.
 */
export async function startFake(
  name: keyof typeof FAKES,
  times?: FakeTimes,
): Promise<{ readonly fake: FakeProvider; readonly environment: Environment }> {
  const { protocol, urlVariable, variables }: Fake = FAKES[name];
  const fake = await startFakeProvider(protocol, times);
  return { fake, environment: { PROVIDER: name, [urlVariable]: fake.url, ...variables } };
}

export type { FakeProvider } from './fake-provider.ts';

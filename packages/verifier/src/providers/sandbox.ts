/** The sandbox provider: the person decides. It checks nothing, so its decisions count only where sandbox decisions are allowed. */
import { variable } from '@service/configuration';
import { REGIONS, regionIndexOf, STATUSES, statusIndexOf } from '@service/contract';
import { type Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { contentSecurityPolicy, type Html, page } from '../pages/page.ts';
import { isPastDate } from '../policy/apply-policy.ts';
import type { Policy } from '../policy/policy.ts';
import { type Decision, type Provider, ProviderError, WebhookError } from '../provider.ts';
import {
  type CheckRecord,
  type DecisionRecords,
  recordsInFolder,
  recordsInMemory,
} from './decision-records.ts';
import { providerKind } from './provider-kind.ts';
import { REGIONS_BY_NAME } from './regions-by-name.ts';

const FLOW = 'sandbox';
const YEAR_MS = 365 * 86_400_000;

/** The policy for the sandbox provider: its form names the region and the status. */
export const SANDBOX_POLICY: Policy = {
  version: 'sandbox',
  region: 'residence',
  documents: ['passport'],
  credentialDays: 365,
  statusOfTag: Object.fromEntries(STATUSES.map(({ code }) => [code, code])),
};

/** Where the sandbox provider is, and what it needs. */
export interface SandboxOptions {
  /** The origin of the verifier. */
  readonly origin: string;
  /** @default in memory */
  readonly records?: DecisionRecords;
  /** Unix milliseconds. @default Date */
  readonly clock?: { now(): number };
}

/** Creates the sandbox provider. */
export function sandboxProvider({
  origin,
  records = recordsInMemory(),
  clock = Date,
}: SandboxOptions): Provider {
  const pending = (): Decision => ({
    state: 'pending',
    sandbox: true,
    flow: FLOW,
    updatedAt: clock.now(),
    tags: [],
  });
  return {
    name: 'sandbox',
    origins: [origin],
    flow: FLOW,
    async start({ reference: id, returnUrl }) {
      await records.set(id, { createdAt: clock.now(), returnUrl, decision: pending() });
      return { id, url: `${origin}/provider/checks/${id}` };
    },
    readWebhook: async () => {
      throw new WebhookError('The sandbox provider sends no webhooks.');
    },
    async decision(id) {
      const record = await records.get(id);
      if (!record) throw new ProviderError('The sandbox provider does not know this check.');
      return record.decision;
    },
    pages: (decisionChanged) => sandboxPages({ records, clock, decisionChanged }),
  };
}

/** The sandbox provider for the configuration. */
export const sandbox = providerKind({
  variables: z.object({
    SANDBOX_DIRECTORY: variable(z.optional(z.string()), {
      description: 'Folder that keeps the checks of the sandbox provider over a restart.',
      expected: 'the path of a folder',
      example: '/var/lib/verifier/sandbox',
      otherwise: 'in memory',
    }),
  }),
  create: ({ SANDBOX_DIRECTORY: folder }, { origin }) =>
    sandboxProvider({ origin, ...(folder ? { records: recordsInFolder(folder) } : {}) }),
});

interface Pages {
  readonly records: DecisionRecords;
  readonly clock: { now(): number };
  readonly decisionChanged: (id: string) => Promise<void>;
}

function sandboxPages({ records, clock, decisionChanged }: Pages): Hono {
  const app = new Hono();
  /** Replaces the decision, and lets the verifier read it. */
  const decide = async (id: string, record: CheckRecord, decision: Partial<Decision>) => {
    const updatedAt = clock.now();
    await records.set(id, { ...record, decision: { ...record.decision, ...decision, updatedAt } });
    await decisionChanged(id);
  };

  app.get('/checks/:id', async (c) => {
    const id = c.req.param('id');
    const record = await records.get(id);
    if (!record) return c.notFound();
    return record.decision.state === 'pending' ? showForm(c, id, record) : c.html(decidedPage(id, record));
  });

  app.post('/checks/:id', async (c) => {
    const id = c.req.param('id');
    const record = await records.get(id);
    if (record?.decision.state !== 'pending') return c.notFound();
    const entered = await c.req.parseBody();
    const form = readForm(entered, clock.now());
    if (!form.ok) return showForm(c, id, record, { entered, problems: form.problems });
    const { region, status, birthDate, document } = form.fields;
    await decide(id, record, {
      state: 'approved',
      residence: region,
      birthDate,
      documentType: 'passport',
      documentExpires: new Date(clock.now() + 10 * YEAR_MS).toISOString().slice(0, 10),
      // A person without a document is recognized by the attributes.
      personId: JSON.stringify(document ? [document] : [region, status, birthDate]),
      tags: [status],
    });
    return c.redirect(record.returnUrl, 303);
  });

  app.post('/checks/:id/:decision{decline|retry|review}', async (c) => {
    const [id, what] = [c.req.param('id'), c.req.param('decision')];
    const record = await records.get(id);
    if (record?.decision.state !== 'pending') return c.notFound();
    if (what !== 'review') await decide(id, record, { state: what === 'decline' ? 'declined' : 'retry' });
    return c.redirect(record.returnUrl, 303);
  });

  app.post('/checks/:id/take-back', async (c) => {
    const id = c.req.param('id');
    const record = await records.get(id);
    if (record?.decision.state !== 'approved') return c.notFound();
    await decide(id, record, { state: 'declined' });
    return c.html(
      page({
        language: 'en',
        title: 'Revoked',
        content: html`<p role="status">The verifier revokes the credentials of this person now.</p>`,
      }),
    );
  });

  return app;

  /** Shows the form, with status 422 if it has problems. */
  function showForm(c: Context, id: string, record: CheckRecord, state: FormState = {}) {
    // Browsers check form-action also against the page to which a form's response redirects.
    c.header('Content-Security-Policy', contentSecurityPolicy([`'self'`, 'http:', 'https:']));
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    return c.html(formPage({ id, record, today, ...state }), state.problems ? 422 : 200);
  }
}

type Fields = Record<'region' | 'status' | 'birthDate' | 'document', string>;
type Problems = Partial<Fields>;
interface FormState {
  readonly entered?: Record<string, unknown>;
  readonly problems?: Problems;
}

const MAX_DOCUMENT_LENGTH = 100;

function readForm(
  { region, status, birthDate, document = '' }: Record<string, unknown>,
  now: number,
): { readonly ok: true; readonly fields: Fields } | { readonly ok: false; readonly problems: Problems } {
  const problems: Problems = {};
  if (typeof region !== 'string' || regionIndexOf(region) === undefined) {
    problems.region = `Choose one of the ${REGIONS.length} regions.`;
  }
  if (typeof status !== 'string' || statusIndexOf(status) === undefined) {
    problems.status = `Choose one of the ${STATUSES.length} statuses.`;
  }
  if (typeof birthDate !== 'string' || !isPastDate(birthDate, BigInt(Math.floor(now / 1_000)))) {
    problems.birthDate = 'Enter a date from 1900-01-01 to today, such as 1990-05-17.';
  }
  if (typeof document !== 'string' || document.length > MAX_DOCUMENT_LENGTH) {
    problems.document = `Enter at most ${MAX_DOCUMENT_LENGTH} characters, or nothing.`;
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, fields: { region, status, birthDate, document: `${document}`.trim() } as Fields };
}

function formPage(options: FormState & { id: string; record: CheckRecord; today: string }): Html {
  const { id, record, entered = {}, problems = {}, today } = options;
  const action = `/provider/checks/${id}`;
  const other = (what: string, text: string) =>
    html`<form method="post" action="${action}/${what}"><button>${text}</button></form>`;
  return page({
    language: 'en',
    title: 'Sandbox verification',
    content: html`<p>For development only. This page checks nothing. Enter values that meet the rules of the site, or others to see a refusal.</p>
<form method="post" action="${action}" autocomplete="off">
<div class="pair"><div>${choice('region', 'Region', REGIONS_BY_NAME, entered.region, problems.region)}</div>
<div>${choice('status', 'Status', STATUSES, entered.status, problems.status)}</div></div>
<label for="birthDate">Birth date</label>
<input id="birthDate" name="birthDate" type="date" min="1900-01-01" max="${today}" required
 value="${textOf(entered.birthDate)}"${invalid('birthDate', problems.birthDate)}>${problem('birthDate', problems.birthDate)}
<label for="document">Document number (optional)</label>
<input id="document" name="document" maxlength="100" value="${textOf(entered.document)}"${invalid('document', problems.document)}>
${problem('document', problems.document)}<p>Wallets with the same document number are one person.</p>
<button class="first" type="submit">Verify and go back to the site</button>
</form>
<p>The site receives a commitment and learns that you are verified. Only your browser gets the values that you enter.</p>
<div class="pair">${other('decline', 'Refuse this person')}${other('retry', 'Ask for another try')}</div>
<div class="pair">${other('review', 'Leave it in review')}<a class="button" href="${record.returnUrl}">Go back</a></div>`,
  });
}

function decidedPage(id: string, { decision }: CheckRecord): Html {
  const takeBack =
    decision.state === 'approved'
      ? html`<form method="post" action="/provider/checks/${id}/take-back"><button class="bad">Take the approval back</button></form>
<p>The verifier then revokes the credentials of all wallets of this person.</p>`
      : '';
  return page({
    language: 'en',
    title: 'Sandbox verification',
    content: html`<p role="status">For development only. The decision is: ${decision.state}.</p>${takeBack}`,
  });
}

function choice(
  name: string,
  label: string,
  options: readonly { readonly code: string; readonly name: string }[],
  entered: unknown,
  message: string | undefined,
): Html {
  return html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}" required${invalid(name, message)}>
<option value="">Choose</option>
${options.map(
  (option) =>
    html`<option value="${option.code}"${raw(option.code === entered ? ' selected' : '')}>${option.name}</option>
`,
)}</select>${problem(name, message)}`;
}

function invalid(name: string, message: string | undefined) {
  return raw(message ? ` aria-invalid="true" aria-describedby="${name}-problem"` : '');
}

function problem(name: string, message: string | undefined): Html | string {
  return message ? html`<p class="problem" id="${name}-problem">${message}</p>` : '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

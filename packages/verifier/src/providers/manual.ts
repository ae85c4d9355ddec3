/**
 * The manual provider: an operator checks the document and enters the decision on a page. Its folder has the data of people, so
 * keep it with the operator's other records of people. It works on one machine only.
 */
import { variable, withForm } from '@service/configuration';
import { STATUSES } from '@service/contract';
import { type Context, Hono } from 'hono';
import { basicAuth } from 'hono/basic-auth';
import { html } from 'hono/html';
import * as z from 'zod/mini';
import { contentSecurityPolicy, type Html, page } from '../pages/page.ts';
import { applyPolicy } from '../policy/apply-policy.ts';
import type { Policy } from '../policy/policy.ts';
import { type Decision, DOCUMENT_TYPES, type Provider, ProviderError, WebhookError } from '../provider.ts';
import { type CheckRecord, type DecisionRecords, recordsInFolder } from './decision-records.ts';
import { providerKind } from './provider-kind.ts';
import { REGIONS_BY_NAME } from './regions-by-name.ts';

const FLOW = 'manual';
const LEAST_PASSWORD = 16;

/** What the manual provider needs. */
export interface ManualOptions {
  /** The origin of the verifier. */
  readonly origin: string;
  readonly records: DecisionRecords;
  /** The password of the operator's page. The user name is `operator`. */
  readonly password: string;
  /** What the person must do, such as where to send a copy of the document. */
  readonly instructions: string;
  /** The policy. The operator cannot approve what it does not accept. @default none */
  readonly policy?: Policy | undefined;
  /** Unix milliseconds. @default Date */
  readonly clock?: { now(): number };
}

/** Creates the manual provider. */
export function manualProvider(options: ManualOptions): Provider {
  const { origin, records, clock = Date } = options;
  return {
    name: 'manual',
    origins: [origin],
    flow: FLOW,
    async start({ reference: id, returnUrl }) {
      const now = clock.now();
      const decision: Decision = { state: 'pending', sandbox: false, flow: FLOW, updatedAt: now, tags: [] };
      await records.set(id, { createdAt: now, returnUrl, decision });
      return { id, url: `${origin}/provider/checks/${id}` };
    },
    readWebhook: async () => {
      throw new WebhookError('The manual provider sends no webhooks.');
    },
    async decision(id) {
      const record = await records.get(id);
      if (!record) throw new ProviderError('The manual provider does not know this check.');
      return record.decision;
    },
    pages: (decisionChanged) => manualPages({ ...options, clock, decisionChanged }),
  };
}

const password = withForm(
  z.string().check(z.minLength(LEAST_PASSWORD)),
  `at least ${LEAST_PASSWORD} characters`,
);

/** The manual provider for the configuration. */
export const manual = providerKind({
  variables: z.object({
    MANUAL_DIRECTORY: variable(z.string(), {
      description: 'Folder of the decisions of operators, which has the data of people.',
      expected: 'the path of a folder',
      example: '/var/lib/verifier/manual',
    }),
    MANUAL_PASSWORD: variable(password, {
      description: 'Password of the page of operators, at `/provider/operator`. The user name is `operator`.',
      example: 'a-long-random-text',
      secret: true,
    }),
    MANUAL_INSTRUCTIONS: variable(z.string(), {
      description: 'What a person must do to be checked.',
      expected: 'a sentence or two',
      example: 'Send a copy of your passport with the reference to documents@verifier.example.',
    }),
  }),
  create: (values, { origin, policy, now = Date.now }) =>
    manualProvider({
      origin,
      records: recordsInFolder(values.MANUAL_DIRECTORY),
      password: values.MANUAL_PASSWORD,
      instructions: values.MANUAL_INSTRUCTIONS,
      policy,
      clock: { now },
    }),
});

/** Returns what a person tells the operator, and the operator finds in the list. */
export function referenceOf(id: string): string {
  return id
    .slice(0, 9)
    .replace('-', '')
    .toUpperCase()
    .replace(/(....)(?=.)/, '$1-');
}

type Pages = ManualOptions & {
  readonly clock: { now(): number };
  readonly decisionChanged: (id: string) => Promise<void>;
};

function manualPages({
  records,
  password: secret,
  instructions,
  policy,
  clock,
  decisionChanged,
}: Pages): Hono {
  const app = new Hono();

  app.get('/checks/:id', async (c) => {
    const id = c.req.param('id');
    const record = await records.get(id);
    if (!record) return c.notFound();
    return c.html(personPage({ id, record, instructions }));
  });

  app.use('/operator/*', basicAuth({ username: 'operator', password: secret }));
  app.use('/operator', basicAuth({ username: 'operator', password: secret }));

  app.get('/operator', async (c) => {
    const found = await Promise.all(
      (await records.ids()).map(async (id) => ({ id, record: await records.get(id) })),
    );
    const rows = found.flatMap(({ id, record }) => (record ? [{ id, ...record }] : []));
    return c.html(listPage(rows.sort((a, b) => b.createdAt - a.createdAt)));
  });

  app.get('/operator/:id', async (c) => {
    const id = c.req.param('id');
    const record = await records.get(id);
    return record ? showCheck(c, { id, record }) : c.notFound();
  });

  app.post('/operator/:id', async (c) => {
    const id = c.req.param('id');
    const record = await records.get(id);
    if (!record) return c.notFound();
    const entered = await c.req.parseBody();
    const form = readDecision(entered, record.decision.state);
    if ('problem' in form) return showCheck(c, { id, record, entered, problem: form.problem });
    const decision: Decision = { ...record.decision, ...form.decision, updatedAt: clock.now() };
    const problem = problemOf(decision);
    if (problem !== undefined) return showCheck(c, { id, record, entered, problem });
    await records.set(id, { ...record, decision });
    await decisionChanged(id);
    return c.redirect('/provider/operator', 303);
  });

  return app;

  /** Returns why the policy would refuse an approved person, so that the operator sees it before the person does. */
  function problemOf(decision: Decision): string | undefined {
    if (!policy || decision.state !== 'approved') return undefined;
    const now = BigInt(Math.floor(clock.now() / 1_000));
    const applied = applyPolicy(decision, { policy, flow: FLOW, allowSandbox: false, now });
    return 'refusal' in applied
      ? `The policy does not accept this person: ${applied.refusal}. Correct it, or decline.`
      : undefined;
  }

  function showCheck(c: Context, shown: Omit<Shown, 'tags'>) {
    c.header('Content-Security-Policy', contentSecurityPolicy([`'self'`]));
    const tags = policy ? Object.keys(policy.statusOfTag) : STATUSES.map(({ code }) => code);
    return c.html(checkPage({ ...shown, tags }), shown.problem ? 422 : 200);
  }
}

interface Shown {
  readonly id: string;
  /** The tags that the policy turns into a status. */
  readonly tags: readonly string[];
  readonly record: CheckRecord;
  readonly entered?: Record<string, unknown>;
  readonly problem?: string;
}

const REGION = /^([A-Z]{2})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads what the operator decided. A field that is empty was not checked, and is left out. */
function readDecision(
  entered: Record<string, unknown>,
  before: Decision['state'],
): { readonly decision: Partial<Decision> } | { readonly problem: string } {
  const text = (name: string) => (typeof entered[name] === 'string' ? (entered[name] as string).trim() : '');
  const what = text('what');
  if (what === 'decline') return { decision: { state: 'declined' } };
  if (what === 'retry' && before === 'pending') return { decision: { state: 'retry' } };
  if (what !== 'approve' || before !== 'pending') return { problem: 'This check cannot get this decision.' };
  const [birthDate, documentExpires] = [text('birthDate'), text('documentExpires')];
  const documentType = DOCUMENT_TYPES.find((type) => type === text('documentType'));
  const [residence, nationality, documentCountry] = [
    text('residence'),
    text('nationality'),
    text('documentCountry'),
  ];
  const number = text('documentNumber')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  if (!DAY.test(birthDate)) return { problem: 'Enter the birth date, such as 1990-05-17.' };
  if (!documentType) return { problem: 'Choose the kind of document.' };
  if (!DAY.test(documentExpires))
    return { problem: 'Enter the last day of the document, such as 2031-12-31.' };
  if (!documentCountry || ![residence, nationality, documentCountry].every((code) => REGION.test(code))) {
    return {
      problem: 'Choose the country of the document. Leave the others empty if you did not check them.',
    };
  }
  if (!number) return { problem: 'Enter the number of the document.' };
  return {
    decision: {
      state: 'approved',
      birthDate,
      documentType,
      documentExpires,
      documentCountry,
      ...(residence ? { residence } : {}),
      ...(nationality ? { nationality } : {}),
      personId: JSON.stringify([documentCountry, documentType, number]),
      tags: text('tag') ? [text('tag')] : [],
    },
  };
}

function personPage({
  id,
  record,
  instructions,
}: {
  id: string;
  record: CheckRecord;
  instructions: string;
}): Html {
  const isOpen = record.decision.state === 'pending';
  return page({
    language: 'en',
    title: 'An operator checks you',
    content: html`<p>${instructions}</p>
<dl><dt>Your reference</dt><dd><code>${referenceOf(id)}</code></dd></dl>
${isOpen ? html`<p>When you have done this, go on. You can close the page: the check takes as long as the operator needs.</p>` : html`<p role="status">An operator has decided.</p>`}
<a class="button first" href="${record.returnUrl}">Go on</a>`,
  });
}

function listPage(rows: readonly (CheckRecord & { readonly id: string })[]): Html {
  return page({
    language: 'en',
    title: 'Checks',
    content: html`<table><thead><tr><th>Reference</th><th>Began</th><th>Decision</th></tr></thead><tbody>${rows.map(
      ({ id, createdAt, decision }) =>
        html`<tr><td><a href="/provider/operator/${id}">${referenceOf(id)}</a></td>
<td>${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')}</td><td>${decision.state}</td></tr>`,
    )}</tbody></table>${rows.length === 0 ? html`<p>Nobody waits.</p>` : ''}`,
  });
}

function checkPage({ id, record, tags, entered = {}, problem }: Shown): Html {
  const { state } = record.decision;
  const value = (name: string) => (typeof entered[name] === 'string' ? (entered[name] as string) : '');
  const input = (name: string, label: string, type = 'text') =>
    html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value(name)}">`;
  const choice = (
    name: string,
    label: string,
    options: readonly { code: string; name: string }[],
    empty = 'Not checked',
  ) =>
    html`<label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">${empty}</option>${options.map(
      (each) =>
        html`<option value="${each.code}"${value(name) === each.code ? ' selected' : ''}>${each.name}</option>`,
    )}</select>`;
  const types = DOCUMENT_TYPES.map((code) => ({ code, name: code.replace('-', ' ') }));
  const tagged = tags.map((code) => ({ code, name: code }));
  const form = html`${input('birthDate', 'Birth date', 'date')}
${choice('documentType', 'Kind of document', types)}${choice('documentCountry', 'Country of the document', REGIONS_BY_NAME)}
${input('documentNumber', 'Number of the document')}${input('documentExpires', 'Last day of the document', 'date')}
${choice('nationality', 'Nationality', REGIONS_BY_NAME)}${choice('residence', 'Country of residence, by a proof of address', REGIONS_BY_NAME)}
${choice('tag', 'Tag, which the policy turns into a status', tagged, 'None')}
<button class="first" name="what" value="approve">Approve</button>
<div class="pair"><button name="what" value="retry">Ask for another try</button><button class="bad" name="what" value="decline">Decline</button></div>`;
  const takeBack = html`<button class="bad" name="what" value="decline">Take the approval back</button>
<p>The verifier then revokes the credentials of all wallets of this person.</p>`;
  return page({
    language: 'en',
    title: `Check ${referenceOf(id)}`,
    content: html`<p role="status">The decision is: ${state}.</p>${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
<form method="post" action="/provider/operator/${id}" autocomplete="off">${state === 'pending' ? form : state === 'approved' ? takeBack : ''}</form>
<a class="button" href="/provider/operator">All checks</a>`,
  });
}

/** Edits of the records that a proof needs. */
import type { Tamper } from '../hostile-mode.ts';
import { askService, isFor, type Json } from './responses.ts';

/** Responds to the proof context's request with what the function returns, or forwards it if that is null. */
export const onProofContext =
  (
    respond: (rule: unknown, ask: (path: string, body?: unknown) => Promise<Json>) => Promise<Json | null>,
  ): Tamper =>
  async (request, forward) => {
    if (!isFor(request, ['proofContext'])) return forward(request);
    const { rule } = (await request.clone().json()) as Json;
    const json = await respond(rule, (path, body) => askService({ request, forward }, path, body));
    return json ? Response.json(json) : forward(request);
  };

/** The adapters that `PROVIDER` can name. */
import { didit } from './didit.ts';
import { manual } from './manual.ts';
import { persona } from './persona.ts';
import type { ProviderKind } from './provider-kind.ts';
import { sandbox } from './sandbox.ts';
import { sumsub } from './sumsub.ts';
import { veriff } from './veriff.ts';

// biome-ignore lint/suspicious/noExplicitAny: each adapter has its own variables
export const PROVIDER_KINDS: Readonly<Record<string, ProviderKind<any>>> = {
  sumsub,
  didit,
  veriff,
  persona,
  manual,
  sandbox,
};

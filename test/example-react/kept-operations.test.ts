import { createElement } from 'react';
import { afterEach, it } from 'vitest';
import { type Dapp, dapp, rules } from '../query/support/dapp.ts';
import type { Rendered } from '../query/support/render.ts';

// Before React and the example load, which look for a window and its storages.
const { render } = await import('../query/support/render.ts');
const { endOperation, keepOperationsOf, useKeptOperations } = await import(
  '../../examples/react/src/operations/kept-operations.ts'
);

let rendered: Rendered;
afterEach(async () => {
  await rendered.unmount();
  localStorage.clear();
  // The ids of the service in memory are the same in every test.
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
});

const stored = () => JSON.parse(localStorage.getItem('operations') ?? '[]');
/** Does what another tab does: the browser tells this one only by an event. */
function storeInOtherTab(operations: unknown): void {
  localStorage.setItem('operations', JSON.stringify(operations));
}
const tellThisTab = () => window.dispatchEvent(new StorageEvent('storage', { key: 'operations' }));

/** Signs an operation in this tab, and shows the operations of its wallet. */
async function signsOne(): Promise<Dapp> {
  const page = await dapp();
  const { client, holder } = page;
  const stop = keepOperationsOf(client);
  await client.authenticate(holder, client.deployment.genesisHash);
  await client.createRuleSet(holder, rules);
  stop();
  rendered = await render(client, () =>
    createElement(
      'p',
      null,
      useKeptOperations(holder.address)
        .map(({ kind, end }) => `${kind} ${end}`)
        .join(', ') || 'nothing',
    ),
  );
  return page;
}

it('keeps a signed operation until its end', async () => {
  await signsOne();
  await rendered.shows('CREATE_RULE_SET null');
  endOperation(stored()[0].operationId, 'FINALIZED');
  await rendered.shows('CREATE_RULE_SET FINALIZED');
});

it('shows only operations of this deployment', async () => {
  await signsOne();
  await rendered.shows('CREATE_RULE_SET null');
  const [own] = stored();
  storeInOtherTab([{ ...own, deployment: 'another cluster/program' }]);
  tellThisTab();
  await rendered.shows('nothing');
});

it('shows and keeps what another tab kept', async () => {
  await signsOne();
  const [own] = stored();
  const others = [{ ...own, operationId: 'other', kind: 'TRANSFER' }, own];
  storeInOtherTab(others);
  tellThisTab();
  await rendered.shows('TRANSFER null, CREATE_RULE_SET null');
  // The event of this one has not arrived yet.
  storeInOtherTab([{ ...own, operationId: 'third', kind: 'ISSUE' }, ...others]);
  endOperation(own.operationId, 'FAILED');
  await rendered.shows('ISSUE null, TRANSFER null, CREATE_RULE_SET FAILED');
});

it('starts empty when the storage has something else', async () => {
  await signsOne();
  for (const text of ['{', '{}', 'null']) {
    localStorage.setItem('operations', text);
    tellThisTab();
    await rendered.shows('nothing');
  }
});

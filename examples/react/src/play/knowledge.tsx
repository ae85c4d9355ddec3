import { STATUSES } from '@service/sdk';
import type { ReactNode } from 'react';
import { regionName } from '../clauses/describe-clause.ts';
import type { Scene } from './story.ts';

const dateOf = (date: Date) => date.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
const HIDDEN = <span className="hidden-fact">hidden</span>;

/** What the person knows, beside what everybody can read on chain. */
export function Knowledge({ scene }: { readonly scene: Scene & { kind: 'knowledge' } }) {
  const { name, witness, credential, pass } = scene;
  const commitment = <code title={credential.commitment}>{credential.commitment.slice(0, 8)}…</code>;
  const until = pass ? `until ${dateOf(new Date(Number(pass.expiresAt) * 1000))}` : 'being proved…';
  const status = STATUSES.find(({ code }) => code === witness.status)?.name;
  const rows: readonly (readonly [fact: string, known: ReactNode, seen: ReactNode])[] = [
    ['Region', regionName(witness.region), HIDDEN],
    ['Status', status, HIDDEN],
    ['Birth date', dateOf(new Date(witness.birthDate)), HIDDEN],
    ['Commitment', 'its content', commitment],
    ['Pass', until, until],
  ];
  return (
    <table className="card knowledge">
      <thead>
        <tr>
          <td />
          <th scope="col">What {name} knows</th>
          <th scope="col">What the world sees</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([fact, known, seen]) => (
          <tr key={fact}>
            <th scope="row">{fact}</th>
            <td>{known}</td>
            <td>{seen}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

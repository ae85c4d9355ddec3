import { exb } from './chapters.ts';
import { NAMES } from './stage.ts';
import type { PersonState, Role, Story } from './story.ts';

const ROLES: readonly (readonly [role: Role, does: string])[] = [
  ['issuer', 'sells a bond'],
  ['alice', 'invests'],
  ['bob', 'invests'],
];

interface PeopleProps {
  readonly people: Story['people'];
  /** Who acts now. */
  readonly acts: Role | null;
}

/** The three people side by side: what each one has, and who acts. */
export function People({ people, acts }: PeopleProps) {
  return (
    <ul className="plain-list people">
      {ROLES.map(([role, does]) => (
        <li key={role} className={role === acts ? 'person person-acts' : 'person'}>
          <p className="person-name">
            {NAMES[role]} <span className="hint">{role === acts ? 'acts now' : does}</span>
          </p>
          <Belongings of={people[role]} />
        </li>
      ))}
    </ul>
  );
}

function Belongings({ of: { has, tokens } }: { readonly of: PersonState }) {
  return (
    <>
      {tokens !== null && <p className="amount">{exb(tokens)}</p>}
      <ul className="plain-list row">
        {has.map((each) => (
          <li key={each} className="badge badge-good">
            {each}
          </li>
        ))}
      </ul>
    </>
  );
}

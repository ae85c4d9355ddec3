import { ClauseFields } from './clause-fields.tsx';
import { type EditedClause, FIRST_CLAUSE } from './first-clause.ts';

interface ClauseListProps {
  readonly clauses: readonly EditedClause[];
  /** How many clauses the rule set can have. */
  readonly most: number;
  readonly onChange: (clauses: readonly EditedClause[]) => void;
}

/** The clauses of a rule set. A person needs to meet only one of them. */
export function ClauseList({ clauses, most, onChange }: ClauseListProps) {
  return (
    <div className="stack">
      {clauses.map((clause, index) => (
        <ClauseFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a clause has no identity but its place
          key={index}
          number={index + 1}
          clause={clause}
          onChange={(changed) => onChange(clauses.with(index, changed))}
          onRemove={clauses.length > 1 ? () => onChange(clauses.toSpliced(index, 1)) : undefined}
        />
      ))}
      {clauses.length < most && (
        <button type="button" className="button-quiet" onClick={() => onChange([...clauses, FIRST_CLAUSE])}>
          Add another clause
        </button>
      )}
    </div>
  );
}

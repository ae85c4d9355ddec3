import { ClauseFields } from './clause-fields.tsx';
import { type EditedClause, FIRST_CLAUSE } from './first-clause.ts';

const MOST_CLAUSES = 8;

interface ClauseListProps {
  readonly clauses: readonly EditedClause[];
  readonly onChange: (clauses: readonly EditedClause[]) => void;
}

/** One to eight clauses. A person needs to meet only one of them. */
export function ClauseList({ clauses, onChange }: ClauseListProps) {
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
      {clauses.length < MOST_CLAUSES && (
        <button type="button" className="button-quiet" onClick={() => onChange([...clauses, FIRST_CLAUSE])}>
          Add another clause
        </button>
      )}
    </div>
  );
}

import { type ReactNode, useEffect, useRef } from 'react';

interface StepProps {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly isDone: boolean;
  /** Whether it is the first one that is not done. */
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Called when it becomes the current one. */
  readonly onDue: () => void;
  readonly children: ReactNode;
}

/** A step of the set-up. When it is due, it takes the focus, because the button of the step before is gone. */
export function Step({ id, number, name, isDone, isCurrent, isOpen, onToggle, onDue, children }: StepProps) {
  const header = useRef<HTMLButtonElement>(null);
  const wasCurrent = useRef(isCurrent);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the current step counts.
  useEffect(() => {
    if (isCurrent && !wasCurrent.current) {
      onDue();
      header.current?.focus();
    }
    wasCurrent.current = isCurrent;
  }, [isCurrent]);
  return (
    <li id={id} className={isOpen ? 'step step-open' : 'step'} aria-current={isCurrent ? 'step' : undefined}>
      <h2>
        <button ref={header} type="button" className="step-header" aria-expanded={isOpen} onClick={onToggle}>
          <span className={isDone ? 'step-mark step-done' : 'step-mark'} aria-hidden="true">
            {isDone ? '✓' : number}
          </span>
          <span id={`${id}-name`}>{name}</span>
          {isDone && <span className="visually-hidden">, done</span>}
        </button>
      </h2>
      {isOpen && (
        <section aria-labelledby={`${id}-name`} className="stack step-content">
          {children}
        </section>
      )}
    </li>
  );
}

import { useState } from 'react';
import { PageTitle } from '../site/page-title.tsx';
import { SectionLink } from '../site/section-link.tsx';
import { LIES } from './lies.ts';
import { startLying, stopLying, useLie } from './lying-service.ts';
import { RefusalReport } from './refusal-report.tsx';
import { useRefusals } from './refusals.ts';

export function LiesPage() {
  const current = useLie();
  const refusals = useRefusals();
  const [chosen, setChosen] = useState(current ?? LIES[0]!);
  const choose = (lie: typeof chosen) => {
    setChosen(lie);
    if (current) startLying(lie);
  };
  return (
    <>
      <PageTitle name="Lying service">What if the service lies?</PageTitle>
      <p className="lead">
        The client trusts no server. It compares every byte with what you asked for, and reads the chain
        itself. Let the service lie, and see what happens.
      </p>
      <div className="stack-large">
        <section className="card stack" aria-label="The lie">
          <label className="switch">
            <input
              type="checkbox"
              role="switch"
              aria-checked={current !== null}
              checked={current !== null}
              onChange={() => (current ? stopLying() : startLying(chosen))}
            />
            Let the service lie
          </label>
          <fieldset className="lies">
            <legend>What it changes</legend>
            {LIES.map((lie) => (
              <label key={lie.mode.id} className="lie">
                <input type="radio" name="lie" checked={lie === chosen} onChange={() => choose(lie)} />
                <span className="lie-name">{lie.name}</span>
                <span className="lie-description">{lie.mode.description}</span>
                <code>{lie.mode.id}</code>
              </label>
            ))}
          </fieldset>
          <p aria-live="polite">
            {current ? (
              <>
                Next: <SectionLink href={current.path}>{current.action}</SectionLink>. The report appears
                there and on this page.
              </>
            ) : (
              'The service is honest now. Turn the switch on, then use the site as before.'
            )}
          </p>
        </section>
        <section className="stack" aria-labelledby="refused">
          <h2 id="refused">What the client refused</h2>
          {refusals.length === 0 && <p className="empty">Nothing yet.</p>}
          {refusals.map((refusal) => (
            <RefusalReport key={refusal.id} refusal={refusal} />
          ))}
        </section>
      </div>
    </>
  );
}

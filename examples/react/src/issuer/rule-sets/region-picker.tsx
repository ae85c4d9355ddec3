import { REGION_GROUPS, REGIONS, type RegionCode } from '@service/sdk';
import { useId, useState } from 'react';
import { regionName } from '../../clauses/describe-clause.ts';

const ALL: readonly RegionCode[] = REGIONS.map(({ code }) => code);
const BY_NAME = REGIONS.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
const GROUPS: readonly (readonly [name: string, regions: readonly RegionCode[]])[] = [
  ['EU', REGION_GROUPS.EU],
  ['EEA', REGION_GROUPS.EEA],
  ['all regions', ALL],
];

interface RegionPickerProps {
  readonly regions: readonly RegionCode[];
  readonly onChange: (regions: readonly RegionCode[]) => void;
}

export function RegionPicker({ regions, onChange }: RegionPickerProps) {
  const [search, setSearch] = useState('');
  const id = useId();
  const chosen = new Set(regions);
  const wanted = search.trim().toLowerCase();
  const found = BY_NAME.filter(
    ({ name, code }) => name.toLowerCase().includes(wanted) || code.toLowerCase() === wanted,
  );
  const addAll = (group: readonly RegionCode[]) => onChange([...new Set([...regions, ...group])]);
  const toggle = (code: RegionCode) =>
    onChange(chosen.has(code) ? regions.filter((other) => other !== code) : [...regions, code]);
  return (
    <fieldset className="regions stack-small">
      <legend>Regions</legend>
      <div className="row">
        {GROUPS.map(([name, group]) => (
          <button key={name} type="button" className="button-small" onClick={() => addAll(group)}>
            Add {name}
          </button>
        ))}
        <button type="button" className="button-small" onClick={() => onChange([])}>
          Clear
        </button>
        <span className="hint" aria-live="polite">
          {summary(regions)}
        </span>
      </div>
      <details className="region-details">
        <summary>Choose single regions</summary>
        <label htmlFor={id} className="visually-hidden">
          Search regions
        </label>
        <input
          id={id}
          type="search"
          placeholder="Search by name or code"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <div className="region-list">
          {found.map(({ code, name }) => (
            <label key={code} className="check">
              <input type="checkbox" checked={chosen.has(code)} onChange={() => toggle(code)} />
              {name}
            </label>
          ))}
          {found.length === 0 && <p className="empty">No region has this name.</p>}
        </div>
      </details>
    </fieldset>
  );
}

function summary(regions: readonly RegionCode[]): string {
  const [only] = regions;
  if (regions.length === 1 && only) return `${regionName(only)} chosen`;
  return `${regions.length} of ${REGIONS.length} chosen`;
}

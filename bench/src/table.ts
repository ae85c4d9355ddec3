/** Prints results as a table. */
import { type Result, reachesGoal } from './results.ts';

const COLUMNS = ['id', 'ratio', 'spread', 'CPU ratio', 'spread', 'goal', '', 'ours', 'peer', 'unit', 'load'];
const WIDTHS = [24, 9, 8, 11, 8, 9, 8, 10, 10, 15, 14];

/** Returns the heading of the table. */
export function tableHeading(): string {
  return line(COLUMNS);
}

/** Returns the line of a result. */
export function tableLine(result: Result): string {
  const { id, ratio, spread, ratioCpu, spreadCpu, better, goal, ours, peer, unit, load } = result;
  return line([
    id,
    ratio,
    percent(spread),
    ratioCpu ?? '',
    spreadCpu === undefined ? '' : percent(spreadCpu),
    `${better === 'lower' ? '≤' : '≥'} ${goal}`,
    reachesGoal(result) ? 'reached' : 'missed',
    ours.median,
    peer.median,
    unit,
    load.map((each) => each.toFixed(1)).join(' → '),
  ]);
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

function line(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, column) =>
      column === 0 ? `${cell}`.padEnd(WIDTHS[0]!) : `${cell}`.padStart(WIDTHS[column]!),
    )
    .join('');
}

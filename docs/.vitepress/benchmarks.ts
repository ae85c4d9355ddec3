/** Puts the last measurement of `npm run bench` into a page: a table and a plot. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Result, type Results, reachesGoal } from '../../bench/src/results.ts';
import { root } from './sources.ts';

const PLACE = '<!-- benchmarks -->';

/** Returns the text of a page with the measurement in its place, if it has a place for it. */
export function withBenchmarks(text: string): string {
  if (!text.includes(PLACE)) return text;
  const results: Results = JSON.parse(readFileSync(join(root, 'bench/results.json'), 'utf8'));
  return text.replace(
    PLACE,
    `${plotOf(results.rows)}\n\n${tableOf(results)}${missesOf(results)}${failuresOf(results)}`,
  );
}

function tableOf({ machine, rows }: Results): string {
  const { processor, cores, node } = machine;
  return [
    `Measured on ${cores} cores of ${processor} with Node ${node}.`,
    '',
    '| row | ratio | goal | spread | by CPU time | spread | ours | theirs | load |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
    ...rows.map((row) => {
      const { id, spread, ratioCpu, spreadCpu, ours, peer, better, goal, load } = row;
      const cells = [
        `\`${id}\``,
        short(row.ratio),
        `${better === 'lower' ? 'at most' : 'at least'} ${goal}, ${reachesGoal(row) ? 'reached' : 'missed'}`,
        percent(spread),
        ratioCpu === undefined ? '' : short(ratioCpu),
        spreadCpu === undefined ? '' : percent(spreadCpu),
        withUnit(ours.median, row.unit),
        withUnit(peer.median, row.unit),
        load.map((each) => each.toFixed(1)).join(' to '),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

/** Returns the reasons for which rows miss their goals. */
function missesOf({ rows }: Results): string {
  const misses = rows.flatMap(({ id, whyMissed }) => (whyMissed ? [`- \`${id}\`: ${whyMissed}`] : []));
  return misses.length === 0 ? '' : `\n\nWhy goals are missed:\n\n${misses.join('\n')}`;
}

/** Names the rows that have no result. */
function failuresOf({ failed }: Results): string {
  return failed.map(({ id, reason }) => `\n\n\`${id}\` failed: ${reason.split('\n')[0]}`).join('');
}

const short = (value: number) => `${Number(value.toPrecision(3))}`;
const percent = (share: number) => `${Math.round(share * 100)} %`;

function withUnit(value: number, unit: Result['unit']): string {
  const digits = unit === 'bytes' || unit === 'compute units' ? value : Number(value.toPrecision(3));
  return `${digits.toLocaleString('en-US')} ${unit}`;
}

const ROW_HEIGHT = 26;
const LABELS = 170;
const WIDTH = 680;
/** The plot ends at this multiple of the goal. A longer bar is cut, and its number says how long it is. */
const MOST = 3;

/** Draws each ratio as a multiple of its goal. A bar that ends before the line reaches the goal. */
function plotOf(rows: readonly Result[]): string {
  const scale = (WIDTH - LABELS - 60) / MOST;
  const height = rows.length * ROW_HEIGHT + 24;
  const bars = rows.map((row, index) => {
    const multiple = row.better === 'lower' ? row.ratio / row.goal : row.goal / row.ratio;
    const y = index * ROW_HEIGHT + 22;
    const length = Math.min(multiple, MOST) * scale;
    const kind = reachesGoal(row) ? 'reached' : 'missed';
    return [
      `<text x="${LABELS - 8}" y="${y + 14}" text-anchor="end">${row.id}</text>`,
      `<rect class="${kind}" x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="18"/>`,
      `<text x="${(LABELS + length + 6).toFixed(1)}" y="${y + 14}">${short(row.ratio)}</text>`,
    ].join('');
  });
  const goal = LABELS + scale;
  const line = `<line x1="${goal}" y1="16" x2="${goal}" y2="${height}"/><text x="${goal}" y="12" text-anchor="middle">goal</text>`;
  const title = '<title>The ratio of each row, drawn as a multiple of its goal</title>';
  const svg = `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" xmlns="http://www.w3.org/2000/svg">${title}${line}${bars.join('')}</svg>`;
  return `<div class="benchmarks" role="region" aria-label="Plot of the last measurement" tabindex="0">${svg}</div>`;
}

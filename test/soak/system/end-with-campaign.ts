/** Ends what the campaign started, also when Ctrl-C or a time limit ends the campaign. */
const running = new Set<() => void>();

process.once('exit', () => {
  for (const end of running) end();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/** Calls `end` when this process ends. It must not wait. */
export function endWithCampaign(end: () => void): void {
  running.add(() => {
    try {
      end();
    } catch {
      // It has ended.
    }
  });
}

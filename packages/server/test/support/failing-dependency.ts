/** Returns the response of `GET /api/health/ready` when these checks fail, given in the order of the checks. */
export const failing = (...bad: string[]) => ({
  status: 503,
  body: {
    status: 'failing',
    checks: Object.fromEntries(
      ['database', 'chain', 'index', 'jobs', 'clock'].map((check) => [check, !bad.includes(check)]),
    ),
    error: { code: 'UNAVAILABLE', message: `These checks failed: ${bad.join(', ')}. Retry later.` },
  },
});

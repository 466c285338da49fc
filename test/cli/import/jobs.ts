import type { ImportJob } from '../../../src/api/imports.ts'

/** A job in a state, with nothing found. */
export const jobOf = (
  status: ImportJob['status'],
  phase: ImportJob['phase'],
  done: number,
  more: Partial<ImportJob> = {},
): ImportJob => ({
  job_id: 'J',
  kind: 'import',
  format: 'auto',
  source: 'api.yaml',
  dry_run: false,
  status,
  phase,
  progress: { done, total: 8 },
  created_at: '2026-01-01T00:00:00Z',
  started_at: null,
  finished_at: status === 'queued' || status === 'running' ? null : '2026-01-01T00:00:01Z',
  result: null,
  plan: null,
  lint: null,
  gate: null,
  warnings: [],
  findings: [],
  findings_total: 0,
  error: null,
  items: [],
  summary: null,
  ...more,
})

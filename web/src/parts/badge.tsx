import type { ReactNode } from 'react'
import type { VersionRecord } from '../../../src/api/versions.ts'

const tones = {
  plain: 'bg-raised text-soft',
  accent: 'bg-wash text-accent',
  ok: 'bg-ok-wash text-ok',
  info: 'bg-info-wash text-info',
  warn: 'bg-warn-wash text-warn',
  danger: 'bg-danger-wash text-danger',
} as const
export type Tone = keyof typeof tones

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    // On one line, unless it is wider than what it is in: names of any length are shown as badges, too.
    className={`inline-block max-w-full shrink-0 rounded-2xl px-2 py-0.5 text-xs font-medium break-words ${tones[tone]}`}
  >
    {children}
  </span>
)

const gradeTones: Record<string, Tone> = { A: 'ok', B: 'ok', C: 'warn', D: 'warn', F: 'danger' }

/** A lint grade; without one it says so in words, never as a good mark. */
export const Grade = ({ grade, score, large }: { grade: string | null; score?: number | null; large?: boolean }) => (
  <span
    className={`inline-flex items-center justify-center rounded-md font-semibold ${tones[gradeTones[grade ?? ''] ?? 'plain']} ${large ? 'size-14 text-3xl' : 'h-6 min-w-6 px-1.5 text-sm'}`}
    title={score === null || score === undefined ? 'Lint grade' : `Lint grade, ${score.toFixed(0)} of 100 points`}
  >
    <span className="sr-only">{grade === null ? 'not graded' : `grade ${grade}`}</span>
    <span aria-hidden="true">{grade ?? '–'}</span>
  </span>
)

const statusTones: Record<VersionRecord['status'], Tone> = {
  draft: 'info',
  published: 'ok',
  deprecated: 'warn',
  retired: 'plain',
}
export const Status = ({ status }: { status: VersionRecord['status'] }) => (
  <Badge tone={statusTones[status]}>{status}</Badge>
)

const methodTones: Record<string, string> = {
  GET: 'text-info',
  POST: 'text-ok',
  PUT: 'text-warn',
  PATCH: 'text-warn',
  DELETE: 'text-danger',
}
export const Method = ({ method }: { method: string }) => (
  <span className={`inline-block w-16 shrink-0 font-mono text-xs font-semibold ${methodTones[method] ?? 'text-soft'}`}>
    {method}
  </span>
)

const severityTones: Record<string, Tone> = {
  error: 'danger',
  breaking: 'danger',
  warning: 'warn',
  info: 'info',
  'non-breaking': 'ok',
  hint: 'plain',
  'docs-only': 'plain',
}
export const Severity = ({ severity }: { severity: string }) => (
  <Badge tone={severityTones[severity] ?? 'plain'}>{severity}</Badge>
)

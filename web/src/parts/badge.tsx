import type { ReactNode } from 'react'
import type { VersionRecord } from '../../../src/api/versions.ts'

const dots = {
  ok: 'bg-ok-dot',
  info: 'bg-info-dot',
  warn: 'bg-warn-dot',
  danger: 'bg-danger-dot',
} as const
/** The word has a colour where something is wrong; what is fine stays quiet. */
const words = { warn: 'text-warn', danger: 'text-danger', ok: '', info: '', plain: 'text-faint', accent: '' } as const
export type Tone = keyof typeof words

/** A state as a dot and a word; a kind or a role (plain, accent) is the word alone. */
export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    // On one line, unless it is wider than what it is in: names of any length are shown like this, too.
    className={`inline-block max-w-full shrink-0 text-xs font-medium break-words ${words[tone]}`}
  >
    {tone === 'plain' || tone === 'accent' ? null : (
      <span aria-hidden="true" className={`mr-1.5 inline-block size-2 rounded-full align-baseline ${dots[tone]}`} />
    )}
    {children}
  </span>
)

/** Weight follows risk: A and B are quiet, D to F are filled. */
const gradeTones: Record<string, string> = {
  A: 'text-grade-a bg-grade-a-ground border-current/30',
  B: 'text-grade-b bg-grade-b-ground border-current/30',
  C: 'text-grade-c bg-grade-c-ground border-current/30',
  D: 'text-grade-d bg-grade-d-ground border-transparent',
  E: 'text-grade-e bg-grade-e-ground border-transparent',
  F: 'text-grade-f bg-grade-f-ground border-transparent',
}

/** A lint grade; without one it says so in words, never as a good mark. */
export const Grade = ({ grade, score, large }: { grade: string | null; score?: number | null; large?: boolean }) => (
  <span
    className={`inline-flex shrink-0 items-center justify-center rounded border font-semibold ${gradeTones[grade ?? ''] ?? 'border-line text-faint'} ${large ? 'size-8 text-lg' : 'size-5 text-xs'}`}
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
  HOOK: 'text-hook',
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

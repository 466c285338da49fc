import type { ImportJob } from '../src/api/imports.ts'
import { severities } from '../src/lint/finding.ts'
import { renderFacts } from './table.ts'

const shownFindings = 10

const countLine = ({ counts }: NonNullable<ImportJob['lint']>): string =>
  (['error', 'warning', 'info', 'hint'] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}${counts[severity] === 1 || severity === 'info' ? '' : 's'}`)
    .join(', ')

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

function gradeLine(job: ImportJob): string | null {
  if (job.lint === null) return null
  const { grade, score } = job.lint
  const counts = countLine(job.lint)
  return `${grade === null ? 'none' : `${grade} (${score} of 100)`}${counts === '' ? '' : `: ${counts}`}`
}

function statusLine(job: ImportJob): string {
  if (job.status === 'blocked') return 'blocked: nothing was stored'
  if (job.status === 'failed') return 'failed: nothing was stored'
  if (job.dry_run) return 'planned: nothing was stored'
  if (job.result?.unchanged === true) return 'unchanged: these bytes are there already'
  return job.status.replaceAll('_', ' ')
}

/** A finished import job as a person reads it: what happened, where it is, and the worst findings. */
export function renderJob(job: ImportJob): string {
  const { plan, result } = job
  const facts = renderFacts([
    ['Import', statusLine(job)],
    ['Project', plan === null ? null : `${plan.project.slug}${plan.project.action === 'create' ? ' (new)' : ''}`],
    ['Version', plan === null ? null : `${plan.version.label}${plan.version.action === 'create' ? ' (new)' : ''}`],
    [
      'Content',
      plan === null
        ? null
        : `${count(plan.operations, 'operation', 'operations')}, ${count(plan.classes, 'class', 'classes')}`,
    ],
    ['Published', plan?.publish ?? null],
    ['Grade', gradeLine(job)],
    ['Document', result === null ? null : result.urls.document],
    ['Page', result === null ? null : result.urls.page],
  ])
  const reasons = (job.gate?.reasons ?? []).map((reason) => `  ${reason}\n`).join('')
  const warnings = job.warnings.map(
    (warning) => `  warning ${warning.code} at ${warning.pointer || '/'}: ${warning.message}\n`,
  )
  // The worst first: what made the import fail must not hide behind a hundred hints.
  const ranked = job.findings.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  const findings = ranked.slice(0, shownFindings).map((finding) => {
    const { line, character } = finding.range.start
    return `  ${finding.source}:${line + 1}:${character + 1}  ${finding.severity}  ${finding.code}  ${finding.message}\n`
  })
  const more = job.findings_total - findings.length
  const rest = more > 0 ? `  … ${more} more: svc lint ${job.source}\n` : ''
  return `${facts}${reasons}${warnings.slice(0, shownFindings).join('')}${findings.join('')}${rest}`
}

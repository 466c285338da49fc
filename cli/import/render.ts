/** A finished job as a person reads it: what happened, where it is, what is wrong and where. */
import { oneLine } from '../../src/report/escape.ts'
import type { ImportItem, ImportJob, ImportPlan } from '../../src/api/imports.ts'
import { severities, type Finding } from '../../src/lint/finding.ts'
import { codeFrame } from '../../src/report/frame.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'
import { gateTable } from '../version/facts.ts'
import type { Outcome } from './outcome.ts'
import type { Gathered } from './source.ts'
import { plural } from '../../src/kernel/plural.ts'

/** What the rendering needs of the surroundings: names and texts of the sources, colour. */
export interface Showing {
  readonly gathered: Pick<Gathered, 'shown' | 'text'>
  readonly colour: boolean
}

const shownRules = 10
const shownErrors = 10
const shownFrames = 5

const countLine = ({ counts }: NonNullable<ImportJob['lint']>): string =>
  severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => (severity === 'info' ? `${counts.info} info` : plural(counts[severity], severity)))
    .join(', ')

/** Letter, score and what was found, in one line. */
export function gradeLine(lint: NonNullable<ImportJob['lint']>): string {
  const counts = countLine(lint)
  const grade = lint.grade === null ? 'none' : `${lint.grade} (${lint.score} of 100)`
  return `${grade}${counts === '' ? '' : `: ${counts}`}`
}

function statusLine(job: ImportJob): string {
  if (job.status === 'cancelled') return 'cancelled: nothing was stored'
  if (job.status === 'blocked') return 'blocked: nothing was stored'
  if (job.status === 'failed') return 'failed: nothing was stored'
  if (job.dry_run) return 'planned: nothing was stored'
  if (job.result?.unchanged === true) return 'unchanged: the version already has this content'
  return job.status.replaceAll('_', ' ')
}

const content = ({ operations, classes }: ImportPlan): string =>
  `${plural(operations, 'operation')}, ${plural(classes, 'class', 'classes')}`

/** What an import takes the place of, in words; null: nothing. */
function replacedText({ replaces }: ImportPlan): string | null {
  if (replaces === undefined) return null
  const { digest, source, updated_at: at, operations, classes } = replaces
  const size = `${plural(operations, 'operation')}, ${plural(classes, 'class', 'classes')}`
  return `the draft of ${shortTime(at)} from ${oneLine(source)}: ${size}, ${digest.slice(0, 19)}`
}

const words = { create: 'create', update: 'change', keep: 'keep' } as const

/** What an import would do, one thing a line: create, change or keep. */
export function planLines(plan: ImportPlan): string[] {
  const { project, version, joined, publish } = plan
  const line = (action: keyof typeof words, what: string, note: string): string =>
    `  ${words[action].padEnd(8)}${what}${note === '' ? '' : `  ${note}`}`
  const name = project.name === project.slug ? '' : `"${oneLine(project.name)}"`
  const replaced = replacedText(plan)
  const note = version.action === 'keep' ? 'the content is the same' : content(plan)
  return [
    line(project.action, `project ${project.slug}`, name),
    line(version.action, `version ${project.slug}@${version.label}`, note),
    ...(replaced === null ? [] : [`  replace ${replaced}`]),
    ...(joined === undefined
      ? []
      : [line(joined.action, `${joined.kind} ${oneLine(joined.name)}`, joined.classes.map(oneLine).join(', '))]),
    ...(publish === null ? [] : [`  publish ${project.slug}@${version.label}, ${publish}`]),
  ]
}

const news = (action: 'create' | 'update' | 'keep'): string => {
  if (action === 'create') return ' (new)'
  return action === 'update' ? ' (changed)' : ''
}

function facts(job: ImportJob): string {
  const { plan, result } = job
  const planned = plan !== null && job.dry_run
  return renderFacts([
    ['Import', statusLine(job)],
    ['Project', plan === null || planned ? null : `${plan.project.slug}${news(plan.project.action)}`],
    ['Version', plan === null || planned ? null : `${plan.version.label}${news(plan.version.action)}`],
    ['Replaced', plan === null || planned || result === null ? null : replacedText(plan)],
    ['Content', plan === null || planned ? null : content(plan)],
    ['Published', result === null ? null : (plan?.publish ?? null)],
    ['Grade', job.lint === null ? null : gradeLine(job.lint)],
    ['Document', result === null ? null : result.urls.document],
    ['Page', result === null ? null : result.urls.page],
  ])
}

function place({ source, range }: Finding, { gathered }: Showing): string {
  return `${oneLine(gathered.shown(source))}:${range.start.line + 1}:${range.start.character + 1}`
}

const tints = { error: '31', warning: '33', info: '36', hint: '35' } as const

interface Shown {
  readonly finding: Finding
  /** How many further findings the same rule has. */
  readonly more: number
}

// One line a rule, the worst first: what made an import fail must not hide behind a hundred hints.
function byRule(findings: readonly Finding[]): Shown[] {
  const groups = [...Map.groupBy(findings, (it) => `${it.severity} ${it.code}`).values()]
  return groups
    .flatMap((group) => (group[0] === undefined ? [] : [{ finding: group[0], more: group.length - 1 }]))
    .sort((a, b) => severities.indexOf(a.finding.severity) - severities.indexOf(b.finding.severity) || b.more - a.more)
}

/** One finding as a line, with the lines of the text that it is about where `framed`. */
function renderFinding({ finding, more }: Shown, framed: boolean, showing: Showing): string {
  const { gathered, colour } = showing
  const severity = colour ? `\u001b[${tints[finding.severity]}m${finding.severity}\u001b[39m` : finding.severity
  const others = more > 0 ? ` (and ${more} more)` : ''
  const message = `${oneLine(finding.message)}${others}`
  const line = `  ${place(finding, showing)}  ${severity}  ${oneLine(finding.code)}  ${message}\n`
  const text = framed ? gathered.text(finding.source) : null
  const frame = text === null ? '' : codeFrame(text, finding.range, { colour })
  return line + frame.replaceAll(/^(?=.)/gm, '    ')
}

/** The findings of a document that was stored, one line a rule; `all` says where every one of them is. */
function renderSummary(findings: readonly Finding[], total: number, showing: Showing, all: string): string {
  const rules = byRule(findings)
  const lines = rules.slice(0, shownRules).map((it) => renderFinding(it, false, showing))
  const isWhole = total === rules.length && rules.length <= shownRules
  return lines.join('') + (isWhole ? '' : `  all ${total}: ${all}\n`)
}

/** Findings that come ranked, one line a rule with what it costs, errors with their lines. */
export function renderRanked(
  findings: readonly Finding[],
  { deductions }: NonNullable<ImportJob['lint']>,
  showing: Showing,
): string {
  const points = new Map(deductions.map((it) => [it.code, it.points]))
  const groups = [...Map.groupBy(findings, (it) => `${it.severity} ${it.code}`).values()]
  const lines = groups.slice(0, shownRules).map((group, index) => {
    const [finding] = group
    if (finding === undefined) return ''
    const cost = points.get(finding.code) ?? 0
    const framed = finding.severity === 'error' && index < shownFrames
    const mark = cost >= 0.05 ? `−${cost.toFixed(1)}`.padStart(6) : '      '
    return `${mark}${renderFinding({ finding, more: group.length - 1 }, framed, showing)}`
  })
  const left = groups.length - lines.length
  return lines.join('') + (left > 0 ? `  … and ${plural(left, 'more rule')}: --report has all findings\n` : '')
}

/** The findings of a document that was refused: every error on its own, with its place in the text. */
function renderTroubles(findings: readonly Finding[], showing: Showing, all: string | null): string {
  const errors = findings.filter((it) => it.severity === 'error')
  const shown = errors.length > 0 ? errors.map((finding) => ({ finding, more: 0 })) : byRule(findings)
  const blocks = shown
    .slice(0, shownErrors)
    .map((it, index) => renderFinding(it, it.finding.severity === 'error' && index < shownFrames, showing))
  const left = shown.length - blocks.length
  return blocks.join('') + (left > 0 ? `  … ${left} more${all === null ? '' : `: ${all}`}\n` : '')
}

// A large document repeats itself: one line a kind of warning.
function renderWarnings({ warnings }: Outcome): string {
  const groups = [...Map.groupBy(warnings, ({ code }) => code)]
  return groups
    .map(([code, group]) => {
      const more = group.length > 1 ? ` (and ${group.length - 1} more)` : ''
      return `  warning  ${code} at ${oneLine(group[0]?.pointer ?? '') || '/'}: ${oneLine(group[0]?.message ?? '')}${more}\n`
    })
    .join('')
}

const reasonLines = ({ gate }: Outcome): string => (gate?.reasons ?? []).map((reason) => `  ${reason}\n`).join('')

function lintCommand(job: ImportJob): string {
  const { result } = job
  if (result !== null) return `svc version lint ${result.project_slug} ${result.version_slug}`
  return job.source === 'stdin' ? 'svc lint -' : `svc lint ${job.source}`
}

/** The gates that stopped publishing, and those that would worry someone. */
function gateLines({ error }: Outcome): string {
  const gates = (error?.gates ?? []).filter((it) => it.status !== 'pass' && it.status !== 'skipped')
  return gates.length === 0 ? '' : gateTable(gates).replaceAll(/^(?=.)/gm, '  ')
}

const actionWords = { create: 'created', update: 'changed', keep: 'unchanged' } as const

function itemRow(item: ImportItem, dryRun: boolean): string[] {
  const { plan, status } = item
  const target = plan === null ? item.slug : `${plan.project.slug}@${plan.version.label}`
  const done = plan === null ? status : (dryRun ? words : actionWords)[plan.version.action]
  const stopped = status === 'failed' || status === 'blocked'
  return [item.path, stopped ? status : done, target, item.lint?.grade ?? '-']
}

// What an override of the place of a document helps against.
const placeCodes: ReadonlySet<string> = new Set(['version-label-taken', 'version-published', 'import-same-version'])

const shownReplaced = 10

/** Lines below an empty one, at most ten of them. */
function shortList(lines: readonly string[]): string {
  const left = lines.length - shownReplaced
  const more = left > 0 ? `… ${left} more: --json has all\n` : ''
  return lines.length === 0 ? '' : `\n${lines.slice(0, shownReplaced).join('')}${more}`
}

function renderItems(job: ImportJob, showing: Showing): string {
  const { items, summary } = job
  const table = renderTable(
    ['DOCUMENT', 'RESULT', 'VERSION', 'GRADE'],
    items.map((item) => itemRow(item, job.dry_run)),
  )
  const troubles = items
    .filter((item) => item.status === 'failed' || item.status === 'blocked')
    .map((item) => {
      const said = item.error === null ? '' : `  ${oneLine(item.error.message)}\n`
      // A document that is refused for its place in the catalogue has nothing wrong in its text.
      const isText = item.status === 'blocked' || item.error?.code === 'document-invalid'
      const findings = isText ? renderTroubles(item.findings, showing, null) : ''
      return `\n${oneLine(item.path)}: ${item.status}\n${said}${gateLines(item)}${reasonLines(item)}${findings}`
    })
  const replaced = items.flatMap((item) => {
    const isDone = item.status !== 'failed' && item.status !== 'blocked'
    const text = item.plan === null || !isDone ? null : replacedText(item.plan)
    return text === null ? [] : [`${oneLine(item.path)} ${job.dry_run ? 'replaces' : 'replaced'} ${text}\n`]
  })
  const counts =
    summary === null
      ? ''
      : [
          plural(summary.documents, 'document'),
          `${summary.created} ${job.dry_run ? 'to create' : 'created'}`,
          `${summary.updated} ${job.dry_run ? 'to change' : 'changed'}`,
          `${summary.unchanged} unchanged`,
          ...(summary.blocked > 0 ? [`${summary.blocked} blocked`] : []),
          ...(summary.failed > 0 ? [`${summary.failed} failed`] : []),
        ].join(', ')
  const taken = items.find((it) => it.error !== null && placeCodes.has(it.error.code))
  const advice =
    taken === undefined
      ? ''
      : `\nA document goes to another place with --override KEY=SPEC, as in --override '${oneLine(taken.path)}=new'.\n`
  return `${table}${shortList(replaced)}${troubles.join('')}${advice}\n${counts}${job.dry_run ? '; nothing was stored' : ''}\n`
}

/** The whole report of a finished job. */
export function renderJob(job: ImportJob, showing: Showing): string {
  if (job.items.length > 0) return renderItems(job, showing)
  const plan = job.plan !== null && job.dry_run ? `Plan:\n${planLines(job.plan).join('\n')}\n` : ''
  const refused = job.status === 'failed' || job.status === 'blocked'
  const findings = refused
    ? renderTroubles(job.findings, showing, lintCommand(job))
    : renderSummary(job.findings, job.findings_total, showing, lintCommand(job))
  return `${facts(job)}${plan}${gateLines(job)}${reasonLines(job)}${renderWarnings(job)}${findings}`
}

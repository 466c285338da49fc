/** The gates of one API: its findings, its changes and its consumers. What comes out is plain data. */
import { SvcError, type ExitCode } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { fingerprintIn, fingerprintOf } from '../../src/lint/fingerprint.ts'
import { meetsGrade, type GradeResult } from '../../src/lint/grade.ts'
import type { Suppressed } from '../../src/lint/suppressions/suppression.ts'
import { plural } from '../../src/kernel/plural.ts'
import { findingOfChange } from '../../src/project-file/change-finding.ts'
import type { ProjectApi } from '../../src/project-file/settings.ts'
import { countFindings } from '../../src/report/count.ts'
import { beginWork } from '../deadline.ts'
import type { ResultCache } from '../cache/cache.ts'
import { exitCodeOfAnswer } from '../combine-exit-codes.ts'
import type { Compared, WithConsumers } from '../diff/compared.ts'
import { failsGate } from '../diff/gate.ts'
import { comparingOptions, type ComparingInvocation } from '../diff/options.ts'
import { Sides } from '../diff/sides.ts'
import { MissingSide } from '../input/document-source.ts'
import type { GitObjects } from '../input/git/objects.ts'
import { lintFiles, type LintInvocation } from '../lint/files.ts'
import { nameFrom } from '../lint/names.ts'
import { worst } from '../../src/lint/judge.ts'
import { findingsOfSkipped, notAccepted, skippedOf } from '../lint/skipped.ts'
import { defaultsOf } from '../options.ts'
import { sideOf } from '../project-file/base.ts'
import { apiSides, type ApiSides } from '../project-file/compare.ts'
import { missingRoot, shortName, type ProjectFile } from '../project-file/find.ts'
import { settleGroup, type LintPlan } from '../lint/plan.ts'
import type { CheckInvocation } from './options.ts'

/** What a gate says. `off`: svc.yaml does not ask for it. */
export interface GateResult {
  readonly gate: 'lint' | 'changes' | 'consumers'
  readonly status: 'passed' | 'failed' | 'skipped' | 'off'
  /** A few words: "2 errors, grade C". */
  readonly detail: string
  readonly codes: readonly ExitCode[]
  readonly findings: readonly Finding[]
  /** Fingerprints of the findings that make it fail. */
  readonly failing: readonly string[]
  /** The findings that say what was skipped. */
  readonly skipped: readonly Finding[]
}

/** The results of an API. */
export interface ApiResult {
  readonly api: string
  readonly root: string
  readonly guide: string | null
  readonly base: string | null
  readonly grade: GradeResult | null
  readonly gates: readonly GateResult[]
  readonly suppressed: readonly Suppressed[]
}

/** What the gates of all APIs of a run share. */
export interface CheckAround {
  readonly file: ProjectFile
  readonly plan: LintPlan
  readonly lint: LintInvocation
  readonly invocation: CheckInvocation
  readonly cache: ResultCache | null
  /** What answers questions about the repository. */
  readonly objects: GitObjects
}

const start = { line: 0, character: 0 }

/** A finding about a gate, at the document of its API. */
function findingAbout(
  code: 'skipped-gate' | 'failed-gate' | 'broken-consumer',
  source: string,
  message: string,
  severity: Finding['severity'],
): Finding {
  return {
    code,
    severity,
    message,
    path: [],
    pointer: '',
    source,
    range: { start, end: start },
    fingerprint: fingerprintOf(code, source, [message]),
    documentationUrl: null,
    fix: null,
  }
}

const nothing = { findings: [], failing: [], skipped: [], codes: [] } as const

const off = (gate: GateResult['gate'], detail: string): GateResult => ({ gate, status: 'off', detail, ...nothing })

/** A gate that could not be evaluated: skipped where what it needs is not there, else failed. */
function unanswered(
  gate: GateResult['gate'],
  thrown: SvcError,
  root: string,
  { isSkipped, isAllowed }: { readonly isSkipped: boolean; readonly isAllowed: boolean },
): GateResult {
  const message = `The gate "${gate}" was not evaluated: ${thrown.message}`
  if (!isSkipped) {
    const finding = findingAbout('failed-gate', root, message, 'error')
    return {
      gate,
      status: 'failed',
      detail: thrown.code,
      codes: [thrown.exitCode],
      findings: [finding],
      failing: [finding.fingerprint],
      skipped: [],
    }
  }
  const told = findingAbout('skipped-gate', root, message, isAllowed ? 'info' : 'error')
  return {
    gate,
    status: 'skipped',
    detail: thrown instanceof MissingSide ? 'no base' : thrown.code,
    codes: isAllowed ? [] : [thrown.exitCode],
    findings: [],
    failing: [],
    skipped: [told],
  }
}

const expected = (thrown: unknown): SvcError => {
  if (thrown instanceof SvcError) return thrown
  throw thrown
}

async function lintGate(
  root: string,
  { plan, lint, invocation, cache }: CheckAround,
): Promise<{
  readonly result: GateResult
  readonly grade: GradeResult | null
  readonly suppressed: readonly Suppressed[]
}> {
  const isAllowed = invocation.options['allow-skipped']
  try {
    const group = plan.groupOf(root)
    const { guide } = group
    const found = await lintFiles([root], guide, lint, cache)
    const all = found.all.map(plan.keep)
    const { accepted, judged } = await settleGroup(group, all, invocation.cwd)
    const skipped = skippedOf(guide, all, found.skipped)
    const told = findingsOfSkipped(skipped, guide.name, isAllowed)
    const codes = [...judged.codes, ...(notAccepted(skipped).length > 0 && !isAllowed ? [2 as const] : [])]
    const counts = countFindings(accepted.left)
    const said = [
      ...(counts.error > 0 ? [plural(counts.error, 'error')] : []),
      ...(counts.warning > 0 ? [plural(counts.warning, 'warning')] : []),
      ...(told.length > 0 ? [`${told.length} skipped`] : []),
    ]
    const grade = worst(all.map((it) => it.grade))
    const least = group.options['min-grade']
    const isBelow = grade !== null && least !== undefined && !meetsGrade(grade.letter, least)
    const result: GateResult = {
      gate: 'lint',
      status: codes.length > 0 ? 'failed' : 'passed',
      detail: [grade === null ? 'not graded' : `${grade.letter}${isBelow ? ` (below ${least})` : ''}`, ...said].join(
        ', ',
      ),
      codes,
      findings: accepted.left,
      failing: accepted.left.filter(judged.fails).map((it) => it.fingerprint),
      skipped: told,
    }
    return { result, grade, suppressed: [...accepted.suppressed, ...accepted.waived] }
  } catch (thrown) {
    const result = unanswered('lint', expected(thrown), root, { isSkipped: false, isAllowed })
    return { result, grade: null, suppressed: [] }
  }
}

/** Codes of what is not reachable, as opposed to what is wrong. */
const unreachable: ReadonlySet<string> = new Set([
  'transport-failed',
  'fetch-failed',
  'file-not-found',
  'project-not-found',
  'version-not-found',
  'auth-required',
  'workspace-unusable',
])

const isAbsent = (thrown: SvcError): boolean => thrown instanceof MissingSide || unreachable.has(thrown.code)

function changesGate(
  { diff }: ProjectApi,
  compared: Compared,
  { settings, invocation: { options, cwd } }: ApiSides,
): GateResult {
  const { result, head, anchors } = compared
  const failOn = diff.failOn === 'none' ? undefined : diff.failOn
  const bad = result.changes.filter((it) => failsGate(it, failOn, options['allow-unknown']))
  const nameOf = nameFrom('.', cwd)
  const findings = bad
    .map((it) => findingOfChange(it, head, anchors))
    .map((it) => ({ ...it, fingerprint: fingerprintIn(nameOf(head), it.fingerprint) }))
  const { breaking, 'non-breaking': compatible, 'docs-only': docs } = result.counts
  const said = [
    ...(breaking > 0 ? [`${breaking} breaking`] : []),
    ...(compatible > 0 ? [`${compatible} compatible`] : []),
    ...(docs > 0 ? [`${docs} documentation`] : []),
    ...(result.ignored.length > 0 ? [`${result.ignored.length} accepted`] : []),
  ]
  return {
    gate: 'changes',
    status: bad.length > 0 ? 'failed' : 'passed',
    detail: `${said.join(', ') || 'none'}${settings.profile === 'standard' ? '' : ` (${settings.profile})`}`,
    codes: bad.length > 0 ? [4] : [],
    findings,
    failing: findings.map((it) => it.fingerprint),
    skipped: [],
  }
}

function consumersGate(compared: Compared, root: string, allowUnknown: boolean): GateResult {
  const all = compared.consumers ?? []
  const affected = all.flatMap((it) => {
    const status = it.impact?.status
    return status === 'broken' || (status === 'unknown' && !allowUnknown) ? [{ ...it, status }] : []
  })
  const findings = affected.map(({ name, handle, status }) =>
    findingAbout(
      'broken-consumer',
      root,
      status === 'broken'
        ? `The consumer ${name} (${handle}) uses something that breaks or is gone.`
        : `The consumer ${name} (${handle}) uses something whose change could not be decided.`,
      'error',
    ),
  )
  return {
    gate: 'consumers',
    status: affected.length > 0 ? 'failed' : 'passed',
    detail:
      affected.length > 0
        ? `${affected.length} of ${plural(all.length, 'consumer')} affected`
        : plural(all.length, 'consumer'),
    codes: affected.length > 0 ? [exitCodeOfAnswer('no', allowUnknown)] : [],
    findings,
    failing: findings.map((it) => it.fingerprint),
    skipped: [],
  }
}

/** The sides of an API; null where nothing says what it is compared with. */
async function sidesOf(api: ProjectApi, { file, invocation }: CheckAround): Promise<ApiSides | null> {
  const { cwd, options, given } = invocation
  if (api.compareWith === null) return null
  const comparing: ComparingInvocation['options'] = {
    ...defaultsOf(comparingOptions),
    'allow-missing-base': options['allow-missing-base'],
    'allow-unknown': options['allow-unknown'],
    'as-of': options['as-of'],
  }
  // The profile of svc.yaml, which --profile names here, is not the one of changes.
  const withoutProfile = new Set([...given].filter((it) => it !== 'profile'))
  const base = sideOf(api.compareWith, api.root, cwd)
  return apiSides(api, base, file, { ...invocation, options: comparing, given: withoutProfile })
}

async function withRegistered(project: string, invocation: CheckInvocation): Promise<WithConsumers> {
  const { askConsumers, registeredWith } = await import('../diff/consumers.ts')
  const asked = await registeredWith(project, invocation)
  return (result, base, head) => askConsumers(asked, result, base, head)
}

async function comparisonGates(api: ProjectApi, root: string, around: CheckAround): Promise<readonly GateResult[]> {
  const { invocation, cache, objects } = around
  const isAllowed = invocation.options['allow-skipped']
  const wantsConsumers = invocation.options.consumers
  const withoutProject = wantsConsumers && api.project === null ? 'no project' : 'not asked for'
  try {
    const sides = await sidesOf(api, around)
    if (sides === null)
      return [off('changes', 'no base'), off('consumers', wantsConsumers ? 'no base' : withoutProject)]
    const compare = (withConsumers: WithConsumers | null): Promise<Compared> =>
      new Sides(
        { ...sides.invocation, objects },
        sides.settings,
        { withConsumers, consumersOf: null, markdown: false },
        withConsumers === null ? cache : null,
      ).with(sides.invocation.args.base)
    const compared = await compare(null)
    const changes = changesGate(api, compared, sides)
    if (!wantsConsumers || api.project === null) return [changes, off('consumers', withoutProject)]
    const allowUnknown = sides.invocation.options['allow-unknown']
    const consumers = await withRegistered(api.project, invocation)
      .then(compare)
      .then(
        (it) => consumersGate(it, root, allowUnknown),
        (thrown: unknown) => unanswered('consumers', expected(thrown), root, { isSkipped: true, isAllowed }),
      )
    return [changes, consumers]
  } catch (thrown) {
    const error = expected(thrown)
    const changes = unanswered('changes', error, root, { isSkipped: isAbsent(error), isAllowed })
    return [changes, off('consumers', wantsConsumers ? 'not compared' : withoutProject)]
  }
}

/** The result of an API whose check was ended from outside. */
export const stoppedResult = (api: ProjectApi, root: string, reason: SvcError): ApiResult => ({
  api: api.name,
  root,
  guide: null,
  base: null,
  grade: null,
  gates: [unanswered('lint', reason, root, { isSkipped: false, isAllowed: false })],
  suppressed: [],
})

/**
 * Evaluates the gates of an API. What is expected to fail is in the result.
 * @throws SvcError where svc.yaml or a guide cannot be used
 */
export async function checkApi(api: ProjectApi, around: CheckAround): Promise<ApiResult> {
  const { cwd } = around.invocation
  const root = shortName(api.root, cwd)
  const missing = await missingRoot(around.file, api, cwd)
  if (missing !== null) return stoppedResult(api, root, missing)
  beginWork(`The check of ${root}`)
  const linted = await lintGate(root, around)
  const compared = await comparisonGates(api, root, around)
  return {
    api: api.name,
    root,
    guide: around.plan.groupOf(root).guide.name,
    base: api.compareWith === null ? null : sideOf(api.compareWith, api.root, cwd),
    grade: linted.grade,
    gates: [linted.result, ...compared],
    suppressed: linted.suppressed,
  }
}

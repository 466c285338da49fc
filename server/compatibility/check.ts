import { desc, eq, isNotNull, notInArray } from 'drizzle-orm'
import type { Input } from '../../src/api/endpoint.ts'
import type { CompatibilityCheck, compatibilityApi } from '../../src/api/compatibility.ts'
import { verdictOf } from '../../src/compat/second-opinion.ts'
import type { Change } from '../../src/diff/change.ts'
import { rules as knownRules } from '../../src/diff/rules.ts'
import { writtenChanges } from '../../src/diff/written.ts'
import { digestText } from '../../src/document/serialize.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import { versions } from '../../db/tables.gen.ts'
import type { CompareOptions } from '../analysis/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { typedSubject } from '../used-types/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { findVersion, type VersionRow } from '../records/door.ts'

type Body = Input<(typeof compatibilityApi)['check']>['body']

/** What the operator configured for compatibility. */
export interface CompatibilitySettings {
  /** The command of the tool that runs beside our engine; null: none. */
  readonly diffTool: readonly string[] | null
  /** Where a breaking change is to be written up, with {project}, {base}, {head}, {fingerprint}; null: nowhere. */
  readonly issueUrl: string | null
}

/** How often each rule applied. */
export function ruleHitsOf(changes: readonly Change[]): Record<string, number> {
  const hits: Record<string, number> = {}
  for (const { id } of changes) hits[id] = (hits[id] ?? 0) + 1
  return hits
}

/** What identifies a report: the two contents, and every verdict. The clock is not in it. */
export const reportFingerprintOf = (
  digests: readonly string[],
  changes: readonly Pick<Change, 'fingerprint' | 'severity' | 'classification'>[],
): string =>
  digestText(
    JSON.stringify([digests, changes.map((it) => `${it.fingerprint} ${it.severity} ${it.classification}`).toSorted()]),
  )

/**
 * How the request wants its comparisons evaluated.
 * @throws SvcError `rule-unknown`
 */
function optionsOf(body: Body): CompareOptions {
  const profile = body.policy?.profile
  const rules = Object.entries(body.rules ?? {})
  const unknown = rules.find(([id]) => !knownRules.has(id))
  if (unknown) throw new SvcError('rule-unknown', { rule: unknown[0] })
  return {
    ...(profile === undefined ? {} : { profile }),
    overrides: Object.fromEntries(rules.flatMap(([id, it]) => (it === 'ignore' ? [] : [[id, it]]))),
    ignore: rules.flatMap(([match, it]) => (it === 'ignore' ? [{ match, reason: 'the request leaves it out' }] : [])),
  }
}

/** What counts: a severity that was lowered by hand is not a break any more. */
const classified = (change: Change): Change => {
  if (change.severity === 'breaking' && change.classification === 'safe')
    return { ...change, classification: 'breaking' }
  return change.severity !== 'breaking' && change.classification !== 'safe'
    ? { ...change, classification: 'safe' }
    : change
}

type Warning = CompatibilityCheck['deprecationWarnings'][number]

/**
 * What using a revision is warned of.
 * @param now an ISO date-time; a sunset date that has come has passed
 */
export function revisionWarning(
  row: Pick<VersionRow, 'id' | 'label' | 'status' | 'sunsetAt'>,
  now: string,
): Warning | null {
  const facts = { revisionId: row.id, operation: null, sunsetAt: row.sunsetAt }
  if (row.status === 'retired') return { ...facts, code: 'revision-retired', message: `${row.label} is retired.` }
  if (row.status !== 'deprecated') return null
  return row.sunsetAt !== null && row.sunsetAt <= now
    ? { ...facts, code: 'revision-sunset', message: `${row.label} is deprecated, and its sunset date has passed.` }
    : { ...facts, code: 'revision-deprecated', message: `${row.label} is deprecated.` }
}

const deprecationsAdded = (changes: readonly Change[], head: VersionRow): Warning[] =>
  changes
    .filter((it) => it.id.endsWith('-deprecated-added'))
    .map((change) => ({
      code: 'deprecation-added',
      message: change.message,
      revisionId: head.id,
      operation: change.operations[0] ?? null,
      sunsetAt: null,
    }))

const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(project|base|head|fingerprint)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )

/**
 * Compares two revisions, or a head with everything that is published.
 * @throws SvcError `project-not-found`, `version-not-found`, `rule-unknown`
 */
export async function checkCompatibility(
  deps: Deps,
  settings: CompatibilitySettings,
  grant: Grant,
  place: { readonly project: string; readonly against: 'base' | 'all-published' },
  body: Body,
): Promise<CompatibilityCheck> {
  const { read } = deps.db
  const tenantId = tenantOf(grant).id
  const { project, version: base } = await findVersion(read, tenantId, place.project, body.baseRevisionId)
  const { version: head } = await findVersion(read, tenantId, project.id, body.headRevisionId)
  const bases = [base]
  if (place.against === 'all-published') {
    const isOther = notInArray(versions.id, [base.id, head.id])
    const others = await read
      .select()
      .from(versions)
      .where(inTenant(versions, tenantId, eq(versions.projectId, project.id), isNotNull(versions.publishedAt), isOther))
      .orderBy(desc(versions.publishedAt), desc(versions.id))
    bases.push(...others)
  }
  const options = optionsOf(body)
  const newer = await typedSubject(deps, read, head)
  const comparisons: { row: VersionRow; changes: readonly Change[] }[] = []
  for (const row of bases) {
    const { changes: found } = await deps.analysis.compare(await typedSubject(deps, read, row), newer, options)
    comparisons.push({ row, changes: found.map(classified) })
  }
  const changes = comparisons.flatMap((it) => it.changes)
  const overall = verdictOf(changes)
  const reportFingerprint = reportFingerprintOf([...bases.map((row) => row.digest), head.digest], changes)
  const { policy } = await effectiveGuide(read, tenantId, project.id)
  const level: string = policy.policyGates.compat
  const active = level === 'block' || level === 'approve'
  const template = body.policy?.breakingChangeDocumentationIssueUrl ?? settings.issueUrl
  const names = { project: project.slug, base: base.label, head: head.label, fingerprint: reportFingerprint }
  const now = deps.clock.iso()
  const pair = [base, head].flatMap((row) => revisionWarning(row, now) ?? [])
  return {
    overall,
    baseRevisionId: base.id,
    headRevisionId: head.id,
    comparedWith: comparisons.map((it) => ({
      revisionId: it.row.id,
      label: it.row.label,
      overall: verdictOf(it.changes),
    })),
    findings: comparisons.flatMap((comparison) =>
      writtenChanges(comparison.changes).map((one) => ({
        ...one,
        ruleId: one.id,
        baseRevisionId: comparison.row.id,
      })),
    ),
    ruleHits: ruleHitsOf(changes),
    breakingChangeDocumentationIssueUrl: template && overall === 'breaking' ? filled(template, names) : null,
    reportFingerprint,
    tenantCompatGateActive: active,
    mergeBlockedByCompatGate: active && overall !== 'safe',
    deprecationWarnings: [...pair, ...deprecationsAdded(comparisons[0]?.changes ?? [], head)],
    deprecatedRevisionBlocked: pair.some((it) => it.code !== 'revision-deprecated') || head.status === 'deprecated',
  }
}

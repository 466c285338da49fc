import { desc, eq } from 'drizzle-orm'
import type { Evidence, EvidenceRun } from '../../src/api/compatibility.ts'
import { differencesBetween, verdictOf, type ForeignFinding } from '../../src/compat/second-opinion.ts'
import { evidenceAsJunit, evidenceAsSarif } from '../../src/compat/gate-output.ts'
import type { Change } from '../../src/diff/change.ts'
import { writtenChanges } from '../../src/diff/written.ts'
import { SvcError } from '../../src/errors.ts'
import type { ChangeReport } from '../../src/report/report.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { compatEvidence } from '../../db/tables.gen.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { readContent } from '../../db/content.ts'
import { findVersion, type VersionRow } from '../records/door.ts'
import { typedSubject, typesOf, usedTypes } from '../used-types/door.ts'
import { reportFingerprintOf, ruleHitsOf, type CompatibilitySettings } from './check.ts'
import { runDiffTool, type ToolInput, type ToolOutcome } from './diff-tool.ts'

/** What the compatibility operations work with. */
export interface CompatibilityDeps extends Deps {
  readonly settings: CompatibilitySettings
  /** The version of svc. */
  readonly version: string
}

interface Findings {
  readonly ours: readonly Change[]
  readonly theirs: readonly ForeignFinding[]
}

const pack = (findings: Findings): Uint8Array =>
  new Uint8Array(Bun.zstdCompressSync(new TextEncoder().encode(JSON.stringify(findings)), { level: 3 }))
const unpack = (bytes: Uint8Array): Findings =>
  JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(new Uint8Array(bytes)))) as Findings

type Tool = EvidenceRun['tools'][number]

const convertedNote = 'It compared the OpenAPI 3.1 documents that were made of Swagger 2.0, which it does not read.'

/**
 * What the tool compares: the documents as they are stored, or, where one of them is Swagger 2.0, both as OpenAPI 3.1:
 * tools for OpenAPI 3 find nothing in the older form and call that no change.
 */
async function inputsOf(
  deps: Deps,
  rows: readonly [VersionRow, VersionRow],
): Promise<{ readonly inputs: readonly [ToolInput, ToolInput]; readonly converted: boolean }> {
  const [base, head] = rows
  const converted = rows.some((row) => row.format.kind === 'swagger')
  const inputOf = async (row: VersionRow): Promise<ToolInput> =>
    converted
      ? {
          bytes: await deps.analysis.run(
            row.tenantId,
            'render',
            {
              rendering: { kind: 'openapi', className: null, syntax: 'json', refs: 'bundle' },
              labelled: { label: row.label, nameField: null },
              kind: row.format.kind,
              joined: [],
              types: usedTypes(await typesOf(deps, deps.db.read, row)),
            },
            [deps.analysis.subjectOf(row)],
          ),
          syntax: 'json',
        }
      : { bytes: await readContent(deps.db, row.tenantId, row.digest), syntax: row.syntax }
  return { inputs: [await inputOf(base), await inputOf(head)], converted }
}

function toolOf(outcome: ToolOutcome | null, applies: boolean, converted: boolean): Tool {
  const none = { version: null, overall: null, findings: 0, durationMs: null }
  if (!applies)
    return {
      ...none,
      name: 'external',
      status: 'not-applicable',
      message: 'External tools compare OpenAPI documents only.',
    }
  if (outcome === null)
    return {
      ...none,
      name: 'external',
      status: 'not-configured',
      message: 'The operator configured no tool (SVC_DIFF_TOOL).',
    }
  const { name, version, durationMs, result } = outcome
  return typeof result === 'string'
    ? { ...none, name, version, durationMs, status: 'failed', message: result }
    : {
        name,
        version,
        durationMs,
        status: 'ran',
        overall: verdictOf(result),
        findings: result.length,
        message: converted ? convertedNote : null,
      }
}

/**
 * Compares two revisions with our engine and the operator's tool and keeps both verdicts on the head. Raises
 * `project-not-found`, `version-not-found`.
 */
export async function recordEvidence(
  deps: CompatibilityDeps,
  grant: Grant,
  refs: { readonly project: string; readonly base: string; readonly head: string },
): Promise<Evidence> {
  const { read } = deps.db
  const tenantId = tenantOf(grant).id
  const { project, version: base } = await findVersion(read, tenantId, refs.project, refs.base)
  const { version: head } = await findVersion(read, tenantId, project.id, refs.head)
  const begun = performance.now()
  const [older, newer] = [await typedSubject(deps, read, base), await typedSubject(deps, read, head)]
  const { changes, counts } = await deps.analysis.compare(older, newer)
  const took = Math.round(performance.now() - begun)
  const applies = [base, head].every((row) => row.format.kind === 'openapi' || row.format.kind === 'swagger')
  const { diffTool } = deps.settings
  const given = applies && diffTool !== null ? await inputsOf(deps, [base, head]) : null
  const outcome = diffTool !== null && given !== null ? await runDiffTool(diffTool, ...given.inputs) : null
  const theirs = outcome === null || typeof outcome.result === 'string' ? null : outcome.result
  const differences = theirs === null ? [] : differencesBetween(changes, theirs)
  const agreement = differences.length === 0 ? 'agree' : 'differ'
  const overall = verdictOf(changes)
  const run: EvidenceRun = {
    id: newId(),
    projectId: project.id,
    baseRevisionId: base.id,
    headRevisionId: head.id,
    baseLabel: `${project.slug}@${base.label}`,
    headLabel: `${project.slug}@${head.label}`,
    overall,
    counts: { ...counts, unknown: changes.filter((it) => it.classification === 'unknown').length },
    ruleHits: ruleHitsOf(changes),
    reportFingerprint: reportFingerprintOf([base.digest, head.digest], changes),
    tools: [
      {
        name: 'svc',
        version: deps.version,
        status: 'ran',
        overall,
        findings: changes.length,
        durationMs: took,
        message: null,
      },
      toolOf(outcome, applies, given?.converted === true),
    ],
    agreement: theirs === null ? 'not-compared' : agreement,
    differences: differences.map((it) => ({ ...it, ourRules: [...it.ourRules], theirRules: [...it.theirRules] })),
    createdBy: actorOf(grant),
    createdAt: deps.clock.iso(),
  }
  await deps.db.inTransaction(async (tx) => {
    await tx.insert(compatEvidence).values({
      id: run.id,
      tenantId,
      projectId: project.id,
      baseVersionId: base.id,
      headVersionId: head.id,
      run,
      findings: pack({ ours: changes, theirs: theirs ?? [] }),
      createdAt: run.createdAt,
    })
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'compatibility.evidence-recorded',
      targetId: head.id,
      detail: { base: run.baseLabel, head: run.headLabel, overall, fingerprint: run.reportFingerprint },
      at: run.createdAt,
    })
  })
  return { ...run, findings: writtenChanges(changes), externalFindings: [...(theirs ?? [])] }
}

/**
 * Evidence of a head, newest first.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function listEvidence(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly head: string },
  page: StablePage,
) {
  const { read } = deps.db
  const tenantId = tenantOf(grant).id
  const { version } = await findVersion(read, tenantId, refs.project, refs.head)
  const where = inTenant(compatEvidence, tenantId, eq(compatEvidence.headVersionId, version.id))
  const { rows, page: counts } = await readStablePage(read, compatEvidence, {
    where,
    order: [compatEvidence.createdAt, compatEvidence.id],
    page,
    added: compatEvidence.createdAt,
    now: deps.clock.iso(),
  })
  return { items: rows.map((row) => row.run), ...counts }
}

/**
 * The newest evidence of a head, whole.
 * @throws SvcError `project-not-found`, `version-not-found`, `evidence-not-found`
 */
export async function latestEvidence(
  read: Reader,
  grant: Grant,
  refs: { readonly project: string; readonly head: string },
): Promise<Evidence> {
  const tenantId = tenantOf(grant).id
  const { version } = await findVersion(read, tenantId, refs.project, refs.head)
  const [row] = await read
    .select()
    .from(compatEvidence)
    .where(inTenant(compatEvidence, tenantId, eq(compatEvidence.headVersionId, version.id)))
    .orderBy(desc(compatEvidence.createdAt), desc(compatEvidence.id))
    .limit(1)
  if (!row) throw new SvcError('evidence-not-found', { version: version.label })
  const { ours, theirs } = unpack(row.findings)
  return { ...row.run, findings: writtenChanges(ours), externalFindings: [...theirs] }
}

const conclusions = {
  safe: 'The change is backward compatible.',
  breaking: 'Clients of the base document can fail with the head document.',
  unknown: 'No change is proven to be breaking, but some could not be decided.',
} as const

/** Evidence as a gate reads it. */
export function writeEvidence(evidence: Evidence, format: 'sarif' | 'junit', toolVersion: string): string {
  const of = (severity: Change['severity']): number => evidence.counts[severity] ?? 0
  const changes = evidence.findings as readonly Change[]
  const report: ChangeReport = {
    changes,
    counts: { breaking: of('breaking'), 'non-breaking': of('non-breaking'), 'docs-only': of('docs-only') },
    maxSeverity: (['breaking', 'non-breaking', 'docs-only'] as const).find((it) => of(it) > 0) ?? null,
    base: evidence.baseLabel,
    head: evidence.headLabel,
    verdict: conclusions[evidence.overall],
    toolVersion,
    at: evidence.createdAt,
  }
  const ran = evidence.tools.find((it) => it.name !== 'svc' && it.status === 'ran')
  const second = ran ? { tool: ran.name, version: ran.version, findings: evidence.externalFindings } : null
  return format === 'sarif' ? evidenceAsSarif(report, second) : evidenceAsJunit(report, second)
}

/** Which drafts are evaluated for the first page, and which grades need attention: by columns, counted a second way from all versions. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import type { Database } from '../../../db/database.ts'
import { summarizeStale } from '../../../db/projects/summary.ts'
import { contents, projects, styleGuideAssignments, styleGuides, tenants, versions } from '../../../db/tables.gen.ts'
import { evaluatedDrafts } from '../../../server/home/drafts.ts'
import { gradeConcerns, readGuides } from '../../../server/home/standing.ts'
import { compareLabels } from '../../../src/kernel/version-label.ts'
import { baselineOf, latestPublished } from '../../../src/kernel/latest-version.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

type VersionRow = typeof versions.$inferInsert
type Status = VersionRow['status']
const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()

const versionOf = (projectId: string, label: string, status: Status, n: number, grade: string | null): VersionRow => ({
  id: `${projectId}-${label}`,
  tenantId: 't',
  projectId,
  label,
  slug: label,
  status,
  visibility: 'private',
  title: 'Service',
  format: { kind: 'openapi', version: '3.1' },
  syntax: 'yaml',
  digest: 'same',
  sizeBytes: 1,
  grade,
  operationsCount: 1,
  classesCount: 1,
  provenance: { source: 'inline' } as never,
  createdAt: at(n),
  updatedAt: at(n),
})

const projectOf = (id: string) => ({ id, tenantId: 't', slug: id, name: id, createdAt: at(0), updatedAt: at(0) })

async function fill(db: Database, rows: readonly VersionRow[]): Promise<void> {
  await db.inTransaction(async (tx) => {
    await tx.insert(tenants).values({ id: 't', slug: 't', name: 't', settings: {}, createdAt: at(0), updatedAt: at(0) })
    await tx
      .insert(contents)
      .values({ tenantId: 't', digest: 'same', compressed: new Uint8Array([0]), sizeBytes: 1, createdAt: at(0) })
    await tx.insert(projects).values([...new Set(rows.map((it) => it.projectId))].map(projectOf))
    for (let from = 0; from < rows.length; from += 200) await tx.insert(versions).values(rows.slice(from, from + 200))
  })
  await summarizeStale(db, 't')
}

const imported = (total: number): VersionRow[] =>
  Array.from({ length: total }, (_, n) => versionOf(`first-${n}`, '1.0.0', 'draft', 5000 + n, null))

onBothEngines('drafts and grades by columns', (makeDb) => {
  test('each draft that can break what is published is evaluated, however many were imported since', async () => {
    const db = await makeDb()
    const next = (['published', 'deprecated'] as const).flatMap((status, n) => [
      versionOf(`next-${n}`, '1.0.0', status, 1, null),
      versionOf(`next-${n}`, '2.0.0', 'draft', 10 + n, null),
    ])
    await fill(db, [...imported(600), ...next])
    const { drafts, unchecked } = await evaluatedDrafts(db.read, 't')
    expect([drafts.length, drafts.slice(0, 3).map(({ version }) => version.id), unchecked]).toEqual([
      502,
      ['next-1-2.0.0', 'next-0-2.0.0', 'first-599-1.0.0'],
      100,
    ])
  })

  test('nothing is left out below the limit', async () => {
    const db = await makeDb()
    await fill(db, imported(500))
    const { drafts, unchecked } = await evaluatedDrafts(db.read, 't')
    expect([drafts.length, unchecked]).toEqual([500, 0])
  })

  test('grades that fell, or that the policy does not allow, are those that all versions tell', async () => {
    const statuses = ['draft', 'published', 'deprecated', 'retired'] as const
    const grades = ['A', 'B', 'C', 'D', 'F', null] as const
    const history = fc.array(fc.tuple(fc.constantFrom(...statuses), fc.constantFrom(...grades)), { maxLength: 4 })
    const histories = fc.sample(fc.tuple(history, fc.integer({ min: 0, max: 5 })), { numRuns: 120, seed: 7 })
    const rows = histories.flatMap(([own], project) =>
      own.map(([status, grade], n) => versionOf(`p${project}`, `${(n * 7) % 4}.0.0`, status, n + project, grade)),
    )
    const db = await makeDb()
    await fill(db, rows)
    // Every third project has a guide that asks for an A, every sixth one that asks for nothing.
    const guideOf = (project: number): 'strict' | 'lax' | null => {
      if (project % 6 === 0) return 'lax'
      return project % 3 === 0 ? 'strict' : null
    }
    const base = { tenantId: 't', description: '', settings: {}, customRules: '', createdAt: at(0), updatedAt: at(0) }
    await db.inTransaction(async (tx) => {
      const policyOf = (gate: 'block' | 'off') => ({ policyGates: { 'lint-grade': gate, minGrade: 'A' } })
      await tx.insert(styleGuides).values([
        { ...base, id: 'strict', name: 'Strict', policy: policyOf('block') },
        { ...base, id: 'lax', name: 'Lax', policy: policyOf('off') },
      ])
      for (const id of new Set(rows.map((it) => it.projectId))) {
        const guideId = guideOf(Number(id.slice(1)))
        if (guideId !== null)
          await tx.insert(styleGuideAssignments).values({ tenantId: 't', projectId: id, guideId, assignedAt: at(0) })
      }
    })
    const meant = [...Map.groupBy(rows, (it) => it.projectId).values()].flatMap((own) => {
      const greatest = own.reduce((a, b) => (compareLabels(b.label, a.label) > 0 ? b : a))
      const newest = own.reduce((a, b) => (b.createdAt > a.createdAt ? b : a))
      return [...new Set([(latestPublished(own) ?? newest).id, greatest.id])]
    })
    const current = await db.read.select({ id: versions.id }).from(versions).where(eq(versions.current, true))
    expect(current.map(({ id }) => id).toSorted()).toEqual(meant.toSorted())
    const guides = await readGuides(db.read, 't')
    const worse = (grade: string, than: string): boolean => grade > than
    const expected = [...Map.groupBy(rows, (it) => it.projectId)].flatMap(([id, own]) => {
      const published = latestPublished(own)
      const draft = own
        .filter((it) => it.status === 'draft')
        .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]
      const newest = draft && (published === null || draft.createdAt > published.createdAt) ? draft : published
      if (!newest?.grade) return []
      const before = baselineOf(
        newest.label,
        own.filter((it) => it !== newest && it.status !== 'draft'),
      )
      const fell = before?.grade && worse(newest.grade, before.grade) ? `${before.label} ${before.grade}` : null
      const { policyGates } = guides.of(guideOf(Number(id.slice(1)))).policy
      const asks = policyGates['lint-grade'] !== 'off' && worse(newest.grade, policyGates.minGrade)
      if (fell === null && !asks) return []
      return [`${id} ${newest.label} ${newest.grade} ${fell} ${asks ? policyGates.minGrade : null}`]
    })
    const found = await gradeConcerns(db.read, 't', guides, 1000)
    const named = found.items.map(
      (it) =>
        `${it.project_slug} ${it.label} ${it.grade} ${it.before === null ? null : `${it.before.label} ${it.before.grade}`} ${it.minimum}`,
    )
    expect([found.count, named.toSorted()]).toEqual([expected.length, expected.toSorted()])
    expect(expected.length).toBeGreaterThan(20)
    const first = await gradeConcerns(db.read, 't', guides, 3)
    expect([first.count, first.items]).toEqual([found.count, found.items.slice(0, 3)])
  })
})

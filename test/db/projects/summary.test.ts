/** What a project keeps of its versions: what it is made of, which rows are made again, and whose. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import {
  isStale,
  summarizeProjects,
  summarizeStale,
  summaryOf,
  type SummarizedVersion,
} from '../../../db/projects/summary.ts'
import { deletions, projects } from '../../../db/tables.gen.ts'
import { addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { fillProjects } from '../../fixtures/many-projects.ts'

const version = (label: string, change: Partial<SummarizedVersion>): SummarizedVersion => ({
  id: `v${label}`,
  label,
  status: 'published',
  visibility: 'private',
  grade: null,
  format: { kind: 'openapi', version: '3.1' },
  createdAt: '2026-01-01T00:00:00.000Z',
  ...change,
})

test('a summary is of the version that is shown, and counts all of them', () => {
  const own = [
    version('2.0.0', { status: 'draft', grade: 'F' }),
    version('1.1.0', { grade: 'B', format: { kind: 'asyncapi', version: '3.0' } }),
    version('1.0.0', { grade: 'A', visibility: 'public' }),
    version('3.0.0', { status: 'draft' }),
  ]
  expect(summaryOf('Zoo API', own)).toEqual({
    summaryGeneration: 2,
    foldedName: 'zoo api',
    latestVersionId: 'v1.1.0',
    latestStatus: 'published',
    latestGrade: 'B',
    gradeRank: 4,
    latestFormat: 'asyncapi 3.0',
    newestVersionId: 'v1.1.0',
    newestRank: 4,
    beforeLabel: '1.0.0',
    beforeRank: 5,
    publicVersionId: 'v1.0.0',
    publicCount: 1,
    versionsCount: 4,
    draftsCount: 2,
  })
  expect(summaryOf('Zoo', [])).toEqual({
    summaryGeneration: 2,
    foldedName: 'zoo',
    latestVersionId: null,
    latestStatus: null,
    latestGrade: null,
    gradeRank: 6,
    latestFormat: null,
    newestVersionId: null,
    newestRank: 6,
    beforeLabel: null,
    beforeRank: 6,
    publicVersionId: null,
    publicCount: 0,
    versionsCount: 0,
    draftsCount: 0,
  })
  const ranks = ['F', 'D', 'C', 'B', 'A', 'E', null].map((grade) => summaryOf('', [version('1', { grade })]).gradeRank)
  expect(ranks).toEqual([1, 2, 3, 4, 5, 6, 6])
})

test('the newest version is a draft while that is newer than what is published; it follows what is published before it', () => {
  const newest = (...own: SummarizedVersion[]) => {
    const { newestVersionId, newestRank, beforeLabel, beforeRank } = summaryOf('', own)
    return [newestVersionId, newestRank, beforeLabel, beforeRank]
  }
  const at = (day: number) => `2026-02-0${day}T00:00:00.000Z`
  const old = version('1.0.0', { grade: 'A', createdAt: at(5) })
  expect(newest(old, version('2.0.0', { status: 'draft', grade: 'C', createdAt: at(6) }))).toEqual([
    'v2.0.0',
    3,
    '1.0.0',
    5,
  ])
  expect(newest(old, version('0.9.0', { status: 'draft', grade: 'C', createdAt: at(4) }))).toEqual([
    'v1.0.0',
    5,
    null,
    6,
  ])
  expect(newest(version('0.1.0', { status: 'retired', grade: 'B' }))).toEqual([null, 6, null, 6])
})

onBothEngines('summaries of projects', (makeDb) => {
  const generationsOf = async (db: Database, tenantId: string) =>
    (await db.read.select().from(projects).where(eq(projects.tenantId, tenantId))).map((row) => row.summaryGeneration)

  test('that are stale are made again, of one organization or of all', async () => {
    const db = await makeDb()
    const [acme, globex] = [await addTenant(db, 'acme'), await addTenant(db, 'globex')]
    // More than are made at once.
    await fillProjects(db, acme, 201)
    await db.inTransaction((tx) =>
      tx.insert(projects).values({
        id: 'other',
        tenantId: globex,
        slug: 'other',
        name: 'Other',
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      }),
    )
    await summarizeStale(db, globex)
    expect([new Set(await generationsOf(db, acme)), await generationsOf(db, globex)]).toEqual([new Set([0]), [2]])
    await db.inTransaction((tx) => tx.update(projects).set({ name: 'Another' }).where(eq(projects.id, 'other')))
    await summarizeStale(db, null)
    const rows = await db.read.select().from(projects).orderBy(projects.id)
    expect([rows.length, rows.filter(isStale)]).toEqual([202, []])
    const shown = [rows[0], rows[2], rows.at(-1)].map((row) => [
      row?.foldedName,
      row?.latestVersionId,
      row?.latestStatus,
      row?.latestGrade,
      row?.gradeRank,
      row?.latestFormat,
      row?.versionsCount,
      row?.draftsCount,
    ])
    // Of the first one the second version is a draft.
    expect(shown).toEqual([
      ['another', null, null, null, 6, null, 0, 0],
      ['ledger service 1', 'p00000001-1', 'published', 'B', 4, 'openapi 3.1', 2, 0],
      ['payments service 200', 'p00000200-0', 'published', 'A', 5, 'openapi 3.0', 2, 1],
    ])
    expect(rows.filter(({ tenantId }) => tenantId === acme).map((row) => row.draftsCount)).toEqual(
      Array.from({ length: 201 }, (_, n) => (n % 4 === 0 ? 1 : 0)),
    )
  })

  test('count no version that is being deleted', async () => {
    const db = await makeDb()
    const tenantId = await addTenant(db, 'acme')
    await fillProjects(db, tenantId, 1)
    const [row] = await db.read.select().from(projects)
    const subjectId = `${row?.id}-1`
    const gone = { subjectId, tenantId, kind: 'version', begunAt: '2026-01-01T00:00:00.000Z' }
    await db.inTransaction((tx) => tx.insert(deletions).values(gone))
    await summarizeStale(db, null)
    const [made] = await db.read.select().from(projects)
    expect([made?.versionsCount, made?.draftsCount, made?.latestVersionId]).toEqual([1, 0, `${row?.id}-0`])
  })

  test('are made of nothing where no project has one of the ids', async () => {
    const db = await makeDb()
    await db.inTransaction(async (tx) => {
      await summarizeProjects(tx, [])
      await summarizeProjects(tx, ['missing'])
    })
    expect(await db.read.select().from(projects)).toEqual([])
  })
})

test('a row is stale that an earlier generation made', () => {
  expect([0, 1, 2, 3].map((summaryGeneration) => isStale({ summaryGeneration }))).toEqual([true, true, false, false])
})

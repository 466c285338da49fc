/** Which drafts are evaluated for the first page. */
import { expect, test } from 'bun:test'
import { evaluatedDrafts } from '../../../server/home/drafts.ts'
import type { StandingProject, StandingVersion } from '../../../server/home/standing.ts'

const versionOf = (id: string, status: StandingVersion['status'], updatedAt: string): StandingVersion => ({
  id,
  projectId: id,
  label: '1.0.0',
  slug: '1.0.0',
  status,
  digest: id,
  grade: null,
  createdBy: null,
  createdAt: updatedAt,
  updatedAt,
  sunsetAt: null,
})
const projectOf = (id: string, versions: readonly StandingVersion[]): StandingProject => ({
  id,
  slug: id,
  name: id,
  owner: null,
  createdBy: null,
  versions,
  guide: { mark: '', policy: {} as StandingProject['guide']['policy'] },
})
const imported = (total: number): StandingProject[] =>
  Array.from({ length: total }, (_, at) =>
    projectOf(`first-${at}`, [versionOf(`f${at}`, 'draft', `2026-11-21T00:00:00.${String(at).padStart(4, '0')}Z`)]),
  )

test('each draft that can break what is published is evaluated, however many were imported since', () => {
  const next = ['published', 'deprecated'].map((status, at) =>
    projectOf(`next-${at}`, [
      versionOf(`n${at}`, 'draft', `2026-01-0${at + 1}T00:00:00Z`),
      versionOf(`p${at}`, status as StandingVersion['status'], '2025-01-01T00:00:00Z'),
    ]),
  )
  const { drafts, unchecked } = evaluatedDrafts([...imported(1000), ...next])
  expect([drafts.length, drafts.slice(0, 3).map(({ version }) => version.id), unchecked]).toEqual([
    502,
    ['n1', 'n0', 'f999'],
    500,
  ])
})

test('nothing is left out below the limit', () => {
  const { drafts, unchecked } = evaluatedDrafts(imported(500))
  expect([drafts.length, unchecked]).toEqual([500, 0])
})

/** The lines that a version changes, over HTTP: only those, in pieces of limited size. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reviewsApi } from '../../../src/api/reviews.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const document = (lines: readonly string[]) =>
  `openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\nx-lines:\n${lines.map((it) => `  - ${it}\n`).join('')}`
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`)
const project = { tenant_slug: 'local', project_ref: 'pets' }

onBothEngines('hunks of a review', (makeDb) => {
  let it: PetsProject
  const hunks = (version_ref: string, query = {}) =>
    it.call(reviewsApi.hunks, { params: { ...project, version_ref }, query })
  const add = (label: string, lines: readonly string[]) =>
    it.call(versionsApi.create, { params: project, body: { label, content: document(lines) } })
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await add('1.0.0', numbers(600))
    const params = { ...project, version_ref: '1.0.0' }
    await it.call(versionsApi.publish, { params, body: { force: true, force_reason: 'a base' } })
  })
  afterAll(() => it.service.stop())

  test('a first version has nothing to compare with', async () => {
    expect(await hunks('1.0.0')).toMatchObject({ base: null, total: 0, places: [], hunks: [] })
  })

  test('removed and added lines, with four around them', async () => {
    await add('1.1.0', numbers(600).toSpliced(10, 1).toSpliced(99, 1, 'other', 'more'))
    const found = await hunks('1.1.0')
    expect([found.base?.label, found.head.label, found.total, found.lines_total]).toEqual(['1.0.0', '1.1.0', 2, 605])
    expect(found.places).toEqual([
      { old: 14, removed: 1, now: 14, added: 0 },
      { old: 104, removed: 1, now: 103, added: 2 },
    ])
    const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text)
    expect(found.hunks.map(({ before, old, now, after }) => [before, old, now, after].map(texts))).toEqual([
      [
        ['  - line 6', '  - line 7', '  - line 8', '  - line 9'],
        ['  - line 10'],
        [],
        ['  - line 11', '  - line 12', '  - line 13', '  - line 14'],
      ],
      [
        ['  - line 96', '  - line 97', '  - line 98', '  - line 99'],
        ['  - line 100'],
        ['  - other', '  - more'],
        ['  - line 101', '  - line 102', '  - line 103', '  - line 104'],
      ],
    ])
    const second = await hunks('1.1.0', { offset: 1, limit: 1, lines: 1 })
    expect([second.places, second.hunks]).toEqual([found.places.slice(1), found.hunks.slice(1)])
    expect((await hunks('1.1.0', { lines: 0 })).hunks).toEqual([])
  })

  test('a long change is several places, and an answer stops where it has many characters', async () => {
    await add(
      '1.2.0',
      numbers(600).map((line) => `${line} ${'x'.repeat(3000)}`),
    )
    const found = await hunks('1.2.0', { lines: 100 })
    expect([found.total, found.places.length]).toEqual([6, 6])
    expect(found.places.map(({ removed, added }) => [removed, added])).toEqual(
      Array.from({ length: 6 }, () => [100, 100]),
    )
    expect(found.hunks.length).toBeLessThan(6)
    expect(JSON.stringify(found).length).toBeLessThan(1_000_000)
    const [line] = found.hunks[0]?.now ?? []
    expect([line?.text.length, line?.length]).toEqual([2000, 3011])
  })
})

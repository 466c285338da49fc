/**
 * The list of projects, its counts and its facets are those that a second, slow way finds in the versions, after every step of
 * random histories; and a list never waits for what a program wrote that knows nothing of summaries.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Database } from '../../../db/database.ts'
import { summarizeStale } from '../../../db/projects/summary.ts'
import { projects, versions } from '../../../db/tables.gen.ts'
import { insightsApi } from '../../../src/api/insights.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { isFull } from '../../fixtures/extent.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { type ListQuestion, slowly } from './slow-catalogue.ts'

// Each step of a history is a request, and some wait for jobs.
setDefaultTimeout(180_000)

const base = '/v1/tenants/local/projects'

interface Listed {
  readonly total: number
  readonly items: readonly Record<string, unknown>[]
  readonly facets: Record<string, { value: string; count: number }[]>
}

async function listed(world: PetsProject, { filter, q, sort, limit, offset }: ListQuestion) {
  const query = new URLSearchParams({
    ...filter,
    ...(q === '' ? {} : { q }),
    sort,
    limit: String(limit),
    offset: String(offset),
    include_facets: 'true',
  })
  const { total, facets, items } = (await world.send('GET', `${base}?${query}`)).value as unknown as Listed
  return {
    total,
    facets,
    items: items.map(({ slug, versions_count, published_versions_count, latest_version }) => {
      const latest = latest_version as Record<string, unknown> | null
      return {
        slug,
        versions_count,
        published_versions_count,
        latest: latest && [latest['id'], latest['label'], latest['status'], latest['grade']],
      }
    }),
  }
}

const project = fc.constantFrom('pets', 'pets', 'zoo')
const label = fc.constantFrom('0.9.0', '1.0.0', 'v1.0.0', 'main')
const text = fc.constantFrom(
  petsYaml('1.0.0'),
  petsYaml('1.0.0').replace('3.1.0', '3.0.3'),
  petsYaml('1.0.0', '{ /pets: { get: { responses: { "200": { description: ok } } } } }'),
)
const facts = fc.record(
  {
    name: fc.constantFrom('Zoo', 'zoo B', 'Ärzte', 'Pets', 'ark_1'),
    owner: fc.constantFrom('shop', 'Shop', null),
    lifecycle: fc.constantFrom('production', 'experimental', null),
    tags: fc.uniqueArray(fc.constantFrom('rest', 'core', 'a_b', 'axb'), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
/** Which of the versions that can take a step. */
const nth = fc.nat(20)
const kind = <const K extends string>(name: K) => fc.constant(name)
const step = fc.oneof(
  fc.record({ kind: kind('create'), project, facts }),
  fc.record({ kind: kind('change'), project, facts }),
  fc.record({ kind: kind('draft'), project, label, text }),
  fc.record({ kind: kind('draft'), project, label, text }),
  fc.record({ kind: kind('draft'), project, label, text }),
  fc.record({ kind: kind('import'), project, label, text }),
  fc.record({ kind: kind('replace'), nth, text }),
  fc.record({ kind: kind('rename'), nth, to: label }),
  fc.record({ kind: kind('show'), nth }),
  fc.record({ kind: kind('publish'), nth }),
  fc.record({ kind: kind('publish'), nth }),
  fc.record({ kind: kind('deprecate'), nth }),
  fc.record({ kind: kind('undeprecate'), nth }),
  fc.record({ kind: kind('retire'), nth }),
  fc.record({ kind: kind('delete'), nth }),
  fc.record({ kind: kind('delete project'), project }),
  fc.record({ kind: kind('restore') }),
  fc.record({ kind: kind('relint'), title: fc.constantFrom('Pets', 'API') }),
  fc.record({ kind: kind('earlier program'), nth }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const asked: fc.Arbitrary<ListQuestion> = fc.record({
  filter: fc.record(
    {
      owner: fc.constantFrom('shop', 'Shop'),
      lifecycle: fc.constantFrom('production', 'experimental'),
      tag: fc.constantFrom('rest', 'a_b', '"', 'rest","core'),
      status: fc.constantFrom('draft', 'published', 'deprecated', 'retired', 'none'),
      grade: fc.constantFrom('A', 'C', 'F', 'none'),
      format: fc.constantFrom('openapi 3.1', 'openapi 3.0'),
      draft: fc.constantFrom('yes', 'no'),
    },
    { requiredKeys: [] },
  ),
  q: fc.constantFrom('', '', 'zoo', 'o SHOP', 'k_1', '%'),
  sort: fc.constantFrom('created' as const, 'updated' as const, 'name' as const, 'grade' as const),
  limit: fc.integer({ min: 1, max: 4 }),
  offset: fc.integer({ min: 0, max: 2 }),
})

const isDone = ({ status }: { readonly status: number }): boolean => status < 300

/** Waits for a job of the service; whether it completed. */
async function finished(world: PetsProject, path: string): Promise<boolean> {
  const { value } = await world.send('GET', `${path}?wait=30`)
  return String(value['status']).startsWith('completed')
}

async function restoreNewest(world: PetsProject): Promise<boolean> {
  const bin = await world.send('GET', '/v1/tenants/local/bin')
  const [entry] = bin.value['items'] as { id: string }[]
  return entry !== undefined && isDone(await world.send('POST', `/v1/tenants/local/bin/${entry.id}/restore`, {}))
}

const strict = (title: string): string => `rules:
  title-says:
    severity: error
    given: $.info.title
    then: { function: pattern, functionOptions: { match: ${title} } }
`

/** Makes the guide that all projects follow strict or mild, and lints all versions again. */
async function relint(world: PetsProject, title: string): Promise<boolean> {
  const guides = '/v1/style-guides/local'
  const all = (await world.send('GET', `${guides}?limit=100`)).value['items'] as { id: string; name: string }[]
  const id =
    all.find(({ name }) => name === 'Own')?.id ??
    String((await world.send('POST', guides, { name: 'Own' })).value['id'])
  await world.send('PUT', `${guides}/${id}/custom-rules`, { yaml: strict(title) })
  await world.send('PUT', `${guides}/${id}/default`)
  const job = await world.send('POST', `${guides}/relints`, {})
  const isGraded = await finished(world, `${guides}/relints/${String(job.value['jobId'])}`)
  // The change of the guide has a job of its own, a second later.
  while ((await world.call(insightsApi.grading, { params: { tenant_slug: 'local' } })).items.length > 0)
    await Bun.sleep(20)
  return isGraded
}

async function importInto(world: PetsProject, one: { project: string; label: string; text: string }): Promise<boolean> {
  const job = await world.send('POST', '/v1/tenants/local/imports', {
    source: { kind: 'inline', content: one.text },
    project_slug: one.project,
    version: one.label,
  })
  return isDone(job) && finished(world, `/v1/imports/${String(job.value['job_id'])}`)
}

async function replaceDocument(world: PetsProject, version: string, content: string): Promise<boolean> {
  const { headers } = await world.send('GET', `${version}/document`)
  const etag = headers.get('etag') ?? ''
  const sent = { 'content-type': 'application/yaml', 'if-match': etag }
  return isDone(await world.send('PUT', `${version}/document`, content, sent))
}

/** What a process of an earlier release writes: rows without summaries. */
const writeAsBefore = (db: Database, id: string): Promise<boolean> =>
  db.inTransaction(async (tx) => {
    const [row] = await tx
      .update(versions)
      .set({ status: 'retired', grade: 'F' })
      .where(eq(versions.id, id))
      .returning()
    await tx
      .update(projects)
      .set({ name: sql`${projects.name} || '!'` })
      .where(eq(projects.id, row?.projectId ?? ''))
    return row !== undefined
  })

/** The statuses of versions that a step is possible for. */
const possible: Readonly<Record<string, readonly string[]>> = {
  replace: ['draft'],
  rename: ['draft'],
  publish: ['draft'],
  delete: ['draft'],
  deprecate: ['published'],
  undeprecate: ['deprecated'],
  retire: ['published', 'deprecated'],
}

type VersionStep = Extract<Step, { readonly nth: number }>

async function takeOfVersion(world: PetsProject, db: Database, one: VersionStep): Promise<boolean> {
  const statuses = possible[one.kind]
  const rows = (await db.read.select().from(versions).orderBy(versions.id)).filter(
    ({ status }) => statuses?.includes(status) ?? true,
  )
  const row = rows[one.nth % rows.length]
  if (row === undefined) return false
  const path = `${base}/${row.projectId}/versions/${row.id}`
  const ask = async (method: string, more: string, body?: object) => isDone(await world.send(method, path + more, body))
  switch (one.kind) {
    case 'replace':
      return replaceDocument(world, path, one.text)
    case 'rename':
      return ask('PATCH', '', { label: one.to, slug: one.to })
    case 'show':
      return ask('PATCH', '', { visibility: 'public' })
    case 'publish':
      return ask('POST', '/publish', { visibility: 'private', force: true, force_reason: 'test' })
    case 'deprecate':
      return ask('POST', '/deprecate', {})
    case 'undeprecate':
      return ask('DELETE', '/deprecate')
    case 'retire':
      return ask('POST', '/retire', {})
    case 'delete':
      return ask('DELETE', '')
    case 'earlier program':
      return writeAsBefore(db, row.id)
  }
}

/** Does one step, and says whether it was done; what is refused changes nothing. */
async function take(world: PetsProject, db: Database, one: Step): Promise<boolean> {
  if ('nth' in one) return takeOfVersion(world, db, one)
  switch (one.kind) {
    case 'create':
      return isDone(await world.send('POST', base, { name: one.project, slug: one.project, ...one.facts }))
    case 'change':
      return isDone(await world.send('PATCH', `${base}/${one.project}`, one.facts))
    case 'draft':
      return isDone(
        await world.send('POST', `${base}/${one.project}/versions`, { label: one.label, content: one.text }),
      )
    case 'import':
      return importInto(world, one)
    case 'delete project':
      return isDone(await world.send('DELETE', `${base}/${one.project}`))
    case 'restore':
      return restoreNewest(world)
    case 'relint':
      return relint(world, one.title)
  }
}

/** A history in which every kind of step is done. */
const whole: readonly Step[] = [
  { kind: 'draft', project: 'pets', label: '1.0.0', text: petsYaml('1.0.0') },
  { kind: 'show', nth: 0 },
  { kind: 'publish', nth: 0 },
  { kind: 'create', project: 'zoo', facts: { name: 'Ärzte', owner: 'shop', tags: ['rest'] } },
  { kind: 'import', project: 'zoo', label: '0.9.0', text: petsYaml('1.0.0') },
  { kind: 'replace', nth: 0, text: petsYaml('1.0.0').replace('3.1.0', '3.0.3') },
  { kind: 'rename', nth: 0, to: 'main' },
  { kind: 'relint', title: 'API' },
  { kind: 'deprecate', nth: 0 },
  { kind: 'undeprecate', nth: 0 },
  { kind: 'change', project: 'pets', facts: { name: 'zoo B' } },
  { kind: 'delete', nth: 0 },
  { kind: 'restore' },
  { kind: 'earlier program', nth: 1 },
  { kind: 'retire', nth: 0 },
  { kind: 'delete project', project: 'zoo' },
  { kind: 'restore' },
]
const all: ListQuestion = { filter: {}, q: '', sort: 'name', limit: 4, offset: 0 }

const kinds = [
  'change',
  'create',
  'delete',
  'delete project',
  'deprecate',
  'draft',
  'earlier program',
  'import',
  'publish',
  'relint',
  'rename',
  'replace',
  'restore',
  'retire',
  'show',
  'undeprecate',
]

const staleOf = (db: Database) => db.read.$count(projects, eq(projects.summaryGeneration, 0))

onBothEngines('summaries of projects', (makeDb) => {
  test('lists, counts and facets are those of the versions after every step', async () => {
    const done = new Set<string>()
    const property = fc.asyncProperty(
      fc.noShrink(fc.array(fc.tuple(step, asked), { minLength: 10, maxLength: 20, size: 'max' })),
      async (history) => {
        const db = await makeDb()
        const world = await openPetsProject(db)
        try {
          for (const [one, question] of history) {
            if (await take(world, db, one)) done.add(one.kind)
            // Every change of the service makes the summary in its own transaction.
            if (one.kind !== 'earlier program') expect(await staleOf(db)).toBe(0)
            expect(await listed(world, question)).toEqual(await slowly(db, question))
            expect(await listed(world, { ...question, filter: {}, q: '' })).toEqual(
              await slowly(db, { ...question, filter: {}, q: '' }),
            )
          }
        } finally {
          await world.service.stop()
        }
      },
    )
    await fc.assert(property, {
      numRuns: isFull ? 30 : 5,
      examples: [[whole.map((one): [Step, ListQuestion] => [one, all])]],
    })
    expect([...done].toSorted()).toEqual(kinds)
  })

  test('a project is right before its summary is made, also one by one', async () => {
    const db = await makeDb()
    const world = await openPetsProject(db)
    await world.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
    const made = await world.send('GET', `${base}/pets`)
    await db.inTransaction((tx) => tx.update(versions).set({ label: '1.5.0' }))
    expect(await staleOf(db)).toBe(1)
    const answer = (await world.send('GET', `${base}/pets`)).value
    expect(answer).toEqual({
      ...made.value,
      latest_version: {
        ...(made.value['latest_version'] as object),
        label: '1.5.0',
      },
    })
    expect(await staleOf(db)).toBe(1)
    await summarizeStale(db, null)
    expect(await staleOf(db)).toBe(0)
    await world.service.stop()
  })

  test('two transactions that change one project at a time leave the summary of both', async () => {
    const db = await makeDb()
    const world = await openPetsProject(db)
    const labels = ['1.0.0', '1.1.0', '1.2.0', '1.3.0']
    await Promise.all(labels.map((one) => world.send('POST', '', { label: one, content: petsYaml(one) })))
    await Promise.all(
      labels.map((one) =>
        world.send('POST', `/${one}/publish`, { visibility: 'private', force: true, force_reason: 'x' }),
      ),
    )
    const { value } = await world.send('GET', `${base}/pets`)
    expect(await staleOf(db)).toBe(0)
    expect([value['versions_count'], value['published_versions_count']]).toEqual([4, 4])
    expect((value['latest_version'] as { label: string }).label).toBe('1.3.0')
    await world.service.stop()
  })
})

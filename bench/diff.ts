/** Comparisons of revisions by the executable in a cold process, against `@redocly/cli diff` and oasdiff; and warm, as in a server. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../db/open.ts'
import { createService } from '../server/app.ts'
import { asLocalOwner } from '../server/auth/local-owner.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import { diffApi } from '../src/api/diff.ts'
import { projectsApi } from '../src/api/projects.ts'
import { versionsApi } from '../src/api/versions.ts'
import { diff } from '../src/diff/diff.ts'
import { parseDocument } from '../src/document/parse.ts'
import { largeYaml, packedDocument } from './large-document.ts'
import { binary, cacheFolder, freshFolder, measureCommand, median, root, type Measurement } from './measure.ts'
import { goTool, npmTool, within } from './tools.ts'

const runs = 5
const limitMs = 120_000
const ends = [0, 1]

interface Pair {
  readonly name: string
  readonly base: string
  readonly head: string
  readonly goals: { readonly ms: number; readonly mb: number }
}

/** A file beside another one in the cache, with every n-th place of it that fits replaced. */
async function touched(path: string, from: RegExp, to: string, nth = 1): Promise<string> {
  const folder = join(cacheFolder, 'pair')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `touched-${path.split('/').at(-1) ?? ''}`)
  if (existsSync(file)) return file
  let found = 0
  const text = await Bun.file(path).text()
  writeFileSync(
    file,
    text.replaceAll(from, (whole) => (found++ % nth === 0 ? to : whole)),
  )
  return file
}

/** Small, and two large ones: SVC_BENCH_YAML and SVC_BENCH_YAML_HEAD name the files of the one in YAML. */
async function pairs(): Promise<readonly Pair[]> {
  const small = join(root, 'node_modules/@readme/oas-examples/3.0/json/petstore.json')
  const yaml = await largeYaml()
  const head = process.env.SVC_BENCH_YAML_HEAD || (await touched(yaml, /maxLength: \d+/g, 'maxLength: 17', 100))
  return [
    {
      name: '20 kB',
      base: small,
      head: await touched(small, /"format": "int64"/g, '"format": "int32"'),
      goals: { ms: 60, mb: 100 },
    },
    { name: 'YAML of 4.2 MB', base: yaml, head, goals: { ms: 1500, mb: 300 } },
    {
      name: '11 → 13 MB, GitHub',
      base: packedDocument('16.0.0'),
      head: packedDocument('23.0.2'),
      goals: { ms: 3000, mb: 400 },
    },
  ]
}

/** The other tools that are available, each with its command line. oasdiff can take all memory of a machine: 6 GB have to do. */
function others(): Readonly<Record<string, (base: string, head: string) => readonly string[]>> {
  const redocly = npmTool('@redocly/cli', '2.77.0', 'redocly')
  // The last version whose modules the proxy has.
  const oasdiff = goTool('github.com/oasdiff/oasdiff', 'v1.27.0')
  return {
    ...(redocly === null ? {} : { '@redocly/cli diff': (base, head) => [redocly, 'diff', base, head] }),
    ...(oasdiff === null ? {} : { oasdiff: (base, head) => within(6, [oasdiff, 'changelog', base, head]) }),
  }
}

function cold({ name, base, head, goals }: Pair): Measurement[] {
  const ours = measureCommand([binary, 'diff', base, head, '--json'], { runs, limitMs, ends })
  if (ours === null) throw new Error(`svc diff failed on ${name}`)
  const time = { name: `comparison of ${name}`, ours: ours.ms, unit: 'ms' as const }
  const memory = { name: 'memory of it', ours: ours.mb, unit: 'MB' as const }
  return [
    { ...time, reference: goals.ms, referenceName: 'the bound', goal: `≤ ${goals.ms} ms` },
    { ...memory, reference: goals.mb, referenceName: 'the bound', goal: `≤ ${goals.mb} MB` },
    ...Object.entries(others()).flatMap(([referenceName, command]) => {
      const reference = measureCommand(command(base, head), { runs, limitMs, ends })
      if (reference === null) return []
      return [
        { ...time, reference: reference.ms, referenceName, goal: '≤ 0.7' },
        { ...memory, reference: reference.mb, referenceName, goal: 'less' },
      ]
    }),
  ]
}

/** A classified diff of two stored versions that was asked before: what a server answers from memory. */
async function warm(): Promise<Measurement> {
  const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder('diff'), 'svc.db') })
  const local = await ensureLocalTenant(db, Date.now())
  const service = createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => console.error(fault) })
  const call = service.callAs(local.ownerId)
  const params = { tenant_slug: local.slug }
  await call(projectsApi.create, { params, body: { name: 'Compared', slug: 'compared' } })
  for (const [label, version] of [
    ['1.0.0', '16.0.0'],
    ['2.0.0', '23.0.2'],
  ] as const) {
    const content = await Bun.file(packedDocument(version)).text()
    await call(versionsApi.create, { params: { ...params, project_ref: 'compared' }, body: { label, content } })
  }
  const body = JSON.stringify({
    base: { project: 'compared', version: '1.0.0' },
    head: { project: 'compared', version: '2.0.0' },
  })
  const times: number[] = []
  for (let run = 0; run < 21; run++) {
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    const address = `http://localhost${diffApi.classified.path.replace('{tenant_slug}', local.slug)}`
    const begun = performance.now()
    const answer = await service.handle(asLocalOwner(new Request(address, init), local.ownerId))
    await answer.arrayBuffer()
    times.push(performance.now() - begun)
    if (answer.status !== 200) throw new Error(`the diff answered ${answer.status}`)
  }
  await service.stop()
  await db.close()
  return {
    name: 'classified diff of 11 → 13 MB that was asked before, in a server',
    ours: median(times.slice(1)),
    reference: 5,
    referenceName: 'the bound',
    unit: 'ms',
    goal: '≤ 5 ms',
  }
}

// A revision of one API: each adds an operation and a field, and now and then takes one away.
const revision = (at: number): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Revised', version: `1.${at}.0` },
    paths: Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `/things/${(at % 7) + n}`,
        {
          get: {
            operationId: `get${(at % 7) + n}`,
            responses: { 200: { description: 'A thing', content: { 'application/json': { schema: thing(at + n) } } } },
          },
        },
      ]),
    ),
  })

const thing = (at: number) => ({
  type: 'object',
  required: at % 5 === 0 ? ['id'] : [],
  properties: { id: { type: 'string', maxLength: 10 + (at % 3) }, [`field${at % 11}`]: { type: 'integer' } },
})

/** Milliseconds of comparing so many revisions, each with the one before. */
function consecutive(count: number): number {
  const begun = performance.now()
  let before = parseDocument(revision(0), { source: 'api.json' })
  for (let at = 1; at <= count; at++) {
    const document = parseDocument(revision(at), { source: 'api.json' })
    diff(before, document, { asOf: '2026-01-01' })
    before = document
  }
  return performance.now() - begun
}

function linear(): Measurement {
  consecutive(100)
  const quarter = consecutive(250)
  return {
    name: '1,000 consecutive revisions of one API',
    ours: consecutive(1000),
    reference: quarter * 4,
    referenceName: 'four times what 250 take',
    unit: 'ms',
    goal: '≤ 1.2: linear',
  }
}

/** Time and memory of comparisons, against whatever tool is available. */
export async function diffs(): Promise<readonly Measurement[]> {
  return [...(await pairs()).flatMap(cold), await warm(), linear()]
}

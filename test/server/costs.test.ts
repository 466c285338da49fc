/**
 * What every operation that reads costs at the largest input that its contract allows, in a workspace that is not small: none keeps
 * others waiting, none fails, and none answers much more than was recorded (`bench/costs.json`; `UPDATE_COSTS=1` records).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { onBothEngines } from '../fixtures/engines.ts'
import { makeOneOfEach } from '../fixtures/one-of-each.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../fixtures/pets-project.ts'
import { type DescribedWrites, idsOf, worstWrites } from '../fixtures/worst-bodies.ts'
import { measureCosts, worstReads, type Cost } from '../fixtures/worst-inputs.ts'

const recorded = join(import.meta.dir, '../../bench/costs.json')
const versions = 15
const types = 30

type Recorded = Readonly<Record<string, Omit<Cost, 'operation' | 'stallMs' | 'status'>>>

/** What no cost is measured of, by feature or operation: what it needs is not made over HTTP alone, and other tests bound it. */
const unmeasured: Readonly<Record<string, string>> = {
  'agent-keys': 'their keys are made by people in a browser',
  bin: 'an entry is what a deletion leaves',
  bindings: 'a repository at a git provider',
  'gateway.apply-approval': 'a change that somebody else asked for',
  invitations: 'people invite',
  'linked-accounts': 'an account at a git provider',
  'mcp-keys': 'people make them',
  'mcp-registry': 'a server that a person approved',
  members: 'people change members',
  'notification-targets': 'people choose them',
  releases: 'a gateway that asks',
  repositories: 'a repository at a git provider',
  'repository-hooks': 'a repository at a git provider',
  'role-rules': 'people write rules',
  reviews: 'a person whose review is asked for',
  'scim-tokens': 'people make them',
  'service.root': 'it redirects',
  'tenants.get.head': 'it is GET without its body',
  'project-access': 'people give roles',
  teams: 'people make them',
  trusts: 'people trust pipelines',
  'versions.lineage': 'an earlier content of a draft',
}

const paths = `{ ${Array.from({ length: 100 }, (_, at) => `/p${at}: { get: { summary: Pet ${at}, responses: { '200': { description: ok } } } }`).join(', ')} }`

onBothEngines('costs', (makeDb) => {
  let it: PetsProject
  let costs: readonly Cost[] = []
  let missing: readonly string[] = []

  beforeAll(async () => {
    it = await openPetsProject(await makeDb(), { analysis: { processes: 2, deadlineMs: 20_000, memoryMb: 512 } })
    const made: string[] = []
    for (let at = 0; at < versions; at++) {
      const { value } = await it.send('POST', '', { label: `1.${at}.0`, content: petsYaml(`1.${at}.0`, paths) })
      made.push(String(value['slug']))
    }
    for (let at = 0; at < types; at++)
      await it.send('POST', '/v1/primitives/local', { namespace: 'n', name: `T${at}`, schema: { type: 'string' } })
    const { value: api } = await it.send('GET', '/v1/openapi.json')
    const known = {
      ...(await makeOneOfEach(it)),
      version_ref: made[0] ?? '',
      version_slug: made[0] ?? '',
      'threads/version_ref': '2.0.0',
    }
    const reads = worstReads(api as unknown as Parameters<typeof worstReads>[0], known)
    const measured = new Set([
      ...reads.keys(),
      ...worstWrites(api as unknown as DescribedWrites, known, 'words').keys(),
    ])
    missing = idsOf(api as unknown as DescribedWrites).filter((id) => !measured.has(id))
    costs = await measureCosts(reads, (address) => it.send('GET', address))
  }, 240_000)
  afterAll(() => it.service.stop())

  test('what is measured neither here nor among those that write is listed', () => {
    const [featureOf, listed] = [(id: string) => id.split('.')[0] ?? '', Object.keys(unmeasured)]
    expect(missing.filter((id) => !listed.includes(id) && !listed.includes(featureOf(id)))).toEqual([])
    expect(listed.filter((one) => !missing.some((id) => one === id || one === featureOf(id)))).toEqual([])
  })

  test('most operations that read are measured, and none fails', () => {
    expect(costs.length).toBeGreaterThan(140)
    expect(
      costs.filter(({ status }) => status >= 500).map(({ operation, status }) => `${operation} ${status}`),
    ).toEqual([])
  })

  test('none computes for more than 200 ms without giving others their turn', () => {
    const slow = costs.filter(({ stallMs }) => stallMs > 0)
    expect(slow.map(({ operation, stallMs }) => `${operation} ${stallMs} ms`)).toEqual([])
  })

  test('none answers much more than was recorded', async () => {
    if (process.env['UPDATE_COSTS'] === '1') {
      const now: Recorded = Object.fromEntries(
        costs.map(({ operation, bytes, rows, ms, cpuMs, residentMb }) => [
          operation,
          { bytes, rows, ms, cpuMs, residentMb },
        ]),
      )
      await Bun.write(recorded, `${JSON.stringify(now, null, 2)}\n`)
    }
    const before = (await Bun.file(recorded).json()) as Recorded
    const grown = costs.filter(({ operation, bytes, rows }) => {
      const was = before[operation]
      return was === undefined || bytes > was.bytes * 2 + 10_000 || rows > was.rows * 2 + 100
    })
    expect(grown.map(({ operation, bytes, rows }) => `${operation}: ${bytes} bytes, ${rows} rows`)).toEqual([])
  })
})

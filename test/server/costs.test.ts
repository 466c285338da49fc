/**
 * What every operation that reads costs at the largest input that its contract allows, in a workspace that is not small: none keeps
 * others waiting, none fails, and none answers much more than was recorded (`bench/costs.json`; `UPDATE_COSTS=1` records).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { onBothEngines } from '../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../fixtures/pets-project.ts'
import { measureCosts, worstReads, type Cost } from '../fixtures/worst-inputs.ts'

const recorded = join(import.meta.dir, '../../bench/costs.json')
const versions = 15
const types = 30

type Recorded = Readonly<Record<string, Omit<Cost, 'operation' | 'stallMs' | 'status'>>>

const paths = `{ ${Array.from({ length: 100 }, (_, at) => `/p${at}: { get: { summary: Pet ${at}, responses: { '200': { description: ok } } } }`).join(', ')} }`

onBothEngines('costs', (makeDb) => {
  let it: PetsProject
  let costs: readonly Cost[] = []

  beforeAll(async () => {
    it = await openPetsProject(await makeDb(), { analysis: { processes: 2, deadlineMs: 20_000, memoryMb: 512 } })
    const made: string[] = []
    for (let at = 0; at < versions; at++) {
      const { value } = await it.send('POST', '', { label: `1.${at}.0`, content: petsYaml(`1.${at}.0`, paths) })
      made.push(String(value['slug']))
    }
    for (let at = 0; at < types; at++)
      await it.send('POST', '/v1/primitives/local', { namespace: 'n', name: `T${at}`, schema: { type: 'string' } })
    const { value: guide } = await it.send('POST', '/v1/style-guides/local', { name: 'Own' })
    const { value: api } = await it.send('GET', '/v1/openapi.json')
    const known = {
      tenant_slug: 'local',
      project_ref: 'pets',
      project_slug: 'pets',
      version_ref: made[0] ?? '',
      version_slug: made[0] ?? '',
      guide_id: String(guide['id']),
      class_name: 'Pet',
      badge_kind: 'grade.svg',
    }
    const reads = worstReads(api as unknown as Parameters<typeof worstReads>[0], known)
    costs = await measureCosts(reads, (address) => it.send('GET', address))
  }, 240_000)
  afterAll(() => it.service.stop())

  test('most operations that read are measured, and none fails', () => {
    expect(costs.length).toBeGreaterThan(90)
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

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { AnalysisPool } from '../../../server/analysis/pool.ts'
import { subjectOf } from '../../../server/analysis/subject.ts'
import { recommendedGuide } from '../../../server/guide-rules/guide.ts'
import { showCaches } from '../../../server/operations/caches.ts'
import { createMetrics } from '../../../server/operations/metrics.ts'
import { SizedCache } from '../../../src/kernel/sized-cache.ts'
import { petsYaml } from '../../fixtures/pets-project.ts'

let pool: AnalysisPool
beforeAll(() => void (pool = new AnalysisPool({ processes: 2, deadlineMs: 60_000, memoryMb: 1000 })))
afterAll(() => pool.stop())

const look = (n: number) => {
  const text = new TextEncoder().encode(petsYaml(`${n}.0.0`))
  const about = { tenantId: 't', digest: `d${n}`, bytes: () => Promise.resolve(text), size: text.length }
  const subject = subjectOf({ ...about, source: 'pets.yaml', format: 'auto', syntax: 'yaml' })
  return pool.run('t', { name: 'look', input: { guide: recommendedGuide, wantsText: false }, subjects: [subject] })
}

const gauges = async (): Promise<Record<string, number>> => {
  const metrics = await createMetrics('0.0.0')
  showCaches(metrics, () => pool.load())
  const lines = (await metrics.text()).matchAll(/^(svc_(?:cache|analysis)_\S+) (\S+)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value]) => [name, Number(value)]))
}

test('the metrics show the caches of this process and of those that analyse documents', async () => {
  const own = new SizedCache<string>(10, 'of_caches_test')
  own.set('a', 'A', 4)
  const before = await gauges()
  // Other services of this process may have been asked before.
  const readings = before['svc_cache_entries{cache="analysis_readings"}'] ?? 0
  expect(before['svc_cache_size{cache="of_caches_test"}']).toBe(4)
  expect(before['svc_cache_limit{cache="of_caches_test"}']).toBe(10)
  expect(Object.keys(before).filter((name) => name.includes('"analysis_texts"'))).toEqual([])
  expect(before['svc_analysis_processes{state="working"}']).toBe(0)
  await look(1)
  await look(2)
  const after = await gauges()
  const bytes = petsYaml('1.0.0').length
  expect([
    after['svc_cache_entries{cache="analysis_texts"}'],
    after['svc_cache_size{cache="analysis_texts"}'],
    after['svc_cache_limit{cache="analysis_texts"}'],
    (after['svc_cache_entries{cache="analysis_readings"}'] ?? 0) - readings,
    after['svc_analysis_processes{state="idle"}'],
    after['svc_analysis_processes{state="working"}'],
    after['svc_analysis_waiting'],
  ]).toEqual([2, 2 * bytes, 64 * 1024 * 1024, 2, 1, 0, 0])
  // It is used until here, or would not be shown.
  expect(own.fill).toEqual({ entries: 1, size: 4, limit: 10 })
  if (process.platform === 'linux') expect(after['svc_analysis_memory_bytes']).toBeGreaterThan(10_000_000)
})

test('the caches of a process go with it', async () => {
  await look(3)
  expect((await pool.load()).caches.get('analysis_texts')?.entries).toBeGreaterThan(0)
  pool.stop()
  expect(await pool.load()).toMatchObject({ caches: new Map(), memoryBytes: 0, idle: 0 })
})

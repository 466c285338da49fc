import type { PoolLoad } from '../analysis/door.ts'
import { addFills, cacheFills, type CacheFill } from '../../src/kernel/sized-cache.ts'
import type { Metrics } from './metrics.ts'

/**
 * Shows in the metrics how full each cache is and how full it may become, those of the analysis processes too, and how
 * much these processes have to do.
 * @param load of the analysis processes; null where there are none
 */
export function showCaches(metrics: Metrics, load: () => Promise<PoolLoad | null>): void {
  const show = (name: string, help: string, of: (fill: CacheFill) => number): void =>
    metrics.gauge(name, help, 'cache', async () => {
      const fills = addFills([...cacheFills(), ...((await load())?.caches ?? [])])
      return new Map([...fills].map(([cache, fill]) => [cache, of(fill)]))
    })
  show('svc_cache_entries', 'Entries of a cache.', (fill) => fill.entries)
  show('svc_cache_size', 'Size of a cache, in its unit: bytes, characters, changes, entries.', (fill) => fill.size)
  show('svc_cache_limit', 'The most that a cache holds, in its unit.', (fill) => fill.limit)
  metrics.gauge('svc_analysis_processes', 'Analysis processes.', 'state', async () => {
    const now = await load()
    return new Map(now === null ? [] : [['working', now.working] as const, ['idle', now.idle] as const])
  })
  const showOne = (name: string, help: string, of: (now: PoolLoad) => number): void =>
    metrics.gauge(name, help, null, async () => {
      const now = await load()
      return new Map(now === null ? [] : [['', of(now)]])
    })
  showOne('svc_analysis_waiting', 'Tasks that wait for an analysis process.', (now) => now.waiting)
  showOne(
    'svc_analysis_memory_bytes',
    'Resident memory of all analysis processes in bytes; 0 where the system does not say.',
    (now) => now.memoryBytes,
  )
}

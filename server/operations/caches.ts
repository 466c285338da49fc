import { cacheFills, type CacheFill } from '../sized-cache.ts'
import type { Metrics } from './metrics.ts'

/** Shows in the metrics how full each cache of the process is, and how full it may become. */
export function showCaches(metrics: Metrics): void {
  const show = (name: string, help: string, of: (fill: CacheFill) => number): void =>
    metrics.gauge(name, help, 'cache', async () => new Map([...cacheFills()].map(([cache, fill]) => [cache, of(fill)])))
  show('svc_cache_entries', 'Entries of a cache.', (fill) => fill.entries)
  show('svc_cache_size', 'Size of a cache, in its unit: bytes, characters, rows.', (fill) => fill.size)
  show('svc_cache_limit', 'The most that a cache holds, in its unit.', (fill) => fill.limit)
}

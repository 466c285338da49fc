/** docs/reference/metrics.md from the metrics that a process answers. */
import { showBacklog } from '../../server/operations/backlog.ts'
import { showCaches } from '../../server/operations/caches.ts'
import { showStorage } from '../../server/operations/storage.ts'
import { showServers } from '../../server/mcp-servers/metrics.ts'
import { createMetrics } from '../../server/operations/metrics.ts'

export default async (): Promise<Record<string, string>> => {
  const metrics = await createMetrics('0.0.0')
  showCaches(metrics, () => Promise.resolve(null))
  showServers(metrics, () => Promise.resolve(new Map()))
  showBacklog(metrics, () => Promise.resolve(null))
  showStorage(metrics, { poolSize: null, folder: null })
  const text = await metrics.text()
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  const rows = [...text.matchAll(/^# HELP (\S+) (.+)$/gm)].map(
    ([, name = '', help = '']) => `| \`${name}\` | ${types.get(name) ?? ''} | ${help} |`,
  )
  return {
    'docs/reference/metrics.md': [
      '# Metrics',
      '',
      '`GET /metrics` answers these in the Prometheus text format. [Metrics, logs and traces](../guides/observe.md) says how to',
      'collect them.',
      '',
      '| Metric | Type | Meaning |',
      '|---|---|---|',
      ...rows.toSorted(),
      '',
    ].join('\n'),
  }
}

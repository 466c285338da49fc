/** Alerts and the dashboard ask for metrics that there are, and every alert says what to do. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '../../..')
const read = (path: string): Promise<string> => Bun.file(join(root, path)).text()

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

/** The metrics of the reference, a histogram by the name of each of its series. */
async function known(): Promise<ReadonlySet<string>> {
  const rows = (await read('docs/reference/metrics.md')).matchAll(/^\| `(\w+)` \| (\w+) \|/gm)
  return new Set(
    [...rows].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['bucket', 'count', 'sum'].map((it) => `${name}_${it}`) : [name],
    ),
  )
}

const asked = (expr: string): string[] => expr.match(/\b(?:svc|process)_\w+/g) ?? []

const rules = async (): Promise<readonly Rule[]> => {
  const { groups } = Bun.YAML.parse(await read('deploy/prometheus/svc.rules.yml')) as {
    groups: { name: string; rules: Rule[] }[]
  }
  return groups.flatMap((it) => it.rules)
}

test('alerts ask for metrics of the reference', async () => {
  const names = await known()
  const all = await rules()
  expect(all.length).toBe(16)
  expect(all.flatMap(({ expr }) => asked(expr)).filter((it) => !names.has(it))).toEqual([])
})

test('each alert has its part in the guide', async () => {
  const anchors = [...(await read('docs/guides/observe.md')).matchAll(/^#{2,3} (.+)$/gm)].map(
    ([, title = '']) => `docs/guides/observe.md#${title.toLowerCase().replaceAll(' ', '-')}`,
  )
  const missing = (await rules()).filter(({ annotations }) => !anchors.includes(annotations.runbook))
  expect(missing.map(({ alert, annotations }) => [alert, annotations.runbook])).toEqual([])
  for (const { alert, labels, annotations } of await rules()) {
    expect([alert, /^Svc[A-Z]\w+$/.test(alert)]).toEqual([alert, true])
    expect([alert, ['critical', 'warning'].includes(labels.severity)]).toEqual([alert, true])
    expect([alert, annotations.summary.length > 10]).toEqual([alert, true])
  }
})

test('the dashboard asks for metrics of the reference, and shows all but those of the process itself', async () => {
  const { panels } = JSON.parse(await read('deploy/grafana/svc.json')) as {
    panels: { id: number; title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[]
  }
  const names = await known()
  const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => asked(expr))))
  expect([...shown].filter((it) => !names.has(it))).toEqual([])
  const places = panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)
  expect([new Set(panels.map((it) => it.id)).size, new Set(places).size]).toEqual([panels.length, panels.length])
  const left = [...names].filter((it) => !shown.has(it) && !/_(?:count|sum)$/.test(it))
  expect(left.toSorted()).toEqual([
    'process_start_time_seconds',
    'svc_build_info',
    'svc_cache_entries',
    'svc_due_work_waiting',
    'svc_event_loop_stalled_seconds_total',
    'svc_external_memory_bytes',
    'svc_heap_size_bytes',
    'svc_jobs_running',
    'svc_outbox_waiting',
  ])
})

/** Alerts and the dashboard ask for metrics that there are, and every alert says what to do. */
import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chartEntries } from '../../../scripts/release/chart.ts'
import { identity } from '../../fixtures/release.ts'
import { parseRoles } from '../../../server/settings/roles.ts'
import { settings } from '../../../server/settings/settings.ts'

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

// Of the storage and of one-machine settings too: what a unit, a container or a chart sets must be a setting.
const knownSettings = new Set(Object.values(settings).map(({ env }) => env))
const settingsIn = (text: string): string[] => [...new Set(text.match(/\bSVC_[A-Z_]+\b/g) ?? [])]

test('units, containers and the chart set settings that there are', async () => {
  const files = await Array.fromAsync(new Bun.Glob('deploy/{systemd,compose,helm}/**/*').scan(root))
  expect(files.length).toBeGreaterThan(6)
  for (const file of files)
    expect([file, settingsIn(await read(file)).filter((it) => !knownSettings.has(it))]).toEqual([file, []])
})

test('roles of the containers are roles', async () => {
  const { services } = Bun.YAML.parse(await read('deploy/compose/compose.yaml')) as {
    services: Record<string, { readonly command?: readonly string[] }>
  }
  expect(Object.entries(services).map(([name, { command = [] }]) => [name, command])).toEqual([
    ['web', ['serve', '--roles', 'web,gateway']],
    ['worker', ['worker']],
    ['db', []],
  ])
  expect([...(parseRoles('web,gateway') ?? [])]).toEqual(['web', 'gateway'])
})

// The exposure that systemd computes, on a scale to 10; it needs no running manager.
test.skipIf(Bun.which('systemd-analyze') === null)('units are closed but for what the service needs', () => {
  for (const unit of ['svc.service', 'svc-worker@.service']) {
    const { exitCode, stdout } = Bun.spawnSync(
      [
        'systemd-analyze',
        'security',
        '--offline=true',
        '--no-pager',
        '--threshold=25',
        join(root, 'deploy/systemd', unit),
      ],
      { stdout: 'pipe', stderr: 'pipe' },
    )
    expect([unit, exitCode, stdout.toString().includes('Overall exposure')]).toEqual([unit, 0, true])
  }
})

test.skipIf(Bun.which('helm') === null)(
  'the chart renders processes by role, with probes, budgets and a policy',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-chart-'))
    for (const { path, content } of await chartEntries({ ...identity, image: 'registry.example.com/svc' })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content ?? '')
    }
    const render = (...values: string[]) => {
      const all = ['publicUrl=https://svc.example.com', ...values]
      const { exitCode, stdout, stderr } = Bun.spawnSync(
        ['helm', 'template', 'svc', join(folder, 'svc'), ...all.flatMap((it) => ['--set', it])],
        { stdout: 'pipe', stderr: 'pipe' },
      )
      expect([exitCode, stderr.toString()]).toEqual([0, ''])
      const parts = stdout
        .toString()
        .split(/^---$/m)
        .filter((text) => text.includes('kind:'))
      return parts.map((text) => {
        const it = Bun.YAML.parse(text) as { kind: string; metadata: { name: string } }
        const roles = /SVC_ROLES, value: "?([\w,]+)/.exec(text)?.[1]
        return [it.kind, it.metadata.name, ...(roles === undefined ? [] : [roles])].join(' ')
      })
    }
    const one = ['Deployment svc web,worker,gateway', 'NetworkPolicy svc', 'PersistentVolumeClaim svc', 'Service svc']
    expect(render().toSorted()).toEqual(one)
    const values = ['existingSecret=svc', 'replicas=2', 'workers=3', 'gateways=1', 'storageUrl=s3://docs/svc']
    expect(render(...values, 'ingress.enabled=true', 'ingress.host=svc.example.com').toSorted()).toEqual([
      'Deployment svc web',
      'Deployment svc-gateway gateway',
      'Deployment svc-worker worker',
      'Ingress svc',
      'NetworkPolicy svc',
      'PodDisruptionBudget svc',
      'PodDisruptionBudget svc-gateway',
      'PodDisruptionBudget svc-worker',
      'Service svc',
      'Service svc-gateway',
    ])
    rmSync(folder, { recursive: true })
  },
)

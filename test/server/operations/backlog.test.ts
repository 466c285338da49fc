/** What waits and fails is counted over all organizations, on both engines, and shown in the metrics. */
import { beforeAll, expect, test } from 'bun:test'
import type { Database } from '../../../db/database.ts'
import {
  dueWork,
  environments,
  gatewayEnforcers,
  jobs,
  outboxEvents,
  outboxTasks,
  repositories,
  webhookDeliveries,
  webhookSubscriptions,
} from '../../../db/tables.gen.ts'
import { readBacklog, showBacklog } from '../../../server/operations/backlog.ts'
import { createMetrics } from '../../../server/operations/metrics.ts'
import { addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString()

onBothEngines('backlog', (makeDb) => {
  let db: Database
  let tenantId = ''
  beforeAll(async () => {
    db = await makeDb()
    tenantId = await addTenant(db, 'waiting', 'team')
  })

  const job = (id: string, kind: string, status: 'queued' | 'running' | 'failed', seconds: number) => ({
    id,
    tenantId,
    kind,
    status,
    phase: null,
    progressDone: 0,
    progressTotal: 0,
    payload: {},
    attempts: 0,
    runAfter: ago(seconds),
    createdAt: ago(900),
  })
  const delivery = (
    id: string,
    status: 'pending' | 'retrying' | 'delivered' | 'dead_letter',
    dueAt: string | null,
  ) => ({
    id,
    tenantId,
    subscriptionId: 'hook',
    eventId: id,
    eventType: 'version.published',
    status,
    body: '{}',
    attemptCount: 1,
    scheduledFrom: 0,
    dueAt,
    createdAt: ago(900),
    updatedAt: ago(900),
  })
  const hook = (id: string, active: boolean) => ({
    id,
    tenantId,
    url: `https://hooks.example.com/${id}`,
    urlKey: id,
    active,
    secretId: 's',
    secretRef: 'whsec:s',
    failures: 0,
    createdAt: ago(900),
    updatedAt: ago(900),
  })
  const repository = (id: string, failures: number) => ({
    id,
    tenantId,
    provider: 'github' as const,
    host: 'git.example.com',
    source: 'public_url' as const,
    fullName: `acme/${id}`,
    cloneUrl: `https://git.example.com/acme/${id}.git`,
    isPrivate: false,
    autoRefreshEnabled: true,
    conflictPolicy: 'overwrite' as const,
    healthReasons: [],
    branchesIndexed: 1,
    filesIndexed: 1,
    failures,
    createdAt: ago(900),
    updatedAt: ago(900),
  })
  const gateway = (id: string, lastSeenAt: string | null, reportedState: 'active' | 'failed' | null) => ({
    id,
    tenantId,
    environmentId: 'live',
    label: id,
    kind: 'coraza-caddy' as const,
    keyPrefix: 'svg_',
    keyHash: id,
    createdAt: ago(900),
    lastSeenAt,
    reportedState,
    capabilities: [],
  })

  const shown = async (): Promise<string[]> => {
    const metrics = await createMetrics('0.0.0')
    showBacklog(metrics, () => readBacklog(db, now))
    return (await metrics.text())
      .split('\n')
      .filter((it) => /^svc_(?:jobs_(?:running|waiting|oldest)|due|outbox|webhook|repos|gateways)/.test(it))
  }

  test('of an empty service, states are shown with none in them', async () => {
    expect(await shown()).toEqual([
      'svc_webhook_deliveries{state="pending"} 0',
      'svc_webhook_deliveries{state="delivering"} 0',
      'svc_webhook_deliveries{state="retrying"} 0',
      'svc_webhook_deliveries{state="dead_letter"} 0',
      'svc_webhook_oldest_seconds 0',
      'svc_webhook_subscriptions{state="active"} 0',
      'svc_webhook_subscriptions{state="off"} 0',
      'svc_repositories{state="failing"} 0',
      'svc_repositories{state="healthy"} 0',
      'svc_gateways{state="connected"} 0',
      'svc_gateways{state="failed"} 0',
      'svc_gateways{state="silent"} 0',
      'svc_gateways{state="never-seen"} 0',
    ])
  })

  test('what is due waits, what is planned or done does not', async () => {
    await db.inTransaction(async (tx) => {
      await tx
        .insert(jobs)
        .values([
          job('1', 'import', 'queued', 60),
          job('2', 'import', 'queued', 30),
          job('3', 'import', 'queued', -60),
          job('4', 'import', 'running', 90),
          job('5', 'relint', 'failed', 90),
        ])
      await tx.insert(dueWork).values([
        { kind: 'sweep', subjectId: 'service', dueAt: ago(5), failures: 0 },
        { kind: 'poll', subjectId: 'a', tenantId, dueAt: ago(-5), failures: 0 },
      ])
      await tx
        .insert(outboxEvents)
        .values({ id: 'e', tenantId, type: 'version.published', subjectId: 'v', payload: {}, createdAt: ago(12) })
      await tx.insert(outboxTasks).values([
        { eventId: 'e', reader: 'webhooks', dueAt: ago(12), attempts: 0 },
        { eventId: 'e', reader: 'notifications', dueAt: ago(-12), attempts: 1 },
      ])
      await tx.insert(webhookSubscriptions).values([hook('hook', true), hook('off', false)])
      await tx
        .insert(webhookDeliveries)
        .values([
          delivery('d1', 'pending', ago(20)),
          delivery('d2', 'retrying', ago(40)),
          delivery('d3', 'retrying', ago(-40)),
          delivery('d4', 'delivered', null),
          delivery('d5', 'dead_letter', null),
        ])
      await tx.insert(repositories).values([repository('sound', 0), repository('gone', 3)])
      await tx.insert(environments).values({
        id: 'live',
        tenantId,
        name: 'Live',
        slug: 'live',
        kind: 'production',
        projectIds: [],
        hostnames: [],
        basePaths: [],
        evidence: 'digest',
        approvalsRequired: false,
        approversMin: 1,
        policyVersion: 1,
        auditCount: 0,
        auditHash: '',
        createdAt: ago(900),
        updatedAt: ago(900),
      })
      await tx
        .insert(gatewayEnforcers)
        .values([
          gateway('g1', ago(10), 'active'),
          gateway('g2', ago(10), 'failed'),
          gateway('g3', ago(600), 'active'),
          gateway('g4', null, null),
        ])
    })
    expect(await shown()).toEqual([
      'svc_jobs_running{kind="import"} 1',
      'svc_jobs_waiting{kind="import"} 2',
      'svc_jobs_oldest_seconds{kind="import"} 60',
      'svc_due_work_waiting{kind="sweep"} 1',
      'svc_due_work_oldest_seconds{kind="sweep"} 5',
      'svc_outbox_waiting{reader="webhooks"} 1',
      'svc_outbox_oldest_seconds{reader="webhooks"} 12',
      'svc_webhook_deliveries{state="pending"} 1',
      'svc_webhook_deliveries{state="delivering"} 0',
      'svc_webhook_deliveries{state="retrying"} 2',
      'svc_webhook_deliveries{state="dead_letter"} 1',
      'svc_webhook_oldest_seconds 40',
      'svc_webhook_subscriptions{state="active"} 1',
      'svc_webhook_subscriptions{state="off"} 1',
      'svc_repositories{state="failing"} 1',
      'svc_repositories{state="healthy"} 1',
      'svc_gateways{state="connected"} 1',
      'svc_gateways{state="failed"} 1',
      'svc_gateways{state="silent"} 1',
      'svc_gateways{state="never-seen"} 1',
    ])
    expect((await readBacklog(db, now)).databaseBytes).toBeGreaterThan(100_000)
  })
})

test('a database that fails or does not answer keeps the other metrics from nobody', async () => {
  for (const read of [() => Promise.reject(new Error('gone')), () => new Promise<never>(() => {})]) {
    const metrics = await createMetrics('0.0.0')
    showBacklog(metrics, read, 20)
    const text = await metrics.text()
    expect(text.split('\n').filter((it) => /^svc_(?:jobs_waiting|gateways|database_size|build)/.test(it))).toEqual([
      'svc_build_info{version="0.0.0"} 1',
    ])
  }
})

/** The body of each event that features record, from what is recorded of it. */
import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
// Makes formats of schemas known.
import '../../../server/http/validation.ts'
import type { PublicEvent } from '../../../server/outbox/door.ts'
import { bodyOfEvent } from '../../../server/webhooks/event-body.ts'
import { type RecordedPayloads, recordedEventTypes, webhookEvents } from '../../../src/api/webhook-events.ts'

const links = { publicUrl: 'https://svc.example.com', tenant: 'acme' }
const at = '2026-11-20T10:15:00.000Z'
const version = {
  sequence: 7,
  project_id: 'p',
  project_slug: 'shop',
  version_id: 'v',
  label: '2.0.0 beta/1',
}
const shown = { sequence: 7, project_id: 'p', project_slug: 'shop', version_id: 'v', version_label: '2.0.0 beta/1' }
const urls = {
  version: 'https://svc.example.com/v1/tenants/acme/projects/shop/versions/v',
  application: 'https://svc.example.com/app/t/acme/shop/2.0.0%20beta%2F1',
}
const moved = {
  provider: 'github' as const,
  repository: 'acme/specs',
  ref: 'main',
  path: '',
  from_commit: 'a',
  to_commit: 'b',
  detected_by: 'poll' as const,
  selection_changed: true,
  max_severity: null,
  verdict: null,
  merge: null,
}
const imported = { import_id: 'i', bulk: false, source: 'api.yaml' }
const importUrls = { import: 'https://svc.example.com/v1/imports/i' }
const environment = { environment_id: 'e', environment_slug: 'production', environment_name: 'Production' }
const consumer = { consumer_id: 'c', consumer_handle: 'app', revision: 3 }
const surface = {
  endpoint_id: 's',
  name: 'weather',
  address: null,
  observed_by: 'cli' as const,
  from_fingerprint: 'f1',
  to_fingerprint: 'f2',
  approved_fingerprint: null,
  max_severity: 'breaking' as const,
  state: 'drifted',
}

type Case<T extends keyof RecordedPayloads> = readonly [type: T, payload: RecordedPayloads[T], data: object]
const one = <T extends keyof RecordedPayloads>(...it: Case<T>): Case<T> => it

const cases = [
  one(
    'version.published',
    {
      ...version,
      visibility: 'public',
      digest: 'sha256:1',
      baseline_version_id: 'b',
      baseline_label: '1.0.0',
      max_severity: 'breaking',
      counts: { breaking: 1, nonBreaking: 2, docsOnly: 3, unknown: 4 },
      forced: true,
      published_by: 'user:1',
      published_at: at,
    },
    {
      ...shown,
      visibility: 'public',
      digest: 'sha256:1',
      baseline_version_id: 'b',
      baseline_version_label: '1.0.0',
      max_severity: 'breaking',
      counts: { breaking: 1, non_breaking: 2, docs_only: 3, undecided: 4 },
      forced: true,
      published_by: 'user:1',
      published_at: at,
      urls,
    },
  ),
  one(
    'version.deprecated',
    { ...version, sunset_at: at, replacement: '3.0.0' },
    { ...shown, sunset_at: at, replacement: '3.0.0', urls },
  ),
  one('version.undeprecated', version, { ...shown, urls }),
  one('version.retired', version, { ...shown, urls }),
  one(
    'contract.revised',
    { ...consumer, sequence: 7, project_id: 'p', project_slug: 'shop', version_label: '1', unresolved: 2 },
    { ...consumer, sequence: 7, project_id: 'p', project_slug: 'shop', version_label: '1', unresolved: 2 },
  ),
  one(
    'contract.broken',
    { ...version, ...consumer, missing: 1, changes: 2 },
    { ...shown, ...consumer, missing: 1, changes: 2, urls },
  ),
  one(
    'import.completed',
    { ...version, ...imported, status: 'completed', unchanged: true, documents: null },
    { ...shown, ...imported, status: 'completed', unchanged: true, documents: null, urls: importUrls },
  ),
  one(
    'import.completed',
    {
      ...imported,
      bulk: true,
      status: 'completed_with_warnings',
      sequence: null,
      project_id: null,
      project_slug: null,
      version_id: null,
      label: null,
      unchanged: false,
      documents: { documents: 15, created: 1, updated: 2, unchanged: 3, blocked: 4, failed: 5 },
    },
    {
      ...imported,
      bulk: true,
      status: 'completed_with_warnings',
      sequence: null,
      project_id: null,
      project_slug: null,
      version_id: null,
      version_label: null,
      unchanged: false,
      documents: { created: 1, updated: 2, unchanged: 3, blocked: 4, failed: 5 },
      urls: importUrls,
    },
  ),
  one(
    'import.failed',
    { ...imported, status: 'blocked', error_code: null },
    { ...imported, status: 'blocked', error_code: null, urls: importUrls },
  ),
  one(
    'review.decided',
    {
      ...version,
      review_id: 'r',
      decision: 'approved',
      excerpt: 'Well done',
      requested_by: 'user:1',
      mentions: ['u'],
      by: 'user:2',
    },
    { ...shown, review_id: 'r', decision: 'approved', decided_by: 'user:2', requested_by: 'user:1', urls },
  ),
  one(
    'binding.candidate',
    { ...version, ...moved, binding_id: 'b', candidate_id: 'd', repository_id: null },
    {
      ...shown,
      ...moved,
      binding_id: 'b',
      candidate_id: 'd',
      repository_id: null,
      urls: { ...urls, waiting: `${urls.version}/binding` },
    },
  ),
  ...(['binding', 'import'] as const).map((kind) =>
    one(
      'repository.sync_candidate',
      { ...version, ...moved, kind, binding_id: null, candidate_id: null, repository_id: 'o' },
      {
        ...shown,
        ...moved,
        kind,
        binding_id: null,
        candidate_id: null,
        repository_id: 'o',
        urls: {
          ...urls,
          waiting:
            kind === 'binding' ? `${urls.version}/binding` : 'https://svc.example.com/v1/tenants/acme/repositories/o',
        },
      },
    ),
  ),
  one(
    'gateway.silent',
    { ...environment, enforcer_id: 'g', enforcer_label: 'edge', last_seen_at: at },
    {
      ...environment,
      enforcer_id: 'g',
      enforcer_label: 'edge',
      last_seen_at: at,
      urls: {
        environment: 'https://svc.example.com/v1/slate/environments/e',
        application: 'https://svc.example.com/app/t/acme/-/gateway/production/gateways',
      },
    },
  ),
  one(
    'gateway.release_failed',
    { ...environment, policy_version: 2, release_id: null, enforcer_id: null, enforcer_label: null, reason: 'no' },
    {
      ...environment,
      policy_version: 2,
      release_id: null,
      enforcer_id: null,
      enforcer_label: null,
      reason: 'no',
      urls: {
        environment: 'https://svc.example.com/v1/slate/environments/e',
        application: 'https://svc.example.com/app/t/acme/-/gateway/production/releases',
      },
    },
  ),
  one(
    'mcp.surface_changed',
    { ...surface, by: 'user:1' },
    {
      ...surface,
      urls: {
        endpoint: 'https://svc.example.com/v1/mcp/acme/endpoints/s',
        diff: 'https://svc.example.com/v1/mcp/acme/endpoints/s/surface-diff?from=f1&to=f2',
        application: 'https://svc.example.com/app/t/acme/-/mcp-servers/s',
      },
    },
  ),
]

test.each(cases)('the body of %s', (type, payload, data) => {
  const event = { id: '1', tenantId: '2', type, subjectId: '3', payload, createdAt: at } as PublicEvent
  const body = bodyOfEvent(event, links)
  expect(body as unknown).toEqual({ type, timestamp: at, data })
  expect(Value.Check(webhookEvents[type].schema, body)).toBe(true)
})

test('every event that is recorded is here', () => {
  expect([...new Set(cases.map(([type]) => type))].toSorted()).toEqual(recordedEventTypes.toSorted())
})

import type { Static } from '@sinclair/typebox'
import type { WebhookEventType, webhookEvents } from './webhook-events.ts'

const timestamp = '2026-11-20T10:15:00.000Z'
const ofProject = {
  sequence: 41,
  project_id: '01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37',
  project_slug: 'train-travel',
}
const ofVersion = {
  ...ofProject,
  version_id: '01980c60-11d2-7e0f-8a47-93b1c5d2e6f8',
  version_label: '2.0.0',
}
const urls = {
  version:
    'https://svc.example.com/v1/tenants/acme/projects/train-travel/versions/01980c60-11d2-7e0f-8a47-93b1c5d2e6f8',
  application: 'https://svc.example.com/app/t/acme/train-travel/2.0.0',
}

const ofImport = {
  import_id: '01980c64-2b3c-7d4e-9f5a-6b7c8d9e0f1a',
  bulk: false,
  source: 'https://example.com/openapi.yaml',
}
const importUrls = { import: 'https://svc.example.com/v1/imports/01980c64-2b3c-7d4e-9f5a-6b7c8d9e0f1a' }

const ofCandidate = {
  provider: 'github',
  repository: 'acme/specs',
  ref: 'main',
  path: 'train-travel/openapi.yaml',
  from_commit: '5c1f0a7d9b3e2f4a6c8d0e1f2a3b4c5d6e7f8091',
  to_commit: 'a94f2c7e1b5d3f6a8c0e2d4b6f8a1c3e5d7f9b02',
  detected_by: 'webhook',
  selection_changed: true,
  max_severity: 'breaking',
  verdict: 'breaking',
  merge: 'clean',
} as const

/** A body of each type of event, for documents and for people who write a receiver. */
export const webhookEventExamples: { readonly [T in WebhookEventType]: Static<(typeof webhookEvents)[T]> } = {
  'version.published': {
    type: 'version.published',
    timestamp,
    data: {
      ...ofVersion,
      visibility: 'private',
      digest: 'sha256:7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
      baseline_version_id: '01970b12-5c44-7d3a-b2e1-6f0c9a8d7b15',
      baseline_version_label: '1.4.0',
      max_severity: 'breaking',
      counts: { breaking: 2, non_breaking: 5, docs_only: 3, undecided: 0 },
      forced: false,
      published_by: 'user:01960a01-2b3c-7d4e-8f5a-0b1c2d3e4f5a',
      published_at: timestamp,
      urls,
    },
  },
  'version.deprecated': {
    type: 'version.deprecated',
    timestamp,
    data: { ...ofVersion, sunset_at: '2027-06-01T00:00:00.000Z', replacement: '3.0.0', urls },
  },
  'version.undeprecated': { type: 'version.undeprecated', timestamp, data: { ...ofVersion, urls } },
  'version.retired': { type: 'version.retired', timestamp, data: { ...ofVersion, urls } },
  'contract.revised': {
    type: 'contract.revised',
    timestamp,
    data: {
      ...ofProject,
      consumer_id: '01980c61-4e5f-7a6b-9c7d-8e9f0a1b2c3d',
      consumer_handle: 'ticket-app',
      revision: 3,
      version_label: '2.0.0',
      unresolved: 0,
    },
  },
  'contract.broken': {
    type: 'contract.broken',
    timestamp,
    data: {
      ...ofVersion,
      consumer_id: '01980c61-4e5f-7a6b-9c7d-8e9f0a1b2c3d',
      consumer_handle: 'ticket-app',
      revision: 3,
      missing: 1,
      changes: 2,
      urls,
    },
  },
  'import.completed': {
    type: 'import.completed',
    timestamp,
    data: {
      sequence: 41,
      ...ofImport,
      status: 'completed',
      project_id: ofVersion.project_id,
      project_slug: ofVersion.project_slug,
      version_id: ofVersion.version_id,
      version_label: ofVersion.version_label,
      unchanged: false,
      documents: null,
      urls: importUrls,
    },
  },
  'import.failed': {
    type: 'import.failed',
    timestamp,
    data: { ...ofImport, status: 'failed', error_code: 'document-invalid', urls: importUrls },
  },
  'review.decided': {
    type: 'review.decided',
    timestamp,
    data: {
      ...ofVersion,
      review_id: '01980c63-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
      decision: 'approved',
      decided_by: 'user:01960a01-2b3c-7d4e-8f5a-0b1c2d3e4f5a',
      requested_by: 'user:01960a02-3c4d-7e5f-9a6b-1c2d3e4f5a6b',
      urls,
    },
  },
  'binding.candidate': {
    type: 'binding.candidate',
    timestamp,
    data: {
      ...ofVersion,
      ...ofCandidate,
      binding_id: '01980c65-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
      candidate_id: '01980c66-4d5e-7f6a-9b7c-8d9e0f1a2b3c',
      repository_id: '01980c67-5e6f-7a7b-8c8d-9e0f1a2b3c4d',
      urls: { ...urls, waiting: `${urls.version}/binding` },
    },
  },
  'repository.sync_candidate': {
    type: 'repository.sync_candidate',
    timestamp,
    data: {
      ...ofVersion,
      ...ofCandidate,
      max_severity: null,
      verdict: null,
      merge: null,
      repository_id: '01980c67-5e6f-7a7b-8c8d-9e0f1a2b3c4d',
      kind: 'import',
      binding_id: null,
      candidate_id: null,
      urls: {
        ...urls,
        waiting: 'https://svc.example.com/v1/tenants/acme/repositories/01980c67-5e6f-7a7b-8c8d-9e0f1a2b3c4d',
      },
    },
  },
  'gateway.silent': {
    type: 'gateway.silent',
    timestamp,
    data: {
      environment_id: '01980c67-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
      environment_slug: 'production',
      environment_name: 'Production',
      enforcer_id: '01980c67-2b3c-7d4e-9f50-6b7c8d9e0f1a',
      enforcer_label: 'edge-1',
      last_seen_at: timestamp,
      urls: {
        environment: 'https://svc.example.com/v1/slate/environments/01980c67-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
        application: 'https://svc.example.com/app/t/acme/-/gateway/production/gateways',
      },
    },
  },
  'gateway.release_failed': {
    type: 'gateway.release_failed',
    timestamp,
    data: {
      environment_id: '01980c67-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
      environment_slug: 'production',
      environment_name: 'Production',
      policy_version: 12,
      release_id: '01980c67-3c4d-7e5f-a061-7c8d9e0f1a2b',
      enforcer_id: '01980c67-2b3c-7d4e-9f50-6b7c8d9e0f1a',
      enforcer_label: 'edge-1',
      reason: 'caddy validate: 30-rules.conf, line 12: unknown operator',
      urls: {
        environment: 'https://svc.example.com/v1/slate/environments/01980c67-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
        application: 'https://svc.example.com/app/t/acme/-/gateway/production/gateways',
      },
    },
  },
  'mcp.surface_changed': {
    type: 'mcp.surface_changed',
    timestamp,
    data: {
      endpoint_id: '01980c66-4d5e-7f6a-8b9c-0d1e2f3a4b5c',
      name: 'com.example/weather',
      address: 'https://mcp.example.com/weather',
      observed_by: 'service',
      from_fingerprint: 'sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      to_fingerprint: 'sha256:fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
      approved_fingerprint: 'sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      max_severity: 'breaking',
      state: 'drifted',
      urls: {
        endpoint: 'https://svc.example.com/v1/mcp/acme/endpoints/01980c66-4d5e-7f6a-8b9c-0d1e2f3a4b5c',
        diff: 'https://svc.example.com/v1/mcp/acme/endpoints/01980c66-4d5e-7f6a-8b9c-0d1e2f3a4b5c/surface-diff',
        application: 'https://svc.example.com/app/t/acme/-/mcp-servers/01980c66-4d5e-7f6a-8b9c-0d1e2f3a4b5c',
      },
    },
  },
  'webhook.test': {
    type: 'webhook.test',
    timestamp,
    data: { subscription_id: '01980c62-9a8b-7c6d-a5e4-f3b2c1d0e9f8', message: 'This is a test.' },
  },
}

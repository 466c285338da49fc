import type { WebhookEventBody } from '../../src/api/webhook-events.ts'
import type { PublicEvent } from '../outbox/door.ts'

/** What the payloads of events about a version have. */
type OfVersion = Extract<PublicEvent, { readonly type: 'version.retired' }>['payload']

type GatewayPayload = Extract<PublicEvent, { readonly type: `gateway.${string}` }>['payload']

/** The largest body: bodies are thin and lead to the rest by URLs. */
export const mostBodyBytes = 20_000

/**
 * The body of an event as receivers get it, by the declarations of src/api/webhook-events.ts.
 * @param place the public address of the service without a slash at the end, and the slug of the organization
 */
export function bodyOfEvent(
  event: PublicEvent,
  place: { readonly publicUrl: string; readonly tenant: string },
): WebhookEventBody {
  const { publicUrl, tenant } = place
  const timestamp = event.createdAt
  const urlsOf = (it: { readonly project_slug: string; readonly version_id: string; readonly label: string }) => ({
    version: `${publicUrl}/v1/tenants/${tenant}/projects/${it.project_slug}/versions/${it.version_id}`,
    application: `${publicUrl}/app/t/${tenant}/${it.project_slug}/${encodeURIComponent(it.label)}`,
  })
  const ofVersion = (version: OfVersion) => ({
    sequence: version.sequence,
    project_id: version.project_id,
    project_slug: version.project_slug,
    version_id: version.version_id,
    version_label: version.label,
  })
  const ofImport = (entry: { readonly import_id: string; readonly bulk: boolean; readonly source: string }) => ({
    import_id: entry.import_id,
    bulk: entry.bulk,
    source: entry.source,
    urls: { import: `${publicUrl}/v1/imports/${entry.import_id}` },
  })
  const urlsOfLane = (it: GatewayPayload) => ({
    environment: `${publicUrl}/v1/slate/environments/${it.environment_id}`,
    application: `${publicUrl}/app/t/${tenant}/-/gateway/${it.environment_slug}/${it.enforcer_id === null ? 'releases' : 'gateways'}`,
  })
  switch (event.type) {
    case 'version.published': {
      const { payload: it } = event
      const { breaking, nonBreaking, docsOnly, unknown } = it.counts
      const counts = { breaking, non_breaking: nonBreaking, docs_only: docsOnly, undecided: unknown }
      return {
        type: event.type,
        timestamp,
        data: {
          ...ofVersion(it),
          visibility: it.visibility,
          digest: it.digest,
          baseline_version_id: it.baseline_version_id,
          baseline_version_label: it.baseline_label,
          max_severity: it.max_severity,
          counts,
          forced: it.forced,
          published_by: it.published_by,
          published_at: it.published_at,
          urls: urlsOf(it),
        },
      }
    }
    case 'version.deprecated': {
      const { payload: it } = event
      const data = { ...ofVersion(it), sunset_at: it.sunset_at, replacement: it.replacement, urls: urlsOf(it) }
      return { type: event.type, timestamp, data }
    }
    case 'version.undeprecated':
      return { type: event.type, timestamp, data: { ...ofVersion(event.payload), urls: urlsOf(event.payload) } }
    case 'version.retired':
      return { type: event.type, timestamp, data: { ...ofVersion(event.payload), urls: urlsOf(event.payload) } }
    case 'contract.revised': {
      const { payload: it } = event
      const { sequence, project_id, project_slug, consumer_id, consumer_handle, revision, unresolved } = it
      const data = { sequence, project_id, project_slug, consumer_id, consumer_handle, revision, unresolved }
      return { type: event.type, timestamp, data: { ...data, version_label: it.version_label } }
    }
    case 'contract.broken': {
      const { payload: it } = event
      const { consumer_id, consumer_handle, revision, missing, changes } = it
      const data = { consumer_id, consumer_handle, revision, missing, changes, urls: urlsOf(it) }
      return { type: event.type, timestamp, data: { ...ofVersion(it), ...data } }
    }
    case 'import.completed': {
      const { sequence, status, project_id, project_slug, version_id, label, unchanged, documents } = event.payload
      const about = { sequence, project_id, project_slug, version_id, version_label: label }
      const counts =
        documents === null
          ? null
          : {
              created: documents.created,
              updated: documents.updated,
              unchanged: documents.unchanged,
              blocked: documents.blocked,
              failed: documents.failed,
            }
      return {
        type: event.type,
        timestamp,
        data: { ...about, ...ofImport(event.payload), status, unchanged, documents: counts },
      }
    }
    case 'import.failed': {
      const { status, error_code } = event.payload
      return { type: event.type, timestamp, data: { ...ofImport(event.payload), status, error_code } }
    }
    case 'binding.candidate': {
      const { project_slug, version_id, label, ...it } = event.payload
      const at = urlsOf({ project_slug, version_id, label })
      const data = { ...it, project_slug, version_id, version_label: label }
      return { type: event.type, timestamp, data: { ...data, urls: { ...at, waiting: `${at.version}/binding` } } }
    }
    case 'repository.sync_candidate': {
      const { project_slug, version_id, label, ...it } = event.payload
      const at = urlsOf({ project_slug, version_id, label })
      const repository = `${publicUrl}/v1/tenants/${tenant}/repositories/${it.repository_id}`
      const waiting = it.kind === 'binding' ? `${at.version}/binding` : repository
      return {
        type: event.type,
        timestamp,
        data: { ...it, project_slug, version_id, version_label: label, urls: { ...at, waiting } },
      }
    }
    case 'gateway.silent':
      return { type: event.type, timestamp, data: { ...event.payload, urls: urlsOfLane(event.payload) } }
    case 'gateway.release_failed':
      return { type: event.type, timestamp, data: { ...event.payload, urls: urlsOfLane(event.payload) } }
    case 'mcp.surface_changed': {
      const { by: _, max_severity, ...it } = event.payload
      const endpoint = `${publicUrl}/v1/mcp/${tenant}/endpoints/${it.endpoint_id}`
      const urls = {
        endpoint,
        diff: `${endpoint}/surface-diff?from=${it.from_fingerprint}&to=${it.to_fingerprint}`,
        application: `${publicUrl}/app/t/${tenant}/-/mcp-servers/${it.endpoint_id}`,
      }
      return { type: event.type, timestamp, data: { ...it, max_severity, urls } }
    }
    case 'review.decided': {
      const { payload: it } = event
      const { review_id, decision, by, requested_by } = it
      const data = { ...ofVersion(it), review_id, decision, decided_by: by, requested_by, urls: urlsOf(it) }
      return { type: event.type, timestamp, data }
    }
  }
}

import type { VersionRecord } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import type { Transaction } from '../../db/database.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import { type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'
import { findVersion, type FoundVersion, type VersionRow } from '../records/door.ts'
import { move, recordOf } from './service.ts'

const audit = (
  tx: Transaction,
  { principal: actor }: Grant,
  version: VersionRow,
  action: AuditAction,
  at: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  recordAudit(tx, {
    tenantId: version.tenantId,
    actor,
    action,
    targetId: version.id,
    detail: { label: version.label, ...more },
    at,
  })

const eventOf = ({ project }: FoundVersion, version: VersionRow) => ({
  project_id: project.id,
  project_slug: project.slug,
  version_id: version.id,
  label: version.label,
})

/**
 * Marks a published version as deprecated. Where it is deprecated already, what the input leaves out stays, and null clears it.
 * @throws SvcError `project-not-found`, `version-not-found` (of the replacement too), `replacement-invalid`, `version-transition`
 */
export async function deprecateVersion(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  versionRef: string,
  input: { readonly sunset_at?: string | null; readonly replacement?: string | null },
): Promise<VersionRecord> {
  const tenant = tenantOf(grant)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const found = await findVersion(tx, tenant.id, projectRef, versionRef)
    const { sunset_at: sunset = found.version.sunsetAt, replacement = found.version.replacement } = input
    if (typeof input.replacement === 'string') {
      const other = await findVersion(tx, tenant.id, projectRef, input.replacement)
      if (other.version.id === found.version.id)
        throw new SvcError('replacement-invalid', { version: found.version.label })
    }
    const sunsetAt = sunset === null ? null : new Date(sunset).toISOString()
    // When its sunset changes it has been deprecated since the first time.
    const set = { deprecatedAt: found.version.deprecatedAt ?? at, updatedAt: at, sunsetAt, replacement }
    const version = await move(deps, tx, tenant, found, { from: ['published', 'deprecated'], to: 'deprecated', set })
    const payload = { ...eventOf(found, version), sunset_at: sunsetAt, replacement: set.replacement }
    const event = { tenantId: tenant.id, subjectId: version.id, at }
    await recordEvent(deps, tx, { ...event, type: 'version.deprecated', payload })
    await audit(tx, grant, version, 'version.deprecated', at, { sunset_at: sunsetAt, replacement })
    return recordOf(deps, tenant, { project: found.project, version })
  })
}

/**
 * Withdraws the deprecation of a version: it is published again, without sunset and replacement.
 * @throws SvcError `project-not-found`, `version-not-found`, `version-transition`
 */
export async function undeprecateVersion(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  versionRef: string,
): Promise<VersionRecord> {
  const tenant = tenantOf(grant)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const found = await findVersion(tx, tenant.id, projectRef, versionRef)
    const set = { deprecatedAt: null, sunsetAt: null, replacement: null, updatedAt: at }
    const version = await move(deps, tx, tenant, found, { from: ['deprecated'], to: 'published', set })
    const event = { tenantId: tenant.id, subjectId: version.id, at }
    await recordEvent(deps, tx, { ...event, type: 'version.undeprecated', payload: eventOf(found, version) })
    await audit(tx, grant, version, 'version.undeprecated', at)
    return recordOf(deps, tenant, { project: found.project, version })
  })
}

/**
 * Retires a published or deprecated version.
 * @throws SvcError `project-not-found`, `version-not-found`, `version-transition`
 */
export async function retireVersion(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  versionRef: string,
): Promise<VersionRecord> {
  const tenant = tenantOf(grant)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const found = await findVersion(tx, tenant.id, projectRef, versionRef)
    const set = { retiredAt: at, updatedAt: at }
    const version = await move(deps, tx, tenant, found, { from: ['published', 'deprecated'], to: 'retired', set })
    const event = { tenantId: tenant.id, subjectId: version.id, at }
    await recordEvent(deps, tx, { ...event, type: 'version.retired', payload: eventOf(found, version) })
    await audit(tx, grant, version, 'version.retired', at)
    return recordOf(deps, tenant, { project: found.project, version })
  })
}

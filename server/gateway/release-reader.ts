import { defineOutboxReader } from '../outbox/define.ts'

/** A publication, a deprecation, its withdrawal or a retirement may bind policies to another version. */
export const gatewayReleaseReader = defineOutboxReader({
  name: 'gateway-releases',
  types: ['version.published', 'version.deprecated', 'version.undeprecated', 'version.retired'],
  work: async (deps, tx, { tenantId, payload }) => {
    const [{ boundEnvironments }, { askForRelease }] = await Promise.all([import('./bound.ts'), import('./lane.ts')])
    const bound = await boundEnvironments(tx, tenantId, payload.project_id)
    for (const { row } of bound) await askForRelease(deps, tx, row)
  },
})

/** Notifies people of gateways that are silent or could not use a release, and of approvals that are asked of them or given. */
export const gatewayNoticeReader = defineOutboxReader({
  name: 'gateway-notices',
  types: ['gateway.silent', 'gateway.release_failed', 'gateway.approval_requested', 'gateway.approval_given'],
  work: async (deps, tx, event) => (await import('./notify.ts')).notifyOfGateway(deps, tx, event),
})

import { defineOutboxReader } from '../outbox/door.ts'

/** A publication, a deprecation, its withdrawal or a retirement may bind policies to another version. */
export const gatewayReleaseReader = defineOutboxReader({
  name: 'gateway-releases',
  work: async (deps, tx, { tenantId, payload }) => {
    const [{ boundEnvironments }, { askForRelease }] = await Promise.all([
      import('../gateway-policy/door.ts'),
      import('./ask-for-release.ts'),
    ])
    const bound = await boundEnvironments(tx, tenantId, payload.project_id)
    for (const { row } of bound) await askForRelease(deps, tx, row)
  },
})

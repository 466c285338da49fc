import { defineDue } from '../schedule/define.ts'

/** Compiles the release of an environment where it would be another one than the newest. */
export const gatewayCompileKind = defineDue({
  kind: 'gateway.compile',
  longestMs: 10 * 60_000,
  async run({ subjectId, tenantId, deps }) {
    const { compileLane } = await import('./compile-lane.ts')
    return compileLane(deps, tenantId ?? '', subjectId)
  },
})

/** Reports gateways of which nothing was heard. */
export const gatewaySilentKind = defineDue({
  kind: 'gateway.silent',
  longestMs: 60_000,
  everyMs: 30_000,
  async run({ deps }) {
    const { noticeSilent } = await import('./silent.ts')
    await noticeSilent(deps)
    return null
  },
})

import { defineDue } from '../schedule/door.ts'

/** Compiles the release of an environment where it would be another one than the newest. */
export const gatewayCompileKind = defineDue({
  kind: 'gateway.compile',
  longestMs: 10 * 60_000,
  async run({ subjectId, tenantId, deps }) {
    const { makeRelease } = await import('./make-release.ts')
    return makeRelease(deps, tenantId ?? '', subjectId)
  },
})

/** Reports gateways that have not reported lately. */
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

/** Asks for the releases that the compiler of a newer svc makes otherwise: within ten minutes of its start. */
export const gatewayCompilerKind = defineDue({
  kind: 'gateway.compiler',
  longestMs: 5 * 60_000,
  everyMs: 10 * 60_000,
  async run({ deps, signal }) {
    const { askForNewerReleases } = await import('./newer-compiler.ts')
    await askForNewerReleases(deps, signal)
    return null
  },
})

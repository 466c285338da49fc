/** Something the service cannot work without. Its function settles when all is well and throws otherwise. */
export type Check = () => Promise<unknown>

export interface Readiness {
  /** `degraded`: something fails that a part of the requests needs, so that requests are still sent here. */
  readonly status: 'ready' | 'degraded' | 'draining' | 'unavailable'
  /** `unknown` means that a check did not end in time; it never counts as a success. */
  readonly checks: Readonly<Record<string, 'ok' | 'failed' | 'unknown'>>
}

/** Runs all checks at once, each no longer than `timeoutMs`. The reasons go to `onFailure`, not to the caller. */
export async function readiness(options: {
  readonly checks: Readonly<Record<string, Check>>
  /** The checks without which a part of the service still answers. */
  readonly partial: ReadonlySet<string>
  readonly isDraining: boolean
  readonly timeoutMs: number
  readonly onFailure: (name: string, reason: unknown) => void
}): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(options.checks).map(async ([name, check]) => {
      const { promise, resolve } = Promise.withResolvers<'unknown'>()
      const timer = setTimeout(() => resolve('unknown'), options.timeoutMs)
      try {
        const result = await Promise.race([check().then(() => 'ok' as const), promise])
        if (result === 'unknown') options.onFailure(name, 'no answer in time')
        return [name, result] as const
      } catch (error) {
        options.onFailure(name, error)
        return [name, 'failed'] as const
      } finally {
        clearTimeout(timer)
      }
    }),
  )
  const checks = Object.fromEntries(results)
  if (options.isDraining) return { status: 'draining', checks }
  const failed = results.filter(([, result]) => result !== 'ok').map(([name]) => name)
  if (failed.some((name) => !options.partial.has(name))) return { status: 'unavailable', checks }
  return { status: failed.length === 0 ? 'ready' : 'degraded', checks }
}

/** `/readyz`: 200 while requests should be sent here, also where a part of them fails, else 503. */
export const readinessAnswer = (it: Readiness): Response =>
  Response.json(it, {
    status: it.status === 'ready' || it.status === 'degraded' ? 200 : 503,
    headers: { 'cache-control': 'no-store' },
  })

/** `/healthz`: the process answers. It asks nothing else, so that a slow database restarts no healthy process. */
export const livenessAnswer = (version: string): Response =>
  Response.json({ status: 'ok', version }, { headers: { 'cache-control': 'no-store' } })

/** Something the service cannot work without. Its function settles when all is well and throws otherwise. */
export type Check = () => Promise<unknown>

export interface Readiness {
  readonly status: 'ready' | 'draining' | 'unavailable'
  /** `unknown` means that a check did not end in time; it never counts as a success. */
  readonly checks: Readonly<Record<string, 'ok' | 'failed' | 'unknown'>>
}

/** Runs all checks at once, each no longer than `timeoutMs`. The reasons go to `onFailure`, not to the caller. */
export async function readiness(options: {
  readonly checks: Readonly<Record<string, Check>>
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
  const allOk = results.every(([, result]) => result === 'ok')
  if (options.isDraining) return { status: 'draining', checks }
  return { status: allOk ? 'ready' : 'unavailable', checks }
}

/** `/readyz`: 200 while requests should be sent here, else 503. */
export const readinessAnswer = (it: Readiness): Response =>
  Response.json(it, { status: it.status === 'ready' ? 200 : 503, headers: { 'cache-control': 'no-store' } })

/** `/healthz`: the process answers. It asks nothing else, so that a slow database restarts no healthy process. */
export const livenessAnswer = (version: string): Response =>
  Response.json({ status: 'ok', version }, { headers: { 'cache-control': 'no-store' } })

/** What "svc doctor" says of the service that commands use, where there is one. */
import { SvcError } from '../../src/errors.ts'
import { whoami } from '../auth/memberships.ts'
import { readBase, reasonOf } from '../connection/http.ts'
import type { Check } from './checks.ts'

type Around = Parameters<typeof whoami>[0]

async function checkAnswer(baseUrl: string, { signal, globals }: Around): Promise<Check> {
  const at = readBase(baseUrl)
  const failed = (reason: string): Check => ({
    name: 'service',
    status: 'fail',
    message: `${at} ${reason}`,
    advice: 'Check --base-url or SVC_BASE_URL, and whether the service is running.',
  })
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(globals.timeoutMs)])
    const response = await fetch(`${at}/readyz`, { signal: within })
    const body = (await response.json().catch(() => null)) as { status?: unknown } | null
    if (typeof body?.status !== 'string') return failed(`is not svc: /readyz answered ${response.status}`)
    if (!response.ok) return failed(`is not ready: ${body.status} (${response.status})`)
    return { name: 'service', status: 'pass', message: `${at} is ready`, advice: null }
  } catch (error) {
    if (signal.aborted) throw error
    return failed(`cannot be reached: ${reasonOf(error, globals.timeoutMs)}`)
  }
}

/** The service at --base-url answers, and accepts the API key or sign-in in use. */
export async function checkService(baseUrl: string, around: Around): Promise<Check[]> {
  const answer = await checkAnswer(baseUrl, around)
  if (answer.status !== 'pass') return [answer]
  try {
    await whoami(around)
    return [answer, { name: 'credentials', status: 'pass', message: 'the service accepts them', advice: null }]
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return [answer, { name: 'credentials', status: 'fail', message: error.message, advice: error.hint }]
  }
}

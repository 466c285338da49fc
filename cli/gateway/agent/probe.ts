/**
 * Asks the gateway itself which release it uses: each release has a rule of the agent that refuses one header with an odd status. A reload
 * that succeeds says little: perhaps the site does not include the release at all.
 */
import { sha256Of } from '../../../src/gateway/release/digest.ts'

export const probeName = 'probe.conf'
const header = 'x-svc-gateway-probe'
const watchHeader = 'x-svc-gateway-watch'
const status = 418
const timeoutMs = 5000

/** No client can guess it, and who knows it gets a refusal and nothing else. */
const tokenOf = (digest: string): string => sha256Of(`probe ${digest}`)
/** Who knows it is checked as everyone is, but leaves no record: no access log has the header. */
const watchTokenOf = (digest: string): string => sha256Of(`watch ${digest}`)

/** How the agent names itself while a release is in use: its own requests are not counted as calls. */
export const markerOf = (digest: string): string => `svc-gateway/${sha256Of(`marker ${digest}`).slice(0, 24)}`

/** The rule of a release; the empty release has none. */
export const probeText = (digest: string | null): string =>
  digest === null
    ? '# There is no release yet.\n'
    : `# The agent asks with this header which release is in use.
SecRule REQUEST_HEADERS:${header} "@streq ${tokenOf(digest)}" "id:9999,phase:1,deny,status:${status},nolog,noauditlog,t:none"
# What the agent asks while it watches a release leaves no event.
SecRule REQUEST_HEADERS:${watchHeader} "@streq ${watchTokenOf(digest)}" "id:9998,phase:1,pass,nolog,noauditlog,t:none,ctl:auditEngine=Off"
`

export interface ProbeAnswer {
  /** What is wrong with the answer to a usual request; null: nothing. */
  readonly problem: string | null
  /** Whether the release refused the header. */
  readonly isUsed: boolean
}

async function statusOf(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<number | string> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const response = await fetch(url, { headers, redirect: 'manual', signal: limit })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Headers of a usual request that leaves no event under a release. */
const quietly = (digest: string): Record<string, string> => ({
  'user-agent': markerOf(digest),
  [watchHeader]: watchTokenOf(digest),
})

/** Whether the site answers a usual request below 500. @param digest of the release in use; null: the empty one */
export async function isAnswering(url: string, digest: string | null, signal: AbortSignal): Promise<boolean> {
  const usual = await statusOf(url, digest === null ? {} : quietly(digest), signal)
  return typeof usual === 'number' && usual < 500
}

/** Sends a usual request, then one with the header. */
export async function askGateway(url: string, digest: string, signal: AbortSignal): Promise<ProbeAnswer> {
  const agent = quietly(digest)
  const usual = await statusOf(url, agent, signal)
  if (typeof usual === 'string') return { problem: usual, isUsed: false }
  if (usual >= 500) return { problem: `it answered ${usual}`, isUsed: false }
  const probed = await statusOf(url, { ...agent, [header]: tokenOf(digest) }, signal)
  return { problem: null, isUsed: usual !== status && probed === status }
}

/** The same with the header alone, which no other rule sees: what the agent asks again and again leaves no events. */
export async function confirmRelease(
  url: string,
  digest: string,
  folder: string,
  signal: AbortSignal,
): Promise<string | null> {
  const probed = await statusOf(url, { 'user-agent': markerOf(digest), [header]: tokenOf(digest) }, signal)
  if (typeof probed === 'string') return `The gateway does not answer at ${url}: ${probed}`
  return probed === status ? null : notUsed(url, folder)
}

export const notUsed = (url: string, folder: string): string =>
  `The gateway answers at ${url} without the release. Does that site include ${folder}/engine.conf (Caddy: ${folder}/current/site.caddyfile)?`

import type { GitProvider } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import { guardedFetch, type Network } from '../egress/door.ts'

/** What each provider answers without credentials, by which its own servers are recognized. */
const marks: readonly (readonly [GitProvider, string, (status: number, headers: Headers, body: string) => boolean])[] =
  [
    [
      'gitlab',
      '/api/v4/version',
      (status, headers, body) => headers.has('x-gitlab-meta') || (status === 401 && /401 Unauthorized/.test(body)),
    ],
    [
      'github',
      '/api/v3/meta',
      (_, headers) => headers.has('x-github-request-id') || headers.has('x-github-enterprise-version'),
    ],
    [
      'bitbucket',
      '/rest/api/1.0/application-properties',
      (status, _, body) => status === 200 && /"displayName"\s*:\s*"Bitbucket"/.test(body),
    ],
  ]

/**
 * Which provider a self-managed host runs, by what it answers; null for any other.
 * @throws SvcError `egress-denied`
 */
export async function detectProvider(
  origin: string,
  allow: readonly Network[],
  signal: AbortSignal,
): Promise<GitProvider | null> {
  for (const [provider, path, isIt] of marks) {
    try {
      const limits = { timeoutMs: 5000, maxBytes: 64 * 1024, maxRedirects: 0 }
      const { status, headers, bytes } = await guardedFetch(`${origin}${path}`, { allow, signal, ...limits })
      if (isIt(status, headers, new TextDecoder().decode(bytes))) return provider
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'fetch-failed') throw error
    }
  }
  return null
}

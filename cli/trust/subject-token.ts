/** The token that a pipeline got from its issuer: where it comes from. */
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { readFirstLine } from '../input/named-file.ts'

/** Issuers that have a short name on the command line. */
const issuers: Readonly<Record<string, string>> = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
  buildkite: 'https://agent.buildkite.com',
}

export const issuerNames = Object.keys(issuers)

/** The address of an issuer that may be called by a short name. */
export const issuerOf = (given: string): string => (Object.hasOwn(issuers, given) ? (issuers[given] ?? given) : given)

/**
 * The conditions of "CLAIM=PATTERN".
 * @throws SvcError `usage`
 */
export function conditionsOf(given: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const text of given) {
    const at = text.indexOf('=')
    const [claim, pattern] = [text.slice(0, at), text.slice(at + 1)]
    if (at < 1 || pattern === '')
      throw new SvcError('usage', {
        reason: `--claim takes CLAIM=PATTERN such as repository=acme/specs, not "${text}"`,
      })
    if (Object.hasOwn(found, claim))
      throw new SvcError('usage', { reason: `--claim names "${claim}" twice; a claim has one pattern` })
    found[claim] = pattern
  }
  return found
}

/** The token that the runner of GitHub Actions gives to a job with the permission `id-token: write`. */
async function askGithub({ env, signal, globals }: Invocation, audience: string): Promise<string> {
  const url = URL.parse(env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '')
  if (url === null) throw new SvcError('usage', { reason: 'ACTIONS_ID_TOKEN_REQUEST_URL is not an address' })
  url.searchParams.set('audience', audience)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(globals.timeoutMs)])
  const headers = { authorization: `Bearer ${env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? ''}`, accept: 'application/json' }
  const failed = (reason: string): SvcError => new SvcError('fetch-failed', { url: url.origin, reason })
  const answer = await fetch(url, { headers, redirect: 'error', signal: limit }).catch(() => null)
  if (answer === null) throw failed('the runner gave no token')
  if (!answer.ok) throw failed(`the runner answered ${answer.status}`)
  const { value } = (await answer.json()) as { readonly value?: unknown }
  if (typeof value !== 'string') throw failed('the answer of the runner has no token')
  return value
}

/**
 * The token from standard input, or from SVC_ID_TOKEN, or from the runner of GitHub Actions; never from the command line.
 * @throws SvcError `usage` where there is none, `fetch-failed`
 */
export async function readSubjectToken(from: Invocation): Promise<string> {
  const { env, options, globals } = from
  const given = options['token-stdin'] === true ? await readFirstLine(from) : (env.SVC_ID_TOKEN?.trim() ?? '')
  if (given !== '') return given
  if (options['token-stdin'] !== true && env.ACTIONS_ID_TOKEN_REQUEST_URL) {
    const audience = typeof options['audience'] === 'string' ? options['audience'] : globals.baseUrl
    return askGithub(from, (audience ?? '').replace(/\/+$/, ''))
  }
  throw new SvcError('usage', {
    reason:
      'Missing token: set SVC_ID_TOKEN, pipe it to --token-stdin, or give the job of GitHub Actions the permission id-token: write',
  })
}

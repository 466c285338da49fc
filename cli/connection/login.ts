/** The stored sign-in of a service: gives its access token, and gets a new one before the old one ends. */
import { authApi, type TokenPair } from '../../src/api/auth.ts'
import type { Call } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import { callOverHttp, type HttpOptions, readBase } from './http.ts'
import { loginPath, readLogin, removeLogin, type StoredLogin, withLock, writeLogin } from './login-store.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A token that ends sooner than this is renewed before it is used. */
const leastLifeMs = 30_000
/** The lock of the file is trusted for half a minute, so asking must be over by then. */
const longestRefreshMs = 20_000

const after = (seconds: number, now: number): string => new Date(now + seconds * 1000).toISOString()

/** What is kept of tokens that were just given. */
export const loginOf = (baseUrl: string, pair: TokenPair, tenant: string | null, now = Date.now()): StoredLogin => ({
  baseUrl,
  email: pair.user.email,
  tenant,
  accessToken: pair.access_token,
  accessExpiresAt: after(pair.expires_in, now),
  refreshToken: pair.refresh_token,
  refreshExpiresAt: after(pair.refresh_expires_in, now),
})

/** The stored sign-in of one service. */
export class Login {
  readonly path: string
  readonly #base: string
  readonly #options: Omit<HttpOptions, 'apiKey' | 'authorization'>

  constructor(env: Env, options: Omit<HttpOptions, 'apiKey' | 'authorization'>) {
    this.#base = readBase(options.baseUrl)
    this.path = loginPath(env, this.#base)
    this.#options = options
  }

  /** What is stored; null where no one signed in. */
  stored(): StoredLogin | null {
    return readLogin(this.path)
  }

  /**
   * An access token that is good for a while; undefined where no one signed in.
   * @throws SvcError `credentials-invalid` where the sign-in has ended, `transport-failed` where it could not be renewed
   */
  async accessToken(): Promise<string | undefined> {
    const login = this.stored()
    if (login === null) return undefined
    if (Date.parse(login.accessExpiresAt) - Date.now() > leastLifeMs) return login.accessToken
    return this.renew(login.accessToken)
  }

  /**
   * A new access token in place of one that is not good any more. Processes that want one at the same time wait for
   * each other: the first shows the refresh token, the others take what it got.
   * @throws SvcError `credentials-invalid`, `transport-failed`
   */
  async renew(used: string): Promise<string | undefined> {
    return withLock(this.path, async () => {
      const login = this.stored()
      if (login === null) return undefined
      if (login.accessToken !== used) return login.accessToken
      const timeoutMs = Math.min(this.#options.timeoutMs, longestRefreshMs)
      const call = callOverHttp({ ...this.#options, apiKey: undefined, timeoutMs })
      try {
        const pair = await call(authApi.refresh, { body: { refresh_token: login.refreshToken } })
        const next = loginOf(login.baseUrl, pair, login.tenant)
        writeLogin(this.path, next)
        return next.accessToken
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'credentials-invalid') throw error
        removeLogin(this.path)
        throw new SvcError('credentials-invalid', {
          reason: `the stored sign-in of ${login.email} has ended; sign in again with "svc --base-url ${this.#base} auth login"`,
        })
      }
    })
  }
}

/**
 * Calls operations with the stored sign-in. A token that the service refuses before its time, because the password
 * changed or the service forgot its key, is renewed once: refused requests have done nothing, so repeating is safe.
 */
export function callAsLogin(login: Login, options: Omit<HttpOptions, 'apiKey' | 'authorization'>): Call {
  const call: Call = async (endpoint, input) => {
    let used: string | undefined
    const authorization = async (): Promise<string | undefined> => {
      used = await login.accessToken()
      return used === undefined ? undefined : `Bearer ${used}`
    }
    const once = callOverHttp({ ...options, apiKey: undefined, authorization })
    try {
      return await once(endpoint, input)
    } catch (error) {
      const isRefused = error instanceof SvcError && error.code === 'credentials-invalid'
      if (!isRefused || used === undefined || login.stored() === null) throw error
      await login.renew(used)
      return once(endpoint, input)
    }
  }
  return call
}

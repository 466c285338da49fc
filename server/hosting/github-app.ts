/** A GitHub App: made by a manifest, installed by owners of repositories, and read with tokens that last an hour. */
import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Clock } from '../../db/clock.ts'
import { SvcError } from '../../src/errors.ts'
import { at, isOk, isRefused, listAt, textAt } from './answers.ts'
import type { Ask, ProviderAnswer } from './calls.ts'
import type { ProviderApi } from './provider.ts'

/** What the provider gives for the code of a manifest. */
export interface MadeApp {
  readonly appId: string
  readonly slug: string
  readonly name: string
  readonly htmlUrl: string
  readonly ownerLogin: string | null
  readonly clientId: string
  readonly clientSecret: string
  readonly privateKey: string
  readonly hookSecret: string | null
}

/** An App with its key: what its tokens are asked for with. */
export interface AppKey {
  readonly host: string
  readonly appId: string
  readonly privateKey: string
}

/** An installation of an App, as the provider describes it. */
export interface Installation {
  readonly id: string
  readonly login: string
  /** "contents:read" and the like. */
  readonly permissions: readonly string[]
  readonly isSuspended: boolean
}

const marginMs = 5 * 60_000
const mintMs = 20_000
const mostCached = 5000
const most = 100

const failed = (host: string, { status }: ProviderAnswer) =>
  new SvcError('provider-failed', { host, reason: `it answered ${status}` })

const numberIn = (value: unknown, name: string): string | null => {
  const it = at(value, name)
  return typeof it === 'number' && Number.isSafeInteger(it) && it > 0 ? String(it) : null
}

const permissionsIn = (value: unknown): readonly string[] => {
  const it = at(value, 'permissions')
  return typeof it !== 'object' || it === null
    ? []
    : Object.entries(it)
        .filter(([, level]) => typeof level === 'string')
        .map(([name, level]) => `${name}:${level as string}`)
        .slice(0, most)
}

function installationIn(value: unknown): Installation | null {
  const id = numberIn(value, 'id')
  const login = textAt(value, 'account', 'login') ?? textAt(value, 'account', 'slug')
  return id === null || login === null
    ? null
    : { id, login, permissions: permissionsIn(value), isSuspended: textAt(value, 'suspended_at') !== null }
}

/** Speaks with GitHub as an App. Tokens of installations are in memory alone, until shortly before they expire. */
export class GitHubApps {
  readonly #api: ProviderApi
  readonly #tokens = new Map<string, { readonly token: string; readonly until: number }>()
  readonly #asking = new Map<string, Promise<string>>()

  constructor(api: ProviderApi) {
    this.#api = api
  }

  #ask(host: string, token: string, signal: AbortSignal): Ask {
    return this.#api.asker({ provider: 'github', host, token, email: null }, signal)
  }

  /** The token that an App itself asks with; it lasts ten minutes at most. @throws SvcError `provider-failed` for a key that cannot be used */
  async #asApp({ host, appId, privateKey }: AppKey, clock: Clock, signal: AbortSignal): Promise<Ask> {
    const seconds = Math.floor(clock.now() / 1000)
    try {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuer(appId)
        // The clocks of two machines differ.
        .setIssuedAt(seconds - 60)
        .setExpirationTime(seconds + 540)
        .sign(createPrivateKey(privateKey))
      return this.#ask(host, token, signal)
    } catch {
      throw new SvcError('provider-failed', { host, reason: 'the private key of its App cannot be used' })
    }
  }

  /**
   * Exchanges the code of a manifest for the App that was made.
   * @throws SvcError `account-authorization-refused`, `provider-failed`, `egress-denied`, `fetch-failed`
   */
  async convert(host: string, code: string, signal: AbortSignal): Promise<MadeApp> {
    const answer = await this.#ask(
      host,
      '',
      signal,
    )(`/app-manifests/${encodeURIComponent(code)}/conversions`, {
      method: 'POST',
    })
    const { body } = answer
    const appId = numberIn(body, 'id')
    const [slug, name, htmlUrl] = [textAt(body, 'slug'), textAt(body, 'name'), textAt(body, 'html_url')]
    const [clientId, clientSecret, pem] = [
      textAt(body, 'client_id'),
      textAt(body, 'client_secret'),
      textAt(body, 'pem'),
    ]
    const isWhole = appId !== null && slug !== null && name !== null && htmlUrl !== null
    if (!isOk(answer) || !isWhole || clientId === null || clientSecret === null || pem === null)
      throw new SvcError('account-authorization-refused', { host, reason: 'it gave no App for the code' })
    const hookSecret = textAt(body, 'webhook_secret')
    const ownerLogin = textAt(body, 'owner', 'login')
    return { appId, slug, name, htmlUrl, ownerLogin, clientId, clientSecret, privateKey: pem, hookSecret }
  }

  /**
   * The installations that a person has access to, with a token of theirs; one page of them.
   * @throws SvcError `account-authorization-refused`, `provider-failed`, `egress-denied`, `fetch-failed`
   */
  async installationsOf(
    host: string,
    userToken: string,
    appId: string,
    signal: AbortSignal,
  ): Promise<readonly Installation[]> {
    const answer = await this.#ask(host, userToken, signal)(`/user/installations?per_page=${most}`)
    if (isRefused(answer))
      throw new SvcError('account-authorization-refused', { host, reason: `it answered ${answer.status}` })
    if (!isOk(answer)) throw failed(host, answer)
    return listAt(answer.body, 'installations')
      .filter((one) => numberIn(one, 'app_id') === appId)
      .map(installationIn)
      .filter((one) => one !== null)
  }

  /**
   * Whether a person can read every repository that an installation can: who links it gives all of them to an organization.
   * @throws SvcError `account-token-refused`, `provider-failed`, `egress-denied`, `fetch-failed`
   */
  async readsAll(
    key: AppKey,
    given: { readonly installation: string; readonly userToken: string },
    clock: Clock,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { installation, userToken } = given
    const token = await this.tokenOf(key, installation, clock)
    const all = await this.#ask(key.host, token, signal)('/installation/repositories?per_page=1')
    const theirs = await this.#ask(
      key.host,
      userToken,
      signal,
    )(`/user/installations/${installation}/repositories?per_page=1`)
    const [total, seen] = [at(all.body, 'total_count'), at(theirs.body, 'total_count')]
    return isOk(all) && isOk(theirs) && typeof total === 'number' && typeof seen === 'number' && seen >= total
  }

  /**
   * An installation as it is now; null where it was removed.
   * @throws SvcError `provider-failed`, `egress-denied`, `fetch-failed`
   */
  async installation(key: AppKey, id: string, clock: Clock, signal: AbortSignal): Promise<Installation | null> {
    const answer = await (await this.#asApp(key, clock, signal))(`/app/installations/${id}`)
    if (answer.status === 404) return null
    const found = installationIn(answer.body)
    if (!isOk(answer) || found === null) throw failed(key.host, answer)
    return found
  }

  /**
   * A token of an installation that lasts for a piece of work.
   * @throws SvcError `account-token-refused` where it was removed or suspended, `provider-failed`, `egress-denied`, `fetch-failed`
   */
  tokenOf(key: AppKey, id: string, clock: Clock): Promise<string> {
    const name = `${key.host} ${key.appId} ${id}`
    const known = this.#tokens.get(name)
    if (known !== undefined && known.until > clock.now()) return Promise.resolve(known.token)
    const asking = this.#asking.get(name) ?? this.#mint(key, id, name, clock).finally(() => this.#asking.delete(name))
    this.#asking.set(name, asking)
    return asking
  }

  async #mint(key: AppKey, id: string, name: string, clock: Clock): Promise<string> {
    // Several pieces of work wait for it: none of them ends it.
    const signal = AbortSignal.timeout(mintMs)
    const answer = await (
      await this.#asApp(key, clock, signal)
    )(`/app/installations/${id}/access_tokens`, { method: 'POST' })
    const { host } = key
    if (isRefused(answer) || answer.status === 404) {
      const reason = 'the installation of the App was removed or suspended'
      throw new SvcError('account-token-refused', { host, reason, missing_scopes: [] })
    }
    const token = textAt(answer.body, 'token')
    const end = Date.parse(textAt(answer.body, 'expires_at') ?? '')
    if (!isOk(answer) || token === null || Number.isNaN(end)) throw failed(host, answer)
    if (this.#tokens.size >= mostCached) this.#tokens.clear()
    this.#tokens.set(name, { token, until: end - marginMs })
    return token
  }
}

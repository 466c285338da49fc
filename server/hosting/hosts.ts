import { gitProviders, type GitProvider } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'

/** A host that an operator mapped to a provider (SVC_GIT_HOSTS). */
export interface GitHost {
  /** HOST or HOST:PORT in lower case, without the default port. */
  readonly host: string
  readonly provider: GitProvider
  readonly scheme: 'http' | 'https'
}

const clouds: Readonly<Record<GitProvider, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/** Splits "http://HOST:PORT" and "HOST:PORT"; null where it is neither. Without a scheme loopback means http, any other host https. */
function readHost(text: string): Pick<GitHost, 'host' | 'scheme'> | null {
  const named = /^(https?):\/\/([^/]+)\/?$/i.exec(text)
  const bare = named?.[2] ?? text
  if (/[\s/@?#\\]/.test(bare)) return null
  const scheme = named?.[1]?.toLowerCase() ?? (loopback.test(bare.toLowerCase()) ? 'http' : 'https')
  const url = URL.parse(`${scheme}://${bare}`)
  return url === null || url.host === '' ? null : { host: url.host, scheme: scheme as GitHost['scheme'] }
}

/**
 * The hosts of SVC_GIT_HOSTS: "HOST:PORT=PROVIDER" separated by commas; http:// before a host reaches it without TLS.
 * @returns null where an entry is something else
 */
export function parseGitHosts(text: string): readonly GitHost[] | null {
  const hosts: GitHost[] = []
  for (const entry of text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const cut = entry.lastIndexOf('=')
    const provider = gitProviders.find((one) => one === entry.slice(cut + 1).trim())
    const host = readHost(entry.slice(0, Math.max(cut, 0)).trim())
    if (provider === undefined || host === null) return null
    hosts.push({ ...host, provider })
  }
  return hosts
}

/** Which provider a host runs. */
export class GitHosts {
  readonly #mapped: ReadonlyMap<string, GitHost>

  constructor(mapped: readonly GitHost[]) {
    this.#mapped = new Map(mapped.map((it) => [it.host, it]))
  }

  /** The provider of a host that is a cloud or was mapped; null for any other. */
  providerOf(host: string): GitProvider | null {
    const cloud = gitProviders.find((one) => clouds[one] === host)
    return this.#mapped.get(host)?.provider ?? cloud ?? null
  }

  /**
   * The host of an account in the form that is stored.
   * @throws SvcError `provider-unsupported` where it is not a host, or runs another provider
   */
  read(provider: GitProvider, text: string | null): string {
    if (text === null) return clouds[provider]
    const it = readHost(text)
    const refuse = (reason: string) => new SvcError('provider-unsupported', { host: text.slice(0, 100), reason })
    if (it === null) throw refuse('it is not HOST or HOST:PORT')
    const known = this.providerOf(it.host)
    if (known !== null && known !== provider) throw refuse(`it runs ${known}, not ${provider}`)
    if (it.scheme !== this.#schemeOf(it.host)) throw refuse(`it is reached by ${this.#schemeOf(it.host)}`)
    return it.host
  }

  #schemeOf(host: string): 'http' | 'https' {
    return this.#mapped.get(host)?.scheme ?? (loopback.test(host) ? 'http' : 'https')
  }

  /** The hosts of all providers: the clouds, and those that were mapped. */
  all(): readonly Pick<GitHost, 'host' | 'provider'>[] {
    const known = gitProviders.map((provider) => ({ provider, host: clouds[provider] }))
    return [...known.filter(({ host }) => !this.#mapped.has(host)), ...this.#mapped.values()]
  }

  /** "https://HOST:PORT". A token is sent to this origin and to the API of its cloud alone. */
  originOf(host: string): string {
    return `${this.#schemeOf(host)}://${host}`
  }
}

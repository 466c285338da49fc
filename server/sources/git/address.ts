import { SvcError } from '../../../src/errors.ts'
import { decodedOrSame } from '../../../src/kernel/text.ts'

/** A repository that is reached over the network. */
export type GitAddress =
  | { readonly transport: 'http'; readonly url: string; readonly shown: string }
  | {
      readonly transport: 'ssh'
      readonly url: string
      readonly shown: string
      readonly host: string
      readonly port: number
    }

const refuse = (url: string, reason: string) => new SvcError('source-refused', { source: url, reason })

/** An address as it may be shown and logged: what is before the host's @ may be a secret, unless it is a plain user of ssh. */
const shownOf = (text: string): string =>
  text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1')
    .replace(/\?.*$/s, '?…')
    .slice(0, 300)

const userName = /^[A-Za-z0-9._][A-Za-z0-9._-]*$/
const hostName = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/

// USER@HOST:PATH, as scp writes it.
const scpForm = /^(?:([^@/:\s]+)@)?([^@/:\s]+):(?!\/\/)(\S+)$/

/**
 * Reads the address of a repository: https, http or ssh as a URL, or USER@HOST:PATH. Nothing else is a repository to a service: neither
 * its own folders nor the transports that run programs.
 * @throws SvcError `source-refused`
 */
export function readGitAddress(text: string): GitAddress {
  const shown = shownOf(text)
  if (/[\p{Cc}\s]/u.test(text)) throw refuse(shown, 'it holds spaces or control characters')
  if (text.startsWith('-')) throw refuse(shown, 'an address does not begin with "-"')
  if (/^[a-z][a-z0-9+.-]*::/i.test(text)) throw refuse(shown, 'transports that run programs are not used')
  const short = scpForm.exec(text)
  if (short && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const [, user = 'git', host = '', path = ''] = short
    // Kept in its form: a path without a slash is one below the home of the user, which a URL says differently.
    return { ...sshAddress(text, { user, host, port: 22, path }), url: `${user}@${host}:${path}` }
  }
  const url = URL.parse(text)
  if (url === null) throw refuse(shown, 'it is not an https, http or ssh address')
  switch (url.protocol) {
    case 'https:':
    case 'http:':
      if (url.username !== '' || url.password !== '')
        throw refuse(shown, 'it contains credentials, which are not allowed in an address')
      url.hash = ''
      return { transport: 'http', url: url.href, shown }
    case 'ssh:':
    case 'git+ssh:':
    case 'ssh+git:': {
      if (url.password !== '') throw refuse(shown, 'it carries a password, which does not belong into an address')
      const host = url.hostname.replace(/^\[|\]$/g, '')
      const user = url.username === '' ? 'git' : decodedOrSame(url.username)
      return sshAddress(text, { user, host, port: url.port === '' ? 22 : Number(url.port), path: url.pathname })
    }
    default:
      throw refuse(shown, 'only https, http and ssh addresses are read')
  }
}

function sshAddress(
  text: string,
  entry: {
    readonly user: string
    readonly host: string
    readonly port: number
    readonly path: string
  },
): GitAddress {
  const { user, host, port, path } = entry
  const shown = shownOf(text)
  if (!userName.test(user)) throw refuse(shown, 'its user is not a plain name')
  if (!hostName.test(host) && !/^[0-9a-f:]+$/i.test(host))
    throw refuse(shown, 'its host is not a name or an IP address')
  if (path === '' || path === '/') throw refuse(shown, 'it names no repository on the host')
  if (/^\/*(?:~\/)?-/.test(path)) throw refuse(shown, 'the path of a repository does not begin with "-"')
  const at = host.includes(':') ? `[${host}]` : host
  return { transport: 'ssh', url: `ssh://${user}@${at}:${port}${path}`, shown, host, port }
}

/**
 * Checks the name of a branch or tag, or a whole commit id (git-check-ref-format).
 * @throws SvcError `source-refused`
 */
export function readGitRef(ref: string): string {
  const unsound =
    ref.startsWith('-') ||
    /[\p{Cc}\s~^:?*[\\+]|\.\.|@\{|\/\/|\/$|^\/|\.$|\.lock$|^@$/u.test(ref) ||
    ref.split('/').some((part) => part.startsWith('.'))
  if (unsound || ref === '')
    throw refuse(`"${ref.slice(0, 100)}"`, 'it is not the name of a branch or tag, nor a commit id')
  return ref
}

/**
 * Checks the address and the ref of a repository before they are kept.
 * @throws SvcError `source-refused`
 */
export function checkRepository({ url, ref }: { readonly url: string; readonly ref?: string | undefined }): void {
  readGitAddress(url)
  if (ref !== undefined) readGitRef(ref)
}

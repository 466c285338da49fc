import type { GitProvider } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import { decodedOrSame } from '../../src/kernel/text.ts'
import { readGitAddress } from '../sources/door.ts'

/** Where a repository is. */
export interface RepositoryPlace {
  readonly host: string
  readonly origin: string
  /** OWNER/NAME in lower case. */
  readonly fullName: string
  readonly cloneUrl: string
}

/**
 * Reads the address of a repository that is reached by https.
 * @throws SvcError `source-refused`
 */
export function readCloneUrl(text: string): RepositoryPlace {
  const address = readGitAddress(text)
  const refuse = (reason: string) => new SvcError('source-refused', { source: address.shown, reason })
  if (address.transport !== 'http') throw refuse('repositories are registered by their https address')
  const url = new URL(address.url)
  if (url.search !== '') throw refuse('it has a query')
  const path = url.pathname.replace(/\/+$/, '')
  // "/scm" is before the names of Bitbucket Data Center; "/.git" ends the address of a working tree.
  const fullName = decodedOrSame(path)
    .replace(/^\/(?:scm\/)?/, '')
    .replace(/\/?\.git$/, '')
    .toLowerCase()
  if (fullName === '') throw refuse('it names no repository on the host')
  return { host: url.host, origin: url.origin, fullName, cloneUrl: `${url.origin}${path}` }
}

/** The address of a repository that an account reads, by its name. @throws SvcError `source-refused` */
export function cloneUrlOf(provider: GitProvider, origin: string, fullName: string): string {
  const isServer = provider === 'bitbucket' && origin !== 'https://bitbucket.org'
  const name = fullName.trim()
  if (!/^[\w.~-]+(?:\/[\w.~-]+)+$/.test(name) || name.split('/').some((part) => part === '.' || part === '..'))
    throw new SvcError('source-refused', { source: `"${name.slice(0, 100)}"`, reason: 'it is not OWNER/NAME' })
  return `${origin}/${isServer ? 'scm/' : ''}${name.replace(/\.git$/, '')}.git`
}

/** The page of a repository; null where the provider keeps it elsewhere than below its clone address. */
export const webUrlOf = (provider: GitProvider, cloneUrl: string): string | null =>
  provider === 'bitbucket' && cloneUrl.includes('/scm/') ? null : cloneUrl.replace(/\/?\.git$/, '')

/** The page of a file at a commit; null where it is not known. */
export function browseUrlOf(provider: GitProvider, cloneUrl: string, commit: string, path: string): string | null {
  const web = webUrlOf(provider, cloneUrl)
  if (web === null) return null
  const at = path.split('/').map(encodeURIComponent).join('/')
  if (provider === 'gitlab') return `${web}/-/blob/${commit}/${at}`
  return provider === 'bitbucket' ? `${web}/src/${commit}/${at}` : `${web}/blob/${commit}/${at}`
}

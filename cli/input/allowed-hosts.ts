/** Which addresses a command requests: those of its command line, and those whose host the owner of the machine allows. */
import { SvcError } from '../../src/errors.ts'
import type { Globals } from '../globals.ts'

type Permissions = Pick<Globals, 'offline' | 'allowHosts' | 'named'>

const isListed = ({ hostname, host, port, protocol }: URL, hosts: readonly string[]): boolean => {
  const standard = protocol === 'https:' ? '443' : '80'
  const withPort = port === '' ? `${host}:${standard}` : host
  return hosts.some((it) => it.toLowerCase() === hostname || it.toLowerCase() === withPort)
}

const originOf = (address: string | null): string | null =>
  address === null ? null : (URL.parse(address)?.origin ?? null)

/**
 * Whether an address is named on the command line itself.
 * @param url an http or https address
 */
export const isNamed = (url: string, { named }: Permissions): boolean => {
  const { href } = URL.parse(url) ?? {}
  return named.some((it) => it === url || (href !== undefined && URL.parse(it)?.href === href))
}

/**
 * Checks an address before it is requested. A document of a checkout that names one does not make it trusted: its author may
 * mean a service of the network that the machine is in.
 * @param from the address that it was found at, where that was requested with permission; its origin may be asked again
 * @throws SvcError `offline`, `host-not-allowed`
 */
export function assertAllowed(url: string, from: string | null, permissions: Permissions): void {
  if (permissions.offline) throw new SvcError('offline', { url })
  if (isNamed(url, permissions)) return
  const parsed = URL.parse(url)
  if (parsed !== null && (parsed.origin === originOf(from) || isListed(parsed, permissions.allowHosts))) return
  throw new SvcError('host-not-allowed', { url })
}

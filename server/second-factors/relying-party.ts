import { isIP } from 'node:net'
import { SvcError } from '../../src/errors.ts'

/** Whose passkeys they are (WebAuthn, 4): the host of the service, and the one origin that may ask for them. */
export interface RelyingParty {
  /** A host, without a port: passkeys are bound to it. */
  readonly id: string
  readonly name: string
  readonly origin: string
}

const unavailable = (reason: string): SvcError => new SvcError('passkeys-unavailable', { reason })

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** Why browsers would not use passkeys at a public address; null where they do. */
function problemOf(url: URL | null): string | null {
  if (url === null) return 'the service has no public address'
  const { hostname, origin, protocol } = url
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0)
    return `the public address ${origin} of the service is an IP address, and passkeys need a host name`
  if (protocol === 'https:' || isLocal(hostname)) return null
  return `browsers use them over https only, and the public address of the service is ${origin}`
}

/** Whether passkeys can be used with a service at its public address. */
export const offersPasskeys = (publicUrl: string): boolean => problemOf(URL.parse(publicUrl)) === null

/**
 * The relying party of a service at its public address, for a request of a page.
 * @param publicUrl "" where there is none
 * @throws SvcError `passkeys-unavailable`: no address, an IP address, no https, or a page that is open at another origin
 */
export function relyingPartyOf(publicUrl: string, request: Request): RelyingParty {
  const url = URL.parse(publicUrl)
  const problem = problemOf(url)
  if (url === null || problem !== null) throw unavailable(problem ?? '')
  const { hostname: id, origin } = url
  // Browsers name the origin of the page with everything that is not a GET.
  const page = request.headers.get('origin')
  if (page !== null && page !== origin)
    throw unavailable(`this page is open at ${page}, and the service is reached at ${origin}`)
  return { id, name: `svc (${id})`, origin }
}

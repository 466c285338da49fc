import { SvcError } from '../../src/errors.ts'
import { checkUrl } from '../egress/door.ts'

const longest = 2048

/** "%7e" and "~" are the same, and so are "%c3" and "%C3" (RFC 3986, section 6.2.2). */
const normaliseEscapes = (text: string): string =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
  })

/**
 * Checks the address of a subscription by what can be seen without resolving it: whether it may be reached is decided by each
 * delivery.
 * @returns the form that is equal for addresses that mean the same
 * @throws SvcError `webhook-url-invalid`
 */
export function urlKeyOf(text: string): string {
  const refuse = (reason: string): never => {
    throw new SvcError('webhook-url-invalid', { reason })
  }
  if (text.length > longest) refuse(`it has more than ${longest} characters`)
  if (/[\s\p{Cc}]/u.test(text)) refuse('it contains a blank or a control character')
  const url = URL.parse(text) ?? refuse('it is not an absolute URL')
  if (url.protocol !== 'https:' || !/^https:\/\//i.test(text)) refuse('it must begin with https://')
  if (url.username !== '' || url.password !== '') refuse('it contains credentials')
  if (text.includes('#')) refuse('it contains a fragment')
  try {
    checkUrl(text)
  } catch (error) {
    if (error instanceof SvcError) refuse(String((error.detail as { readonly reason?: string }).reason))
    throw error
  }
  const port = url.port === '' ? '' : `:${url.port}`
  return `https://${url.hostname.replace(/\.$/, '')}${port}${normaliseEscapes(url.pathname + url.search)}`
}

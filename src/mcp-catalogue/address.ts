import { SvcError } from '../errors.ts'
import type { Transport } from './types.ts'
import { looksSecret, secretName } from './secrets.ts'

/** A template expression of an address: `{region}` of server.json, `${REGION}` of a configuration. */
const expression = /\$?\{([A-Za-z_][\w.:-]*)\}/g

/** A port that is to be filled in, behind the host. */
const portExpression = /(?<=^\s*https?:\/\/[^/?#]*):\$?\{([A-Za-z_][\w.-]*)\}(?=[/?#]|\s*$)/i

/** So many characters an address may have. */
const longest = 2048

const refuse = (reason: string): never => {
  throw new SvcError('endpoint-address-invalid', { reason, line: null, column: null, pointer: '' })
}

/** The names of the variables in an address, each once, in their order. */
export const variablesIn = (address: string): string[] => [
  ...new Set([...address.matchAll(expression)].map(([, name]) => name ?? '')),
]

const parse = (text: string): URL => {
  try {
    return new URL(text)
  } catch {
    return refuse('it is not a URL such as "https://mcp.example.com/mcp"')
  }
}

/** The query parameters of an address that hold a secret, by name or by value. */
export const secretParameters = (address: URL): string[] =>
  [...address.searchParams].filter(([name, value]) => secretName(name) || looksSecret(value)).map(([name]) => name)

/** The transport of an address that nothing names: SSE where the path ends with the word, as servers of it have it. */
export const transportOf = (address: string): Transport =>
  address.replace(/\?.*$/, '').endsWith('/sse') ? 'sse' : 'streamable_http'

/**
 * The normal form of the address of a server, by which it is recognised: scheme and host in lower case, the host in ASCII
 * (IDNA), without the default port, a fragment, a trailing slash and a trailing dot of the host. The case of the path stays, and
 * so do template expressions, written as `{name}`.
 *
 * @param text an http or https URL; variables in braces are allowed
 * @throws SvcError `endpoint-address-invalid` for anything else, and for a user name, a password or a key in the URL; the
 * message repeats none of them
 */
export function normalizeAddress(text: string): string {
  if (text.length > longest) refuse(`it has more than ${longest} characters`)
  const [, port] = portExpression.exec(text) ?? []
  const whole = text.trim().replace(portExpression, '')
  const names = [...whole.matchAll(expression)].map(([, name]) => name ?? '')
  // Braces are not allowed in hosts: a name takes the place of each expression while the URL is read.
  const mark = (at: number): string => `svc-variable-${at}-x`
  let count = 0
  const plain = whole.replaceAll(expression, () => mark(count++))
  if (!/^https?:\/\//i.test(plain))
    refuse(/^[a-z][a-z0-9+.-]*:/i.test(plain) ? 'it must use http or https' : 'it has no scheme, such as "https:"')
  const url = parse(plain)
  if (url.username !== '' || url.password !== '') refuse('it contains a user name or a password')
  const [secret] = secretParameters(url)
  if (secret !== undefined) refuse(`its query parameter "${secret.slice(0, 60)}" holds a secret`)
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  const path = url.pathname.replace(/\/+$/, '')
  const host = port === undefined ? url.host : `${url.hostname}:{${port}}`
  const address = `${url.protocol}//${host}${path}${url.search === '?' ? '' : url.search}`
  return names.reduce((it, name, at) => it.replace(mark(at), `{${name}}`), address)
}

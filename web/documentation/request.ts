/** The request that a reader composes: what is sent, and what samples of code are made of. */
import {
  multipartBoundary,
  type OperationEntry,
  type Parameter,
  type SecurityScheme,
  type Server,
} from '../../src/api/reader.ts'

export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Null without. */
  readonly body: string | null
}

/** What a reader filled in. */
export interface Filled {
  readonly server: string
  /** By `keyOf` a parameter. */
  readonly values: Readonly<Record<string, string>>
  /** Credentials by the name of their scheme. */
  readonly credentials: Readonly<Record<string, string>>
  readonly bodyType: string | null
  readonly body: string
}

/** The name of a parameter with its place: a header and a query parameter may have the same name. */
export const keyOf = ({ place, name }: Pick<Parameter, 'place' | 'name'>): string => `${place} ${name}`

/** The address of a server with its variables as chosen, else as the document has them; without a slash at the end. */
export const serverUrl = ({ url, variables }: Server, chosen: Readonly<Record<string, string>> = {}): string =>
  variables
    .reduce((address, { name, value }) => address.replaceAll(`{${name}}`, chosen[name] ?? value), url)
    .replace(/\/+$/, '')

/** The origin of an absolute web address; null for every other. */
export const originOf = (address: string): string | null => {
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : null
  return url === null || /[{}*]/.test(url.host) ? null : url.origin
}

const placeholders: Readonly<Record<string, string>> = { basic: 'USER:PASSWORD', bearer: 'TOKEN' }

/** What a sample has where a reader has given no credential. */
export const placeholderOf = ({ type, scheme }: SecurityScheme): string =>
  type === 'apiKey' ? 'KEY' : (placeholders[scheme] ?? 'TOKEN')

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

interface Carried {
  readonly headers: [string, string][]
  readonly query: [string, string][]
  readonly cookies: [string, string][]
}

const carry = (scheme: SecurityScheme, value: string, into: Carried): void => {
  if (scheme.type === 'apiKey') {
    const pair: [string, string] = [scheme.carrier, value]
    if (scheme.place === 'query') into.query.push(pair)
    else if (scheme.place === 'cookie') into.cookies.push(pair)
    else into.headers.push(pair)
  } else if (scheme.scheme === 'basic') into.headers.push(['Authorization', `Basic ${base64(value)}`])
  else if (scheme.type === 'http' && scheme.scheme !== 'bearer')
    into.headers.push(['Authorization', `${scheme.scheme} ${value}`])
  else if (scheme.type !== 'mutualTLS') into.headers.push(['Authorization', `Bearer ${value}`])
}

const isList = ({ view }: Parameter): boolean => {
  const [first] = view?.type ?? []
  return typeof first === 'string' && first.startsWith('array')
}

const filledParameters = (operation: OperationEntry, values: Filled['values'], into: Carried): string => {
  let { path } = operation
  for (const parameter of operation.parameters) {
    const value = values[keyOf(parameter)] ?? ''
    const { name, place } = parameter
    if (place === 'path') path = value === '' ? path : path.replaceAll(`{${name}}`, encodeURIComponent(value))
    else if (value === '') continue
    else if (place === 'header') into.headers.push([name, value])
    else if (place === 'cookie') into.cookies.push([name, value])
    else if (place === 'query')
      for (const one of isList(parameter) ? value.split(',') : [value]) into.query.push([name, one.trim()])
  }
  return path
}

/** The security schemes that a request is made with: the first alternative that has any. */
export const schemesOf = ({ schemes }: OperationEntry): readonly string[] => schemes.find((it) => it.length > 0) ?? []

/** The request of an operation as it is filled in. Credentials that are not given are placeholders. */
export const composeRequest = (
  operation: OperationEntry,
  schemes: readonly SecurityScheme[],
  filled: Filled,
): Request => {
  const carried: Carried = { headers: [], query: [], cookies: [] }
  const path = filledParameters(operation, filled.values, carried)
  for (const name of schemesOf(operation)) {
    const scheme = schemes.find((it) => it.name === name)
    if (scheme) carry(scheme, filled.credentials[name] || placeholderOf(scheme), carried)
  }
  const hasBody = filled.bodyType !== null && filled.body !== ''
  if (hasBody && filled.bodyType !== null) carried.headers.push(['Content-Type', filled.bodyType])
  if (carried.cookies.length > 0)
    carried.headers.push(['Cookie', carried.cookies.map(([name, value]) => `${name}=${value}`).join('; ')])
  const query = carried.query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return {
    method: operation.method,
    url: `${filled.server}${path}${query === '' ? '' : `?${query}`}`,
    headers: carried.headers,
    body: hasBody ? filled.body : null,
  }
}

/** What an operation is filled in with at first: examples and samples of what it requires. */
export const startValues = (operation: OperationEntry, server: string): Filled => {
  const values = operation.parameters
    .filter(({ required }) => required)
    .map((it): [string, string] => [
      keyOf(it),
      it.examples[0]?.text ?? (it.sample === 'string' ? '' : (it.sample ?? '')),
    ])
  const media = operation.body?.media ?? []
  const chosen = media.find(({ type }) => /[/+]json\b/i.test(type)) ?? media[0]
  return {
    server,
    values: Object.fromEntries(values),
    credentials: {},
    ...bodyOf(operation, chosen?.type ?? null),
  }
}

/** The first example of a body in a media type, else what follows from its schema. */
export const bodyOf = (operation: OperationEntry, type: string | null): Pick<Filled, 'bodyType' | 'body'> => {
  const media = operation.body?.media.find((it) => it.type === type)
  const isMultipart = media?.type.startsWith('multipart/form-data') === true
  // The separator of the sample's parts.
  const boundary = isMultipart ? `; boundary=${multipartBoundary}` : ''
  return {
    bodyType: media === undefined ? null : `${media.type}${boundary}`,
    body: media === undefined ? '' : ((isMultipart ? undefined : media.examples[0]?.text) ?? media.sample ?? ''),
  }
}

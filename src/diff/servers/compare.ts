import type { Json } from '../../kernel/json.ts'
import type { Context } from '../context.ts'
import { shapeOf } from '../model/openapi.ts'
import type { Operation, Server, Servers } from '../model/api.ts'
import { rootServers } from '../model/servers.ts'
import { readUrl } from '../model/url.ts'
import { isSameValue } from '../sameness.ts'
import { objectAt } from '../side.ts'

const indexes = new WeakMap<Servers, Map<string, ReadonlySet<string>>>()

/** A key of the parts that are given: without a scheme it is another one than with none in the URL. */
const keyOf = (...parts: readonly (string | null)[]): string => JSON.stringify(parts)

/** All addresses of a list of servers with a path behind them, so that each is read once. */
const addressesOf = (servers: Servers, path: string): ReadonlySet<string> => {
  let byPath = indexes.get(servers)
  if (!byPath) indexes.set(servers, (byPath = new Map()))
  const known = byPath.get(path)
  if (known) return known
  const found = new Set<string>()
  for (const { urls } of servers.list)
    for (const url of urls) {
      const it = readUrl(`${url}${path}`)
      found.add(keyOf(it.path))
      if (it.authority === null) continue
      found.add(keyOf(it.path, it.authority))
      found.add(keyOf(it.path, it.authority, it.scheme))
    }
  byPath.set(path, found)
  return found
}

/** Whether a client of `wanted` reaches the same place there: what a URL does not say depends on where the document is. */
const isReached = (wanted: string, given: ReadonlySet<string>): boolean => {
  const { path, authority, scheme } = readUrl(wanted)
  if (authority === null) return given.has(keyOf(path))
  if (scheme === null) return given.has(keyOf(path, authority))
  return given.has(keyOf(path, authority, scheme)) || given.has(keyOf(path, authority, null))
}

/** Whether values for the variables of a server make this URL; a value is not empty and begins within a part of the path. */
const isInstance = (open: string, url: string): boolean => {
  const [first = '', ...rest] = open.split('{*}')
  if (!url.startsWith(first)) return false
  const begins = (at: number): boolean => at < url.length && !'/?#'.includes(url[at]!)
  let at = first.length
  for (const [i, text] of rest.entries()) {
    if (!begins(at)) return false
    if (i === rest.length - 1) return url.endsWith(text) && url.length - text.length > at
    // The first place from which the next value can begin leaves most to it.
    let found = url.indexOf(text, at + 1)
    while (found >= 0 && !begins(found + text.length)) found = url.indexOf(text, found + 1)
    if (found < 0) return false
    at = found + text.length
  }
  return at === url.length
}

const opens = new WeakMap<Servers, Map<string, OpenUrls>>()

/** The URLs of a list with free variables, by the texts before the first and after the last one: of many servers few are like a URL. */
class OpenUrls {
  readonly #byEnds = new Map<string, string[]>()
  /** How long the texts before and after are, each pair once. */
  readonly #lengths = new Map<number, Set<number>>()

  constructor(servers: Servers, path: string) {
    for (const open of new Set(servers.list.flatMap((it) => it.open ?? []).map((it) => `${it}${path}`))) {
      const first = open.slice(0, open.indexOf('{*}'))
      const last = open.slice(open.lastIndexOf('{*}') + '{*}'.length)
      const key = keyOf(first, last)
      const alike = this.#byEnds.get(key)
      if (alike) alike.push(open)
      else this.#byEnds.set(key, [open])
      this.#lengths.set(first.length, (this.#lengths.get(first.length) ?? new Set()).add(last.length))
    }
  }

  /** Whether values for the variables of one of them make this URL. */
  make(url: string): boolean {
    for (const [before, afters] of this.#lengths)
      for (const after of afters) {
        if (before + after > url.length) continue
        const alike = this.#byEnds.get(keyOf(url.slice(0, before), url.slice(url.length - after)))
        if (alike?.some((it) => isInstance(it, url))) return true
      }
    return false
  }
}

/** The URLs with free variables of a list of servers with a path behind them, so that each is read once. */
const openUrlsOf = (servers: Servers, path: string): OpenUrls => {
  let byPath = opens.get(servers)
  if (!byPath) opens.set(servers, (byPath = new Map()))
  const known = byPath.get(path)
  if (known) return known
  const made = new OpenUrls(servers, path)
  byPath.set(path, made)
  return made
}

/** The URLs of a server from which an operation is gone; `open` where a free variable is no longer one. */
const lossOf = (
  server: Server,
  base: string,
  head: string,
  after: Servers,
): { urls: readonly string[]; open: boolean } => {
  const addresses = addressesOf(after, head)
  const openUrls = openUrlsOf(after, head)
  const isKept = (url: string): boolean => isReached(`${url}${base}`, addresses) || openUrls.make(`${url}${base}`)
  const { open } = server
  return {
    urls: server.urls.filter((url) => !isKept(url)),
    open: open !== null && !openUrls.make(`${open}${base}`.replaceAll('{*}', '~')),
  }
}

const templateOf = ({ open, urls }: Server): string => open ?? urls[0] ?? ''

interface ServerIndex {
  /** The first server of each template, of each URL as it is written, and of each URL that variables make. */
  readonly byTemplate: ReadonlyMap<string, Server>
  readonly byWritten: ReadonlyMap<string, Server>
  readonly byUrl: ReadonlyMap<string, Server>
}

const serverIndexes = new WeakMap<Servers, ServerIndex>()

/** The servers of a list by what they are looked up by, so that two long lists are compared in linear time. */
const indexOf = (servers: Servers): ServerIndex => {
  const known = serverIndexes.get(servers)
  if (known) return known
  const inOrder = servers.list.toReversed()
  const made: ServerIndex = {
    byTemplate: new Map(inOrder.map((it) => [templateOf(it), it])),
    byWritten: new Map(inOrder.filter((it) => objectAt(it.place).url !== undefined).map((it) => [it.written, it])),
    byUrl: new Map(inOrder.flatMap((it) => it.urls.map((url) => [url, it]))),
  }
  serverIndexes.set(servers, made)
  return made
}

/** The comparisons in which the servers of the document were compared. */
const compared = new WeakSet<Context>()

/** The server of a list that is the same one: of the same template, else the first that shares a URL. */
const counterpartOf = (one: Server, among: Servers): Server | undefined => {
  const { byTemplate, byUrl } = indexOf(among)
  const shared = one.urls.find((url) => byUrl.has(url))
  return byTemplate.get(templateOf(one)) ?? (shared === undefined ? undefined : byUrl.get(shared))
}

/** The servers of a list, described as a value. */
const plain = ({ place, list }: Servers): Json => place?.value ?? list.map(({ written }) => ({ url: written }))

/**
 * Compares where an operation is served. What counts is the whole URL (server and path), so that a prefix may move between the
 * two; a client that was built with one of the old URLs has to reach the operation there.
 */
export const compareServers = (
  context: Context,
  operation: string | null,
  a: Operation | null,
  b: Operation | null,
): void => {
  const before = a?.servers ?? rootServers(context.base)
  const after = b?.servers ?? rootServers(context.head)
  const [base, head] = [a, b].map((it) => (it ? shapeOf(it.template) : '')) as [string, string]
  if (base === head && (before.place?.value === after.place?.value || isSameValue(plain(before), plain(after)))) return
  // The servers of the document reach every operation; with one template on both sides they are compared once.
  const inherited = before === rootServers(context.base) && after === rootServers(context.head)
  if (inherited && base === head) {
    if (compared.has(context)) return
    compared.add(context)
  }
  const title = inherited ? null : operation
  const common = {
    direction: null,
    area: 'server',
    base: before.place ?? a?.place ?? context.base.at([]),
    head: after.place ?? b?.place ?? context.head.at([]),
  } as const
  for (const server of before.list) {
    const { urls, open } = lossOf(server, base, head, after)
    const listed = counterpartOf(server, after)
    const breaking = urls.length > 0 || open
    if (listed && breaking)
      context.note(title, {
        ...common,
        kind: 'variables',
        action: 'changed',
        subject: `server ${server.written}`,
        before: server.place.value,
        after: listed.place.value,
        breaking,
        policy: 'server-removed',
        reason:
          urls.length > 0 ? `${urls[0]} is no longer available` : 'other values of a variable are no longer available',
      })
    // The server / of a document without servers is not announced: it is only missed where an operation is gone from it.
    else if (!listed && (breaking || before.place !== null))
      context.note(title, {
        ...common,
        kind: 'itself',
        action: 'removed',
        subject: `server ${server.written}`,
        before: server.written,
        breaking,
        ...(breaking
          ? { policy: 'server-removed' as const, reason: `${urls[0] ?? server.written} is no longer available` }
          : {}),
      })
    else if (listed && isVaried(server, after))
      context.note(title, {
        ...common,
        kind: 'variables',
        action: 'changed',
        subject: `server ${server.written}`,
        before: server.place.value,
        after: listed.place.value,
      })
  }
  for (const server of after.place === null ? [] : after.list)
    if (!counterpartOf(server, before))
      context.note(title, {
        ...common,
        kind: 'itself',
        action: 'added',
        subject: `server ${server.written}`,
        after: server.written,
      })
  compareDescriptions(context, title, before, after)
}

/** Whether the variables of a server are others than before, although every old URL is still there. */
const isVaried = (server: Server, among: Servers): boolean => {
  const other = indexOf(among).byTemplate.get(templateOf(server))
  return other !== undefined && (other.open !== server.open || !isSameValue([...other.urls], [...server.urls]))
}

const compareDescriptions = (context: Context, title: string | null, before: Servers, after: Servers): void => {
  const { byWritten } = indexOf(after)
  for (const { place, written } of before.list) context.docs(title, place, byWritten.get(written)?.place ?? null)
}

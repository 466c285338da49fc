import type { Json } from '../../document/json.ts'
import type { Context } from '../context.ts'
import { shapeOf } from '../model/openapi.ts'
import type { Operation, Server, Servers } from '../model/api.ts'
import { rootServers } from '../model/servers.ts'
import { readUrl } from '../model/url.ts'
import { isSameValue } from '../sameness.ts'
import { objectAt } from '../side.ts'
import type { Place } from '../side.ts'

/** Whether a client of `wanted` reaches the same place at `given`: what a URL does not say depends on where the document is. */
const isSameAddress = (wanted: string, given: string): boolean => {
  const [a, b] = [readUrl(wanted), readUrl(given)]
  if (a.path !== b.path) return false
  if (a.authority === null) return true
  return a.authority === b.authority && (a.scheme === null || b.scheme === null || a.scheme === b.scheme)
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether values for the variables of a server make this URL. */
const isInstance = (open: string, url: string): boolean =>
  new RegExp(`^${open.split('{*}').map(escape).join('[^/?#].*')}$`).test(url)

/** The URLs of a server from which an operation is gone; `open` where a free variable is no longer one. */
const lossOf = (
  server: Server,
  base: string,
  head: string,
  after: Servers,
): { urls: readonly string[]; open: boolean } => {
  const isKept = (url: string): boolean =>
    after.list.some(
      (it) =>
        it.urls.some((other) => isSameAddress(`${url}${base}`, `${other}${head}`)) ||
        (it.open !== null && isInstance(`${it.open}${head}`, `${url}${base}`)),
    )
  const { open } = server
  return {
    urls: server.urls.filter((url) => !isKept(url)),
    open:
      open !== null &&
      !after.list.some(
        (it) => it.open !== null && isInstance(`${it.open}${head}`, `${open}${base}`.replaceAll('{*}', '~')),
      ),
  }
}

const templateOf = ({ open, urls }: Server): string => open ?? urls[0] ?? ''

/** The comparisons in which the servers of the document were compared. */
const compared = new WeakSet<Context>()

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
  const isListed = (one: Server, { list }: Servers): boolean =>
    list.some((it) => templateOf(it) === templateOf(one) || it.urls.some((url) => one.urls.includes(url)))
  for (const server of before.list) {
    const { urls, open } = lossOf(server, base, head, after)
    const listed = isListed(server, after)
    const breaking = urls.length > 0 || open
    if (listed && breaking)
      context.note(title, {
        ...common,
        kind: 'variables',
        action: 'changed',
        subject: `server ${server.written}`,
        before: plain(before),
        after: plain(after),
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
        before: plain(before),
        after: plain(after),
      })
  }
  for (const server of after.place === null ? [] : after.list)
    if (!isListed(server, before))
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
const isVaried = (server: Server, { list }: Servers): boolean => {
  const other = list.find((it) => templateOf(it) === templateOf(server))
  return other !== undefined && (other.open !== server.open || !isSameValue([...other.urls], [...server.urls]))
}

const compareDescriptions = (context: Context, title: string | null, before: Servers, after: Servers): void => {
  const placeIn = ({ list }: Servers, written: string): Place | null =>
    list.find((it) => it.written === written && objectAt(it.place).url !== undefined)?.place ?? null
  for (const { place, written } of before.list) context.docs(title, place, placeIn(after, written))
}

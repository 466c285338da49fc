import { queryOptions } from '@tanstack/react-query'
import { type Hunk, reviewsApi } from '../../../../src/api/reviews.ts'
import { threadsApi, type Thread } from '../../../../src/api/threads.ts'
import { versionsApi } from '../../../../src/api/versions.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'
import { readinessQuery, type VersionRef, versionParams, versionsKey } from '../catalog/versions.ts'

const keyOf = ({ tenant, project, version }: VersionRef) =>
  [...versionsKey(tenant), 'review', project, version] as const

export const reviewsQuery = (at: VersionRef) =>
  queryOptions({
    queryKey: [...keyOf(at), 'reviews'],
    queryFn: () => call(reviewsApi.list, { params: versionParams(at), query: { limit: pageSize } }),
  })

/** As many resolved threads as are shown beside the source; the open ones are all there. */
const mostResolved = 200

const threadsOf = async (at: VersionRef, status: Thread['status'], most: number) => {
  const page = (offset: number) =>
    call(threadsApi.list, { params: versionParams(at), query: { status, limit: pieceSize, offset } })
  const first = await page(0)
  const items = [...first.threads]
  while (items.length < Math.min(first.total, most)) {
    const { threads } = await page(items.length)
    if (threads.length === 0) break
    items.push(...threads)
  }
  return { items, total: first.total }
}

/** The threads of a version, the open ones first, each in the order in which they were opened. */
export const threadsQuery = (at: VersionRef) =>
  queryOptions({
    queryKey: [...keyOf(at), 'threads'],
    queryFn: async () => {
      const open = await threadsOf(at, 'open', Infinity)
      const resolved = await threadsOf(at, 'resolved', mostResolved)
      return { open: open.items, resolved: resolved.items, hidden: resolved.total - resolved.items.length }
    },
  })

/** One thread with all its comments. */
export const threadQuery = (at: VersionRef, thread: string) =>
  queryOptions({
    queryKey: [...keyOf(at), 'thread', thread],
    queryFn: () => call(threadsApi.get, { params: { ...versionParams(at), thread_id: thread } }),
  })

/** Lines of the document are read in pieces of this length. */
export const linesInPiece = 200

export const linesQuery = (at: VersionRef, digest: string, piece: number) =>
  queryOptions({
    queryKey: [...versionsKey(at.tenant), 'lines', at.project, at.version, digest, piece],
    queryFn: () =>
      call(versionsApi.lines, {
        params: versionParams(at),
        query: { limit: linesInPiece, offset: piece * linesInPiece },
      }),
    staleTime: 300_000,
  })

/** The lines that a version changes are read for so many places at once. */
export const hunksInPiece = 50
/** As many places as the page shows. */
export const mostPlaces = 5000

/** Where the lines are that a version changes: without their text. */
export const placesQuery = (at: VersionRef) =>
  queryOptions({
    queryKey: [...versionsKey(at.tenant), 'places', at.project, at.version],
    queryFn: () => call(reviewsApi.hunks, { params: versionParams(at), query: { limit: mostPlaces, lines: 0 } }),
  })

/** The lines of some of the places: an answer has as many as fit in it. `digests` are those of both documents. */
export const hunksQuery = (at: VersionRef, digests: string, piece: number, total: number) =>
  queryOptions({
    queryKey: [...versionsKey(at.tenant), 'hunks', at.project, at.version, digests, piece],
    queryFn: async (): Promise<readonly Hunk[]> => {
      const found: Hunk[] = []
      const wanted = Math.min(hunksInPiece, total - piece * hunksInPiece)
      while (found.length < wanted) {
        const rest = wanted - found.length
        const query = { offset: piece * hunksInPiece + found.length, limit: rest, lines: rest }
        const { hunks } = await call(reviewsApi.hunks, { params: versionParams(at), query })
        if (hunks.length === 0) break
        found.push(...hunks)
      }
      return found
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Some lines of the document, which are not parsed. */
export const aroundQuery = (at: VersionRef, digest: string, first: number, count: number) =>
  queryOptions({
    queryKey: [...versionsKey(at.tenant), 'around', at.project, at.version, digest, first, count],
    queryFn: async () =>
      (
        await call(versionsApi.excerpt, {
          params: versionParams(at),
          query: { offset: first, limit: Math.max(1, Math.min(200, count)) },
        })
      ).lines,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The place of a line. */
export const pointerQuery = (at: VersionRef, digest: string, line: number) =>
  queryOptions({
    queryKey: [...versionsKey(at.tenant), 'pointer', at.project, at.version, digest, line],
    queryFn: async () => {
      const { lines } = await call(versionsApi.lines, { params: versionParams(at), query: { offset: line, limit: 1 } })
      return lines[0]?.pointer ?? ''
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What a version changes: the first pieces of the list, as many as can be shown beside the source. */
export const changesQuery = (at: VersionRef) =>
  queryOptions({
    queryKey: [...versionsKey(at.tenant), 'changes', at.project, at.version],
    queryFn: () => call(versionsApi.changes, { params: versionParams(at), query: { limit: pieceSize } }),
  })

/** The reviews that the person requested, or all of the organization. */
export const reviewsOfQuery = (tenant: string, of: 'authored' | 'all') =>
  queryOptions({
    queryKey: [...versionsKey(tenant), 'reviews', of],
    queryFn: () =>
      call(reviewsApi.mine, {
        params: { tenant_slug: tenant },
        query: { limit: pieceSize, ...(of === 'all' ? {} : { mine: of }) },
      }),
  })

/** Reads what is said about a version again, and whether it can be published. */
export const refreshThreads = async (at: VersionRef): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: keyOf(at) })
  await queryClient.invalidateQueries({ queryKey: readinessQuery(at).queryKey })
}

/** Reads everything of the organization's versions again: a decision or a suggestion changes the gates and the document. */
export const refreshReviews = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: versionsKey(tenant) })

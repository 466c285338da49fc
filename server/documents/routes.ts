import { documentsApi } from '../../src/api/documents.ts'
import {
  chooseCoding,
  commonHeaders,
  type Context,
  isKnown,
  pathOf,
  Reply,
  type Route,
  routesOf,
  takesCoding,
} from '../http/door.ts'
import type { VersionRow } from '../records/door.ts'
import type { Deps } from '../kit/door.ts'
import { changesPart } from './siblings.ts'
import { negotiateSyntax } from './negotiate.ts'
import { lifecycleHeaders } from './lifecycle.ts'
import { versionPage, type PageAssets } from './page.ts'
import { readerTokenOf } from './reader.ts'
import type { RefsMode, Rendering } from '../analysis/door.ts'
import type { RecentDocuments } from './recent.ts'
import type { DocumentService } from './service.ts'

interface Params {
  readonly tenant_slug: string
  readonly project_slug: string
  readonly version_slug: string
  readonly class_name?: string
}

const placeOf = (params: Params) => ({
  projectSlug: params.project_slug,
  versionSlug: params.version_slug,
})

const isPublic = (version: VersionRow): boolean => version.visibility === 'public' && version.status !== 'draft'

/** Public documents may be kept by caches that ask again each time; private ones only by the reader's own. */
const cachingOf = (version: VersionRow): string => (isPublic(version) ? 'public, no-cache' : 'private, no-cache')

/** The routes of rendered documents and of the page. */
export function documentRoutes(
  deps: Deps,
  service: DocumentService,
  recent: RecentDocuments,
  assets: PageAssets,
): Route[] {
  const send = async (
    params: Params,
    context: Context,
    kind: Rendering['kind'],
    { syntax, refs = 'bundle' }: { readonly syntax: 'json' | 'yaml'; readonly refs?: RefsMode | undefined },
  ): Promise<Reply> => {
    const { epoch } = recent
    const { tenant, project, version } = await service.find(
      placeOf(params),
      context.grant,
      readerTokenOf(context.request),
    )
    const className = params.class_name ?? null
    const rendered = await service.render(version, { kind, className, syntax, refs })
    const wanted = chooseCoding(context.request.headers.get('accept-encoding'))
    const { bytes, etag, mediaType, coding } = await service.encode(rendered, wanted)
    const headers = {
      'content-type': mediaType,
      etag,
      ...(coding === null ? {} : { 'content-encoding': coding }),
      vary: 'accept, accept-encoding, authorization, x-api-key, cookie',
      'cache-control': cachingOf(version),
      'access-control-allow-origin': '*',
      // A document with a reference that names no type never goes out without a sign.
      ...(rendered.unresolved === 0 ? {} : { 'x-svc-unresolved': String(rendered.unresolved) }),
      ...lifecycleHeaders(version, { tenant, project }),
    }
    if (!isPublic(version)) recent.forget(context.request.url)
    else if (recent.wants(context.request)) {
      const route = context.endpoint.path
      const sent = { route, body: new Blob([bytes]), etag, headers: { ...commonHeaders, ...headers } }
      recent.remember(context.request, sent, epoch)
    }
    if (isKnown(context.ifNoneMatch, etag)) return new Reply({ status: 304, headers, body: null })
    return new Reply({ headers, body: bytes })
  }
  const either =
    (kind: Rendering['kind']) => (input: { params: Params; query?: { refs?: RefsMode } }, context: Context) =>
      send(input.params, context, kind, { syntax: negotiateSyntax(context.accept), refs: input.query?.refs })
  return routesOf(documentsApi, {
    openapi: ({ params, query }, context) => send(params, context, 'openapi', { syntax: 'json', refs: query?.refs }),
    openapiClass: either('openapi'),
    jsonSchema: either('json-schema'),
    jsonSchemaClass: either('json-schema'),
    arazzo: either('arazzo'),
    arazzoClass: either('arazzo'),
    page: async ({ params, query }, { grant, request }) => {
      const found = await service.find(placeOf(params), grant, readerTokenOf(request))
      const { principal } = grant
      const linked = query?.api_key !== undefined && principal?.kind === 'api-key' && !isPublic(found.version)
      return versionPage(deps, found, service, assets, {
        path: pathOf(request),
        keyId: linked ? principal.keyId : null,
        isMember: grant.permissions.has('versions:view'),
        isSignedIn: principal?.kind === 'user',
      })
    },
    part: async ({ params, query }, { grant, request, ifNoneMatch }) => {
      const found = await service.find(placeOf(params), grant, readerTokenOf(request))
      if (params.part_name === 'changes') return changesPart(deps, found, grant.permissions.has('versions:view'))
      const { bytes, stamp } = await service.parts.part(found.version, params.part_name)
      const etag = `"${stamp}-${encodeURIComponent(params.part_name)}"`
      const isCurrent = query?.of === stamp
      const headers = {
        'content-type': 'application/json',
        etag,
        vary: 'accept-encoding, authorization, x-api-key, cookie',
        // What the stamp names never changes; only the reader's own cache keeps it.
        'cache-control': isCurrent ? 'private, max-age=31536000, immutable' : cachingOf(found.version),
      }
      if (isKnown(ifNoneMatch, etag)) return new Reply({ status: 304, headers, body: null })
      if (takesCoding(request.headers.get('accept-encoding'), 'gzip'))
        return new Reply({ headers: { ...headers, 'content-encoding': 'gzip' }, body: bytes })
      return new Reply({ headers, body: Bun.gunzipSync(bytes) })
    },
  })
}

import { versionsApi } from '../../src/api/versions.ts'
import { type Deps, pageOf, stablePageOf } from '../kit/door.ts'
import { type Context, Reply, type Route, routesOf } from '../http/door.ts'
import { readDocumentBody } from './body.ts'
import { changesOf } from './changes.ts'
import { downloadDocument, downloadLineage } from './download.ts'
import { createVersion, replaceDocument, updateVersion, type NewVersion } from './drafts.ts'
import { excerptOf, linesOf } from './lines.ts'
import { deprecateVersion, retireVersion, undeprecateVersion } from './lifecycle.ts'
import { getVersion, listOperations, listVersions, removeVersion } from './service.ts'

/** What a request for a new version says: the fields of a JSON body, or a document with the rest in the query. */
async function newVersionOf(body: unknown, context: Context): Promise<NewVersion> {
  if (context.mediaType === null) {
    const { content, ...fields } = body as Omit<NewVersion, 'content'> & { readonly content?: string }
    return content === undefined
      ? fields
      : { ...fields, content: { bytes: new TextEncoder().encode(content), name: null } }
  }
  return { content: await documentIn(body, context) }
}

const documentIn = (body: unknown, { mediaType, request }: Context) =>
  readDocumentBody(body as Uint8Array<ArrayBuffer>, mediaType, request.headers.get('content-type') ?? '')

// Publishing looks at reviews and gateways, which look at versions: its routes are in server/publishing.
const { readiness: _readiness, publish: _publish, ...own } = versionsApi

/** The routes of versions, without those of publishing. */
export const versionRoutes = (deps: Deps): Route[] =>
  routesOf(own, {
    list: ({ params, query }, { grant }) =>
      listVersions(deps, grant, params.project_ref, {
        ...stablePageOf('versions', query),
        status: query?.status ?? null,
      }),
    get: ({ params }, { grant }) => getVersion(deps, grant, params.project_ref, params.version_ref),
    create: async ({ params, query, body }, context) => {
      const input = { ...(await newVersionOf(body, context)), ...query }
      return createVersion(deps, context.grant, params.project_ref, input)
    },
    update: ({ params, body }, { grant, ifMatch }) =>
      updateVersion(deps, grant, { project: params.project_ref, version: params.version_ref }, body, ifMatch),
    remove: async ({ params }, { grant }) => {
      await removeVersion(deps, grant, params.project_ref, params.version_ref)
      return null
    },
    document: ({ params }, context) =>
      downloadDocument(deps, context.grant, { project: params.project_ref, version: params.version_ref }, context),
    lineage: ({ params }, { grant }) =>
      downloadLineage(deps, grant, { project: params.project_ref, version: params.version_ref }, params.digest),
    putDocument: async ({ params, body }, context) => {
      const refs = { project: params.project_ref, version: params.version_ref }
      const document = await documentIn(body, context)
      const { record, etag } = await replaceDocument(deps, context.grant, refs, document, context.ifMatch)
      return Reply.json(record, { etag })
    },
    changes: ({ params, query }, { grant }) =>
      changesOf(
        deps,
        grant,
        { project: params.project_ref, version: params.version_ref, base: query?.base ?? null },
        pageOf(query),
      ),
    lines: ({ params, query }, { grant }) =>
      linesOf(
        deps,
        grant,
        { project: params.project_ref, version: params.version_ref },
        { limit: query?.limit ?? 200, offset: query?.offset ?? 0 },
      ),
    excerpt: ({ params, query }, { grant }) =>
      excerptOf(
        deps,
        grant,
        { project: params.project_ref, version: params.version_ref },
        { limit: query?.limit ?? 50, offset: query?.offset ?? 0, character: query?.character ?? 0 },
      ),
    operations: ({ params, query }, { grant }) =>
      listOperations(deps, grant, params.project_ref, params.version_ref, {
        ...pageOf(query),
        q: query?.q ?? null,
        tag: query?.tag ?? null,
      }),
    deprecate: ({ params, body }, { grant }) =>
      deprecateVersion(deps, grant, params.project_ref, params.version_ref, body ?? {}),
    undeprecate: ({ params }, { grant }) => undeprecateVersion(deps, grant, params.project_ref, params.version_ref),
    retire: ({ params }, { grant }) => retireVersion(deps, grant, params.project_ref, params.version_ref),
  })

import { primitivesApi } from '../../src/api/primitives.ts'
import type { Deps } from '../kit/door.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import type { Reach } from '../sources/door.ts'
import { compareRevisions } from './compare.ts'
import { listFacets } from './facets.ts'
import { askImpact, getImpact } from './ask-impact.ts'
import { resolveReference, showType, unresolvedRefs, usageOf } from './graph.ts'
import { registryHealth } from './health.ts'
import { getImport, importTypes, listImports } from './import.ts'
import { listPrimitives } from './list.ts'
import { repin } from './repin.ts'
import { reviewTypes } from './review.ts'
import {
  createPrimitive,
  deletePrimitive,
  deprecatePrimitive,
  getPrimitive,
  getRevision,
  listRevisions,
  updatePrimitive,
} from './service.ts'
import { stageTypes } from './stage.ts'
import { suggestTypes } from './suggest.ts'

/** The routes of the registry of types. */
export const primitiveRoutes = (deps: Deps & { readonly reach: Reach }): Route[] =>
  routesOf(primitivesApi, {
    health: () => registryHealth(deps.db.read),
    list: ({ query }, { grant }) => listPrimitives(deps, grant, query ?? {}),
    create: ({ body }, { grant }) => createPrimitive(deps, grant, body),
    import: ({ body }, { grant }) => importTypes(deps, grant, body),
    review: ({ body }, { grant }) => reviewTypes(deps, grant, body),
    stage: ({ body }, { grant, signal }) => stageTypes(deps, grant, body, signal),
    imports: ({ query }, { grant }) => listImports(deps, grant, query?.limit ?? 50),
    importRecord: ({ params }, { grant }) => getImport(deps, grant, params.import_id),
    facets: (_, { grant }) => listFacets(deps, grant),
    unresolved: (_, { grant }) => unresolvedRefs(deps, grant),
    resolve: ({ query }, { grant }) => resolveReference(deps, grant, query.ref, query.version_id ?? null),
    type: ({ params }, { grant, ifNoneMatch }) => showType(deps, grant, params.type_path, ifNoneMatch),
    get: async ({ params }, { grant }) => {
      const { record, etag } = await getPrimitive(deps, grant, params.primitive_id)
      return Reply.json(record, { etag })
    },
    update: async ({ params, body }, { grant, ifMatch }) => {
      const { record, etag } = await updatePrimitive(deps, grant, { id: params.primitive_id, ifMatch }, body)
      return Reply.json(record, { etag })
    },
    delete: async ({ params }, { grant }) => {
      await deletePrimitive(deps, grant, params.primitive_id)
      return null
    },
    revisions: ({ params, query }, { grant }) => listRevisions(deps, grant, params.primitive_id, query?.limit ?? 50),
    revision: ({ params }, { grant }) => getRevision(deps, grant, params.primitive_id, params.revision),
    compare: ({ params, body }, { grant }) => compareRevisions(deps, grant, params.primitive_id, body),
    usage: ({ params, query }, { grant }) => usageOf(deps, grant, params.primitive_id, query?.depth ?? 1),
    impact: async ({ params, body }, { grant, signal }) => {
      const answer = await askImpact(deps, grant, params.primitive_id, body.schema, signal)
      if ('impact' in answer) return answer.impact
      const location = `/v1/primitives/${encodeURIComponent(params.tenant_slug)}/impacts/${answer.job.job_id}`
      return Reply.json(answer.job, { location }, 202)
    },
    impactJob: ({ params, query }, { grant, signal }) =>
      getImpact(deps, grant, params.job_id, (query?.wait ?? 0) * 1000, signal),
    suggestions: ({ body }, { grant }) => suggestTypes(deps, grant, body),
    repin: ({ params, body }, { grant }) =>
      repin(deps, grant, { project: params.project_ref, version: params.version_ref }, body),
    deprecate: ({ params, body }, { grant }) => deprecatePrimitive(deps, grant, params.primitive_id, body),
  })

import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { type Deps, pageOf, stablePageOf } from '../kit/door.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import { assign, assignmentOf, listAssignments, makeDefault, unassign } from './assignments.ts'
import { createPack, getPack, listPacks } from './packs.ts'
import { impactOf } from './impact.ts'
import { previewCustomRules } from './preview.ts'
import { getRelint, startRelint } from './relint.ts'
import {
  createGuide,
  getCustomRules,
  getGuide,
  getPolicy,
  listGuides,
  listRules,
  putCustomRules,
  putPolicy,
  removeGuide,
  setRule,
  updateGuide,
} from './service.ts'

/** The routes of style guides. */
export const styleGuideRoutes = (deps: Deps): Route[] =>
  routesOf(styleGuidesApi, {
    list: ({ query }, { grant }) => listGuides(deps, grant, pageOf(query)),
    create: ({ body }, { grant }) => createGuide(deps, grant, body),
    assignments: ({ query }, { grant }) =>
      listAssignments(deps, grant, stablePageOf('assignments', query), query ?? {}),
    unassign: ({ params }, { grant }) => unassign(deps, grant, params.project_id),
    assignment: ({ params }, { grant }) => assignmentOf(deps, grant, params.project_id),
    startRelint: async ({ params, body }, { grant }) => {
      const job = await startRelint(deps, grant, body.guideId ?? null)
      const location = `/v1/style-guides/${encodeURIComponent(params.tenant_slug)}/jobs/relints/${job.jobId}`
      return Reply.json(job, { location }, 202)
    },
    relint: ({ params, query }, { grant, signal }) =>
      getRelint(deps, grant, params.job_id, (query?.wait ?? 0) * 1000, signal),
    get: ({ params }, { grant }) => getGuide(deps, grant, params.guide_id),
    update: ({ params, body }, { grant }) => updateGuide(deps, grant, params.guide_id, body),
    remove: ({ params }, { grant }) => removeGuide(deps, grant, params.guide_id),
    rules: ({ params }, { grant }) => listRules(deps, grant, params.guide_id),
    setRule: ({ params, body }, { grant }) => setRule(deps, grant, params.guide_id, params.rule_id, body),
    assign: ({ params }, { grant }) => assign(deps, grant, params.guide_id, params.project_id),
    customRules: ({ params }, { grant }) => getCustomRules(deps, grant, params.guide_id),
    putCustomRules: ({ params, body }, { grant }) => putCustomRules(deps, grant, params.guide_id, body.yaml),
    previewCustomRules: ({ params, body }, { grant }) => previewCustomRules(deps, grant, params.guide_id, body),
    makeDefault: ({ params }, { grant }) => makeDefault(deps, grant, params.guide_id),
    policy: ({ params }, { grant }) => getPolicy(deps, grant, params.guide_id),
    putPolicy: ({ params, body }, { grant }) => putPolicy(deps, grant, params.guide_id, body),
    policyVersions: ({ params, query }, { grant }) =>
      listPacks(deps, grant, params.guide_id, stablePageOf('policy-packs', query)),
    createPolicyVersion: ({ params }, { grant }) => createPack(deps, grant, params.guide_id),
    policyVersion: ({ params }, { grant }) => getPack(deps, grant, params.guide_id, params.policy_version_id),
    impact: ({ params, query }, { grant }) =>
      impactOf(deps, grant, params.guide_id, {
        versions: query?.versions ?? 'latest',
        limit: query?.limit ?? 20,
        offset: query?.offset ?? 0,
      }),
  })

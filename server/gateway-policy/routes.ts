import { environmentsApi } from '../../src/api/environments.ts'
import { exportCap, gatewayRecordsApi } from '../../src/api/gateway-records.ts'
import { gatewayApi } from '../../src/api/gateway.ts'
import { gatewayEventsApi } from '../../src/api/gateway-events.ts'
import { gatewayPositiveApi } from '../../src/api/gateway-positive.ts'
import { type Deps, pageOf, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { applyApproval, approve } from './apply.ts'
import { listApprovals } from './approvals.ts'
import { exportAudit, listAudit } from './audit.ts'
import type { PolicyDeps } from './enforcement.ts'
import {
  createEnvironment,
  listEnvironments,
  removeEnvironment,
  showEnvironment,
  updateEnvironment,
} from './environments.ts'
import { draftException, listEvents, showEvent } from './events.ts'
import { createException, listExceptions, removeException } from './exceptions.ts'
import { importEvents } from './import-events.ts'
import { setPositive, showPositive } from './positive.ts'
import { previewChange } from './preview.ts'
import { listManagedGroups, setManagedGroup, setPresets } from './presets.ts'
import { createRule, previewRule, removeRule, restoreRule, updateRule } from './rules.ts'
import { showPolicy } from './show.ts'
import { eventCounts } from './timeline.ts'
import { listVersions, restoreVersion } from './versions.ts'

const environmentRoutes = (deps: PolicyDeps): Route[] =>
  routesOf(environmentsApi, {
    list: ({ query }, { grant }) => listEnvironments(deps, grant, pageOf(query)),
    create: ({ body }, { grant }) => createEnvironment(deps, grant, body),
    get: ({ params }, { grant }) => showEnvironment(deps, grant, params.environment_id),
    update: ({ params, body }, { grant }) => updateEnvironment(deps, grant, params.environment_id, body),
    remove: async ({ params, query }, { grant }) => {
      await removeEnvironment(deps, grant, params.environment_id, query ?? {})
      return null
    },
  })

const securityRoutes = (deps: PolicyDeps): Route[] =>
  routesOf(gatewayApi, {
    get: ({ params }, { grant }) => showPolicy(deps, grant, params.environment_id),
    setPresets: ({ params, body }, { grant }) => setPresets(deps, grant, params.environment_id, body),
    managedGroups: ({ params }, { grant }) => listManagedGroups(deps, grant, params.environment_id),
    setManagedGroup: ({ params, body }, { grant }) =>
      setManagedGroup(deps, grant, params.environment_id, params.group_id, body),
    createRule: ({ params, body }, { grant }) => createRule(deps, grant, params.environment_id, body),
    previewRule: ({ params, body }, { grant }) => previewRule(deps, grant, params.environment_id, body),
    updateRule: ({ params, body }, { grant }) => updateRule(deps, grant, params.environment_id, params.rule_id, body),
    removeRule: ({ params, query }, { grant }) =>
      removeRule(deps, grant, params.environment_id, params.rule_id, query ?? {}),
    restoreRule: ({ params, body }, { grant }) =>
      restoreRule(deps, grant, params.environment_id, params.rule_id, body ?? {}),
    exceptions: ({ params, query }, { grant }) =>
      listExceptions(deps, grant, params.environment_id, query?.include_expired === true),
    createException: ({ params, body }, { grant }) => createException(deps, grant, params.environment_id, body),
    removeException: ({ params, query }, { grant }) =>
      removeException(deps, grant, params.environment_id, params.exception_id, query),
    policyVersions: ({ params, query }, { grant }) =>
      listVersions(deps, grant, params.environment_id, {
        ...stablePageOf('policy-versions', query),
        from: query?.from ?? null,
        to: query?.to ?? null,
      }),
    restorePolicyVersion: ({ params, body }, { grant }) =>
      restoreVersion(deps, grant, params.environment_id, params.version, body ?? {}),
  })

const recordRoutes = (deps: PolicyDeps): Route[] =>
  routesOf(gatewayRecordsApi, {
    approvals: ({ params, query }, { grant }) =>
      listApprovals(deps, grant, params.environment_id, stablePageOf('approvals', query)),
    approve: ({ params, body }, { grant }) => approve(deps, grant, params.environment_id, body),
    applyApproval: ({ params, body }, { grant }) =>
      applyApproval(deps, grant, params.environment_id, params.approval_id, body ?? {}),
    audit: ({ params, query }, { grant }) =>
      listAudit(deps, grant, params.environment_id, stablePageOf('gateway-audit', query)),
    exportAudit: ({ params, query }, { grant }) =>
      exportAudit(deps, grant, params.environment_id, query?.limit ?? exportCap),
    events: ({ params, query }, { grant }) =>
      listEvents(deps, grant, params.environment_id, query ?? {}, stablePageOf('gateway-events', query)),
    importEvents: ({ params, body }, { grant }) => importEvents(deps, grant, params.environment_id, body as Uint8Array),
    event: ({ params }, { grant }) => showEvent(deps, grant, params.environment_id, params.event_id),
    draftException: ({ params }, { grant }) => draftException(deps, grant, params.environment_id, params.event_id),
  })

const positiveRoutes = (deps: PolicyDeps): Route[] =>
  routesOf(gatewayPositiveApi, {
    positive: ({ params }, { grant }) => showPositive(deps, grant, params.environment_id),
    setPositive: ({ params, body }, { grant }) => setPositive(deps, grant, params.environment_id, body),
    preview: ({ params, body }, { grant }) => previewChange(deps, grant, params.environment_id, body.change),
  })

const timelineRoutes = (deps: Deps): Route[] =>
  routesOf(gatewayEventsApi, {
    eventCounts: ({ params, query }, { grant }) => eventCounts(deps, grant, params.environment_id, query ?? {}),
  })

/** The routes of environments, of their security policies, and of what gateways recorded. */
export const policyRoutes = (deps: PolicyDeps): Route[] => [
  ...environmentRoutes(deps),
  ...securityRoutes(deps),
  ...recordRoutes(deps),
  ...positiveRoutes(deps),
  ...timelineRoutes(deps),
]

/** What declarations of operations share: who may call them, paths with their parameters, errors of what a path names, counts of a page. */
import { Type } from '@sinclair/typebox'
import { orNull } from '../kernel/shapes.ts'
import type { Permission } from './permissions.ts'

/** People and programs, with this permission (null: every member). */
export const may = <const P extends Permission | null>(permission: P) =>
  ({ credentials: ['user', 'api-key'], permission }) as const

/** People alone, with this permission (null: every member, or everybody who is signed in). */
export const person = <const P extends Permission | null>(permission: P) =>
  ({ credentials: ['user'], permission }) as const

/** The same for callers who see only some projects: it reads nothing of others. */
export const listed = <const A extends object>(access: A) => ({ ...access, guests: 'listed' }) as const

/** Only for callers who see the whole organization, although the path names a project: it reaches more than that. */
export const closed = <const A extends object>(access: A) => ({ ...access, guests: 'closed' }) as const

/** People alone, and only in a session of the application: no access token, no command line. */
export const inBrowser = <const P extends Permission | null>(permission: P) =>
  ({ credentials: ['user'], permission, from: 'browser' }) as const

/** The operator, in a browser: an active owner of the organization "local". */
export const operator = { credentials: ['user'], permission: null, from: 'operator' } as const

export const tenantPath = '/v1/tenants/{tenant_slug}'
export const projectPath = `${tenantPath}/projects/{project_ref}` as const
export const versionPath = `${projectPath}/versions/{version_ref}` as const
export const environmentsPath = '/v1/slate/environments'
export const securityPath = `${environmentsPath}/{environment_id}/security` as const
/** Paths of the application alone: any release may change them. */
export const appTenantPath = '/_app/tenants/{tenant_slug}'
export const appProjectPath = `${appTenantPath}/projects/{project_ref}` as const

/** A parameter of a path that is an id. */
export const idParam = Type.String({ minLength: 1 })
export const tenantParams = { tenant_slug: idParam }
export const projectParams = {
  ...tenantParams,
  project_ref: Type.String({ minLength: 1, description: 'Id or slug of a project.' }),
}
export const versionParams = {
  ...projectParams,
  version_ref: Type.String({ minLength: 1, description: 'Id, label or slug of a version, or "latest".' }),
}
/** The same project, where the path calls it project_id. */
export const projectIdParams = { ...tenantParams, project_id: projectParams.project_ref }

/** A published version, as links and agents name it. */
export const publishedParams = {
  ...tenantParams,
  project_slug: idParam,
  version_slug: Type.String({ minLength: 1, description: 'Label or slug of a version, or "latest".' }),
}
export const publishedPath = '{tenant_slug}/{project_slug}/{version_slug}'

/** The organization of an environment is that of the credentials; a person who belongs to several names one of them. */
export const tenantSlugQuery = {
  tenantSlug: Type.Optional(
    orNull(
      Type.String({
        description: 'Ignored for keys. A person who belongs to several organizations names the one that is meant.',
      }),
    ),
  ),
}
export const environmentParams = {
  environment_id: Type.String({ minLength: 1, description: 'Id or slug of an environment.' }),
}
export const viewSecurity = { ...may('security:view'), tenancy: 'credential' } as const
export const editSecurity = { ...may('security:edit'), tenancy: 'credential' } as const
/** What operations of one environment take. */
export const inEnvironment = { params: Type.Object(environmentParams), query: Type.Object(tenantSlugQuery) } as const

/** A path that names a version may name none. */
export const versionErrors = ['project-not-found', 'version-not-found'] as const
/** A request that names an environment may name none, or no organization. */
export const environmentErrors = ['tenant-unnamed', 'environment-not-found'] as const

/** Of what agents and others ask alike. */
export const agentHeaders = Type.Object({
  'x-svc-via': Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'mcp: an agent asks. The tools that the organization allows its agents then bind every kind of credentials.',
    }),
  ),
})

/** How many rows there are, and which page of them this is. */
export const pageCounts = { total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() }
export const nextCursor = Type.Optional(
  Type.String({ description: 'Cursor of the next page; absent on the last page.' }),
)
/** The same of a list that can be read by cursors. */
export const stableCounts = { ...pageCounts, next_cursor: nextCursor }
/** The same, with the number of rows on this page. */
export const countedStablePage = { count: Type.Integer(), ...stableCounts }

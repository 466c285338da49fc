import type { CompatibilitySettings } from './compatibility/check.ts'
import type { Deps } from './kit/deps.ts'
import type { Identity } from './sign-in/identity.ts'
import type { RecentDocuments } from './documents/recent.ts'
import type { DocumentService } from './documents/service.ts'
import type { Route } from './http/handler.ts'
import type { Feature } from './http/operations.ts'
import type { Reach } from './sources/reach.ts'

/** What the routes of all features work with. */
export interface FeatureParts {
  readonly deps: Deps
  readonly identity: Identity
  readonly documents: DocumentService
  readonly recent: RecentDocuments
  readonly reach: Reach
  readonly compatibility: CompatibilitySettings
  /** The version of the program. */
  readonly version: string
}

interface LazyFeature {
  /** What the ids of its operations begin with: "projects" of "projects.list". */
  readonly groups: readonly string[]
  readonly load: (parts: FeatureParts) => Promise<Route[]>
}

const identityGroups = ['agent-keys', 'app', 'auth', 'invitations', 'mcp-capabilities', 'mcp-keys', 'members']

/** Every feature of the service. A command calls one or two operations: it loads the code of those. */
const features: readonly LazyFeature[] = [
  {
    groups: [
      ...identityGroups,
      'onboarding',
      'role-rules',
      'scim',
      'scim-tokens',
      'second-factors',
      'teams',
      'project-access',
      'tenants',
      'trusts',
    ],
    load: async ({ identity }) => (await import('./identity-routes.ts')).identityRoutes(identity),
  },
  {
    groups: ['projects'],
    load: async ({ deps }) => (await import('./projects/routes.ts')).projectRoutes(deps),
  },
  {
    groups: ['project-views', 'project-bulk'],
    load: async ({ deps }) => (await import('./projects/list-routes.ts')).projectListRoutes(deps),
  },
  {
    groups: ['bin'],
    load: async ({ deps }) => {
      const [{ binRoutes }, { restorers }] = await Promise.all([import('./bin/routes.ts'), import('./restorers.ts')])
      return binRoutes(deps, restorers)
    },
  },
  {
    groups: ['home'],
    load: async ({ identity }) => (await import('./home/routes.ts')).homeRoutes(identity),
  },
  {
    groups: ['inbox'],
    load: async ({ deps }) => (await import('./home/inbox-routes.ts')).inboxRoutes(deps),
  },
  {
    groups: ['insights'],
    load: async ({ deps }) => (await import('./insights/routes.ts')).insightRoutes(deps),
  },
  {
    groups: ['dependencies'],
    load: async ({ deps }) => (await import('./dependencies/routes.ts')).dependencyRoutes(deps),
  },
  {
    groups: ['search'],
    load: async ({ deps }) => (await import('./search/routes.ts')).searchRoutes(deps),
  },
  {
    groups: ['versions'],
    load: async ({ deps }) => {
      const [{ versionRoutes }, { publishingRoutes }] = await Promise.all([
        import('./versions/routes.ts'),
        import('./publishing/routes.ts'),
      ])
      return [...versionRoutes(deps), ...publishingRoutes(deps)]
    },
  },
  {
    groups: ['edits'],
    load: async ({ deps }) => (await import('./edits/routes.ts')).editRoutes(deps),
  },
  {
    groups: ['imports'],
    load: async ({ deps, identity }) => (await import('./imports/routes.ts')).importRoutes(deps, identity.gatekeeper),
  },
  {
    groups: ['documents'],
    load: async ({ deps, documents, recent }) => {
      const [{ documentRoutes }, { openWeb }] = await Promise.all([
        import('./documents/routes.ts'),
        import('./web/serve.ts'),
      ])
      return documentRoutes(deps, documents, recent, openWeb)
    },
  },
  {
    groups: ['llms'],
    load: async ({ deps, documents }) => (await import('./documents/llms-routes.ts')).llmsRoutes(deps, documents),
  },
  {
    groups: ['portal'],
    load: async ({ deps }) => {
      const [{ portalRoutes }, { openWeb }] = await Promise.all([
        import('./portal/routes.ts'),
        import('./web/serve.ts'),
      ])
      return portalRoutes(deps, openWeb)
    },
  },
  {
    groups: ['lint'],
    load: async ({ deps, reach }) => (await import('./lint/routes.ts')).lintRoutes({ ...deps, reach }),
  },
  {
    groups: ['style-guides'],
    load: async ({ deps }) => (await import('./style-guides/routes.ts')).styleGuideRoutes(deps),
  },
  {
    groups: ['specs'],
    load: async ({ deps, documents, version }) =>
      (await import('./specs/routes.ts')).specRoutes(deps, documents, version),
  },
  {
    groups: ['checks'],
    load: async ({ deps, documents }) => (await import('./checks/routes.ts')).checkRoutes(deps, documents),
  },
  {
    groups: ['diff'],
    load: async ({ deps }) => (await import('./diff/routes.ts')).diffRoutes(deps),
  },
  {
    groups: ['primitives'],
    load: async ({ deps, reach }) => (await import('./primitives/routes.ts')).primitiveRoutes({ ...deps, reach }),
  },
  {
    groups: ['consumers'],
    load: async ({ deps }) => (await import('./consumers/routes.ts')).consumerRoutes(deps),
  },
  {
    groups: ['threads'],
    load: async ({ deps }) => (await import('./threads/routes.ts')).threadRoutes(deps),
  },
  {
    groups: ['reviews'],
    load: async ({ deps }) => (await import('./reviews/routes.ts')).reviewRoutes(deps),
  },
  {
    groups: ['notifications'],
    load: async ({ deps }) => (await import('./notifications/routes.ts')).notificationRoutes(deps),
  },
  {
    groups: ['notification-targets', 'project-watches'],
    load: async ({ deps }) => (await import('./news/routes.ts')).newsRoutes(deps),
  },
  {
    groups: ['webhooks'],
    load: async ({ deps }) => (await import('./webhooks/routes.ts')).webhookRoutes(deps),
  },
  {
    groups: ['linked-accounts'],
    load: async ({ deps }) => (await import('./linked-accounts/routes.ts')).linkedAccountRoutes(deps),
  },
  {
    groups: ['providers'],
    load: async ({ deps }) => (await import('./providers/routes.ts')).providerRoutes(deps),
  },
  {
    groups: ['operator'],
    load: async ({ deps, version }) => (await import('./operator/routes.ts')).operatorRoutes(deps, version),
  },
  {
    groups: ['repositories'],
    load: async ({ deps }) => (await import('./repository-sync/routes.ts')).repositoryRoutes(deps),
  },
  {
    groups: ['bindings'],
    load: async ({ deps }) => (await import('./bindings/routes.ts')).bindingRoutes(deps),
  },
  {
    groups: ['repository-hooks'],
    load: async ({ deps }) => (await import('./hooks/routes.ts')).hookRoutes(deps),
  },
  {
    groups: ['mcp-servers', 'mcp-registry'],
    load: async ({ deps }) => (await import('./mcp-servers/routes.ts')).mcpServerRoutes(deps),
  },
  {
    groups: ['environments', 'gateway', 'enforcers', 'enforcer-self', 'releases'],
    async load({ deps }) {
      const [{ policyRoutes }, { enforcement }, { gatewayRoutes }] = await Promise.all([
        import('./gateway-policy/routes.ts'),
        import('./gateway/enforcement.ts'),
        import('./gateway/routes.ts'),
      ])
      return [...policyRoutes({ ...deps, enforcement }), ...gatewayRoutes(deps)]
    },
  },
  {
    groups: ['change-reports'],
    load: async ({ deps }) => (await import('./change-reports/routes.ts')).changeReportRoutes(deps),
  },
  {
    groups: ['migration-plans'],
    load: async ({ deps }) => (await import('./migration-plans/routes.ts')).migrationPlanRoutes(deps),
  },
  {
    groups: ['compatibility'],
    load: async ({ deps, compatibility: settings, version }) =>
      (await import('./compatibility/routes.ts')).compatibilityRoutes({ ...deps, settings, version }),
  },
]

const groupOf = (id: string): string => id.slice(0, id.indexOf('.'))

/** The features of a service over what they work with; each loads its code with the first call. */
export const featuresOver = (parts: FeatureParts): Feature[] =>
  features.map(({ groups, load }) => ({ has: (id) => groups.includes(groupOf(id)), load: () => load(parts) }))

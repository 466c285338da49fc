import { agentKeyRoutes } from '../agent-keys/routes.ts'
import { mcpKeyRoutes } from '../mcp-keys/routes.ts'
import { memberRoutes } from '../members/routes.ts'
import type { Route } from '../mount.ts'
import { onboardingRoutes } from '../onboarding/routes.ts'
import { tenantRoutes } from '../tenants/routes.ts'
import { deviceRoutes } from './device-routes.ts'
import type { Identity } from './identity.ts'
import { oidcRoutes } from './oidc-routes.ts'
import { applicationRoutes, authRoutes } from './routes.ts'

/** Every route of identity: signing in, tenants, onboarding, members and keys. */
export const identityRoutes = (identity: Identity): Route[] => [
  ...authRoutes(identity),
  ...applicationRoutes(identity),
  ...deviceRoutes(identity),
  ...oidcRoutes(identity),
  ...tenantRoutes(identity),
  ...onboardingRoutes(identity),
  ...memberRoutes(identity),
  ...agentKeyRoutes(identity),
  ...mcpKeyRoutes(identity),
]

import { agentKeyRoutes } from './agent-keys/routes.ts'
import { apiKeyRoutes } from './keys/routes.ts'
import { mcpKeyRoutes } from './mcp-keys/routes.ts'
import { memberRoutes } from './members/routes.ts'
import type { Route } from './http/handler.ts'
import { onboardingRoutes } from './onboarding/routes.ts'
import { tenantRoutes } from './tenants/routes.ts'
import { accountRoutes } from './sign-in/account-routes.ts'
import { deviceRoutes } from './sign-in/device-routes.ts'
import type { Identity } from './sign-in/identity.ts'
import { oidcRoutes } from './sign-in/oidc-routes.ts'
import { passkeyRoutes, secondFactorRoutes } from './second-factors/routes.ts'
import { roleRuleRoutes } from './role-rules/routes.ts'
import { scimRoutes, scimTokenRoutes } from './scim/routes.ts'
import { trustRoutes } from './trusts/routes.ts'
import { teamRoutes } from './teams/routes.ts'
import { authRoutes, secondStepRoutes, sessionRoutes } from './sign-in/routes.ts'

/** Every route of identity: signing in, tenants, onboarding, members and keys. */
export const identityRoutes = (deps: Identity): Route[] => [
  ...authRoutes(deps),
  ...sessionRoutes(deps),
  ...secondStepRoutes(deps),
  ...secondFactorRoutes(deps),
  ...passkeyRoutes(deps),
  ...apiKeyRoutes(deps),
  ...accountRoutes(deps),
  ...deviceRoutes(deps),
  ...oidcRoutes(deps),
  ...tenantRoutes(deps),
  ...onboardingRoutes(deps),
  ...memberRoutes(deps),
  ...agentKeyRoutes(deps),
  ...mcpKeyRoutes(deps),
  ...teamRoutes(deps),
  ...trustRoutes(deps),
  ...roleRuleRoutes(deps),
  ...scimTokenRoutes(deps),
  ...scimRoutes(deps),
]
